/// @file
/// @brief What is ordered before what in a block: barriers, warp barriers and fences as vector clocks of warps.
///
/// Time of a block advances at each synchronisation, so that an access is known by its thread and its time. A warp
/// knows, of each warp, up to which time that warp's accesses lie before its own next ones. Lanes of one warp are
/// unordered but for what the warp knows of itself, or a lane of another.
#pragma once

#include "execution.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanes::emulator {

/// Counts synchronisations of one worker, over all blocks it runs.
using Time = std::uint64_t;
/// Where the first launch of all begins: so that there is a time before each access.
inline constexpr Time first_launch_time = 2;
/// Bit w stands for warp w of the block.
using WarpMask = std::uint32_t;

inline constexpr std::uint32_t maximum_warps = 32;

/// The order of accesses in the block that a worker runs.
class BlockClock {
public:
    /// @param warps  of each block
    /// @param first  the time to begin with, at least `first_launch_time`
    BlockClock(std::uint32_t warps, Time first) : warps_(warps), now_(first) {}

    /// A new block: everything before lies before it.
    void start_block();
    /// All warps met at a barrier.
    void join_all();
    /// Some warps met at barrier `barrier`, with those that only arrived there.
    void join(WarpMask warps, std::uint32_t barrier);
    /// A warp arrived at a barrier without waiting.
    void arrive(std::uint32_t warp, std::uint32_t barrier);
    /// Lanes of a warp synchronised.
    void join_lanes(std::uint32_t warp, LaneMask lanes, LaneMask live);
    /// A warp made what it did known to whoever acquires: a fence, or a store to a flag.
    void publish(std::uint32_t warp);
    /// A warp learns what was published.
    void acquire(std::uint32_t warp);

    Time now() const { return now_; }
    /// Another number after each of the calls above: what was asked before may have changed.
    std::uint64_t changes() const { return changes_; }
    Time block_begin() const { return block_begin_; }
    /// Accesses of all threads up to this time lie before the warp's next ones. Low, but never too high.
    Time floor(std::uint32_t warp) const { return warps_ == 1 ? own(warp) : std::max(common_, floor_[warp]); }
    /// Accesses of the warp's own lanes up to this time lie before its next ones; at least `floor`.
    Time own(std::uint32_t warp) const { return std::max(common_, known_[warp][warp]); }
    /// True if the access of `other` at `time` lies before what `thread` does now.
    bool is_ordered(unsigned thread, unsigned other, Time time) const;

private:
    using Times = std::array<Time, maximum_warps>;
    using LaneTimes = std::array<std::array<Time, warp_size>, warp_size>;

    Time known(std::uint32_t warp, std::uint32_t of) const { return std::max(common_, known_[warp][of]); }
    void set_floor(std::uint32_t warp);

    std::uint32_t warps_;
    std::uint64_t changes_ = 1;
    Time now_;
    Time block_begin_ = 0;
    Time common_ = 0;                           ///< all warps know of all up to here
    std::array<Times, maximum_warps> known_{};  ///< what a warp knows of each
    Times floor_{};                             ///< the least of them
    std::array<Times, 16> arrived_{};           ///< by barrier: what warps that do not wait brought
    Times published_{};
    std::uint64_t publications_ = 0;
    std::array<std::uint64_t, maximum_warps> acquired_{};  ///< publications that the warp knows
    /// What each lane of a warp knows of each other lane; made by the first barrier of a part of a warp.
    std::array<std::unique_ptr<LaneTimes>, maximum_warps> lanes_{};
};

}  // namespace lanes::emulator
