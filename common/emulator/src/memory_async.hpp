/// @file
/// @brief cp.async: copies from device to shared memory that are on their way.
///
/// The data is read when the copy is issued and becomes visible in shared memory when the thread that issued it waits,
/// not earlier: hardware promises no more, and a missing wait then shows.
#pragma once

#include "execution.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes::emulator {

/// The copies of one warp that no lane has waited for yet.
struct AsyncCopies {
    static constexpr std::size_t largest_copy = 16;

    /// One cp.async. Lanes that have waited leave `lanes`.
    struct Copy {
        const Operation* operation = nullptr;  ///< the cp.async: faults name its line
        LaneMask lanes = 0;
        std::uint32_t bytes = 0;                             ///< 4, 8 or 16
        std::array<std::uint32_t, warp_size> group{};        ///< which of its lane's groups the copy belongs to
        std::array<std::uint64_t, warp_size> destination{};  ///< shared offset
        std::array<std::array<std::byte, largest_copy>, warp_size> data{};
    };

    std::vector<Copy> pending;                         ///< in the order of issue
    std::array<std::uint32_t, warp_size> committed{};  ///< groups each lane has closed: the open one's number
};

/// Makes the lanes' copies visible, all but those of the newest groups.
/// @param groups_left  committed groups of each lane that may stay pending
/// @param open_too  copies in no committed group become visible as well
void complete_copies(Warp& warp, LaneMask lanes, std::uint32_t groups_left, bool open_too);

}  // namespace lanes::emulator
