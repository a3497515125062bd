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

/// Replaces a kernel's mangled name in a message by its short one.
/// @param message  a sentence that may contain the mangled name
/// @param mangled  the kernel's name in PTX
std::string with_readable_name(std::string message, const std::string& mangled);

}  // namespace lanes::runtime
