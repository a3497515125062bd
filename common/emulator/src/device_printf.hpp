/// @file
/// @brief printf on the device.
#pragma once

#include <cstdint>
#include <string>

#include "generic_memory.hpp"

namespace lanes::emulator {

/// Formats as the device's printf does. Arguments lie in a buffer one behind the other at their natural alignment: int
/// and char as 4 bytes, long, pointers and double as 8.
/// @param format  generic address of the format
/// @param arguments  generic address of the buffer
/// @param text  receives the result
/// @return the number of arguments, or -1 if something lies outside of memory
int format_device_printf(const GenericMemory& memory, std::uint64_t format, std::uint64_t arguments, std::string& text);

}  // namespace lanes::emulator
