/// @file
/// @brief Frames of functions in the local memory of a warp's lanes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lane_masks.hpp"
#include "running_warp.hpp"

namespace lanes::emulator {

/// Where the current frames of a function begin in the local memory of each lane.
struct FrameBases {
    std::array<std::uint64_t, warp_size> begin{};

    FrameBases(RunningWarp& warp, const ProgramFunction& function) {
        if (function.frame_base == no_slot) return;
        std::copy_n(warp.row<std::uint64_t>(function.frame_base), warp_size, begin.begin());
    }
};

/// A lane's local memory.
inline std::byte* local_of(RunningWarp& warp, unsigned lane) {
    return warp.local + lane * warp.local_stride;
}

/// Where the caller keeps a value that it hands to a function, or gets from it.
inline std::byte* argument_of(RunningWarp& warp, const CallArgument& argument, const FrameBases& caller,
                              unsigned lane) {
    if (argument.row != no_slot) return warp.registers + argument.row + lane * argument.place.bytes;
    return local_of(warp, lane) + caller.begin[lane] + argument.place.offset;
}

}  // namespace lanes::emulator
