/// @file
/// @brief Kernel names as a person wrote them.
#pragma once

#include <string>
#include <string_view>

namespace lanes::runtime {

/// The full C++ name of a mangled one: "void reduce<256>(float const*, float*, int)".
/// @param mangled  a kernel's name in PTX
/// @return the name, or `mangled` itself if it is not a mangled name (`extern "C"`)
std::string demangle(const std::string& mangled);

/// A demangled name without return type and parameters: "reduce<256>".
/// @param demangled  what `demangle` returned
std::string short_name(std::string_view demangled);

/// Replaces the mangled names in a message, of kernels and of what they call, by their short ones.
/// @param message  a sentence
std::string with_readable_names(const std::string& message);

}  // namespace lanes::runtime
