/// @file
/// @brief The base name of a kernel, by which a launch and a counted case are known to be the same.
#pragma once

#include <string>
#include <string_view>

namespace lanes::tools {

/// @brief Takes return type, namespaces, template arguments and parameters off a demangled name.
/// @param demangled `void chapter::copy<float>(const float *, float *)`
/// @return `copy`
std::string base_name(std::string_view demangled);

}  // namespace lanes::tools
