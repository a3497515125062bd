/// @file
/// @brief The words of memory faults.
#pragma once

#include "memory_access.hpp"

#include <cstdint>

namespace lanes::emulator {

/// Raises `misaligned`: "read of 16 bytes at 0x... needs an address that is a multiple of 16".
void raise_misaligned(Warp& warp, const Operation& operation, unsigned lane, AccessKind kind, std::uint64_t address,
                      std::uint32_t alignment);

/// Raises `out_of_bounds`, or `use_after_free` if the address was freed: says where the access lies in terms of the
/// nearest allocation, or of the block's shared memory.
void raise_out_of_bounds(Warp& warp, const Operation& operation, unsigned lane, AccessKind kind, std::uint64_t address);

}  // namespace lanes::emulator
