/// @file
/// @brief Names of variables as a message spells them.
#pragma once

#include <string>

namespace lanes::emulator {

/// The name in the source of a variable that is local to a function: "As" of "_ZZ6matmulPfE2As". Other names stay as
/// they are.
std::string source_name(const std::string& mangled);

}  // namespace lanes::emulator
