/// @file
/// @brief Which block a worker ran at which time, in few words: blocks alike take equal times, one after the other.
#pragma once

#include "check_clock.hpp"

#include <cstdint>
#include <vector>

namespace lanes::emulator {

/// The blocks of one worker, in the order in which it ran them.
class Timeline {
public:
    /// A block begins. Times ascend.
    void start(Time time, std::uint64_t block);
    /// The block that ran at a time; 0 before the first.
    std::uint64_t block_at(Time time) const;

private:
    /// Blocks whose numbers and starting times lie equally far apart.
    struct Run {
        std::uint32_t time = 0;   ///< of the first
        std::uint32_t block = 0;  ///< the first
        std::uint32_t count = 1;
        std::uint32_t time_step = 0;
        std::uint32_t block_step = 0;
    };

    std::vector<Run> runs_;
};

}  // namespace lanes::emulator
