/// @file
/// @brief The barriers of a block, as `bar` and `barrier` use them.
#pragma once

#include <array>
#include <cstdint>

#include "execution.hpp"

namespace lanes::emulator {

/// What a barrier operation does. In `Operation::immediate`; source[0] is the row of the barrier's number, source[1]
/// that of the thread count (no_slot: all threads), source[2] the predicate of a reduction.
enum class BarrierKind : std::uint8_t { sync, arrive, reduce_count, reduce_and, reduce_or };

/// Bits of `Operation::extra` of a barrier operation.
inline constexpr std::uint32_t barrier_aligned = 1;  ///< all threads of the warp execute it together
inline constexpr std::uint32_t barrier_negated = 2;  ///< the predicate is negated

inline constexpr std::uint32_t barrier_count = 16;

/// One of the block's sixteen barriers.
struct BlockBarrier {
    std::uint32_t expected = 0;                 ///< threads, 0: all that have not exited
    std::uint32_t arrived_only = 0;             ///< threads that arrived without waiting
    std::array<LaneMask, warp_size> waiting{};  ///< by warp
    const Operation* first = nullptr;           ///< the first arrival's operation; nullptr if nobody is there
    std::uint32_t true_threads = 0;             ///< of a reduction
    std::uint32_t all_threads = 0;
};

}  // namespace lanes::emulator
