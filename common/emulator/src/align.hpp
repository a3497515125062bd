/// @file
/// @brief Alignment of offsets.
#pragma once

#include <cstdint>

namespace lanes::emulator {

/// The smallest multiple of `alignment` (0 counts as 1) that is not less than `offset`.
constexpr std::uint32_t align_up(std::uint32_t offset, std::uint32_t alignment) {
    return alignment <= 1 ? offset : (offset + alignment - 1) / alignment * alignment;
}

}  // namespace lanes::emulator
