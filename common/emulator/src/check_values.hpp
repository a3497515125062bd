/// @file
/// @brief The value that a store is about to write, to tell writes of the same value from others.
#pragma once

#include "execution.hpp"

#include <cstdint>

namespace lanes::emulator {

/// True if the access is a store whose values `written_value` knows.
bool has_known_values(const Access& access);

/// The byte that a lane writes at `offset` bytes behind its address.
std::uint8_t written_byte(const Access& access, unsigned lane, std::uint32_t offset);

}  // namespace lanes::emulator
