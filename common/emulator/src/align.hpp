/// @file
/// @brief Alignment of offsets.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lanes::emulator {

/// The smallest multiple of `alignment` (0 counts as 1) that is not less than `offset`.
constexpr std::uint32_t align_up(std::uint32_t offset, std::uint32_t alignment) {
    return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

/// More than any device has, and far from overflow: launches that need it are refused.
inline constexpr std::uint32_t impossible_bytes = 1u << 30;

/// A size, or impossible_bytes if it is larger.
constexpr std::uint32_t limited(std::uint64_t bytes) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, impossible_bytes));
}

}  // namespace lanes::emulator
