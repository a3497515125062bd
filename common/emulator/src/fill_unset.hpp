/// @file
/// @brief What unset shared and local memory holds.
#pragma once

#include <lanes/emulator/memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lanes::emulator {

/// Fills memory with what unset device memory holds too.
/// @param begin  aligned to 2 bytes
inline void fill_unset(std::byte* begin, std::size_t bytes) {
    auto* const values = reinterpret_cast<std::uint16_t*>(begin);
    std::fill_n(values, bytes / sizeof unset_pattern, unset_pattern);
}

}  // namespace lanes::emulator
