/// @file
/// @brief What a warp pays when its lanes go different ways: instructions issued, and lanes that use them.
#pragma once

#include <lanes/model/warp.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace lanes::model {

/// Instructions a warp issues and the lanes that take part in them.
struct IssueCount {
    std::uint64_t issues = 0;        ///< warp instructions: `smsp__inst_executed`
    std::uint64_t active_lanes = 0;  ///< lanes active, summed over them: `smsp__thread_inst_executed`

    /// Share of the lanes' issue slots that did work: active lanes / (32 x issues), 0 to 1; 1 if nothing was issued.
    constexpr double lane_efficiency() const {
        return issues == 0 ? 1.0 : static_cast<double>(active_lanes) / (static_cast<double>(issues) * warp_size);
    }
    /// Adds what follows.
    /// @param other cost of the code that runs next
    constexpr IssueCount& operator+=(const IssueCount& other) {
        issues += other.issues;
        active_lanes += other.active_lanes;
        return *this;
    }
    /// Cost of one piece of code after another.
    /// @param first cost of a piece
    /// @param second cost of the next
    friend constexpr IssueCount operator+(IssueCount first, const IssueCount& second) { return first += second; }
    /// Equal in both counts.
    constexpr bool operator==(const IssueCount&) const = default;
};

/// One side of a branch.
struct BranchArm {
    LaneMask lanes = 0;              ///< that take it
    std::uint64_t instructions = 0;  ///< its length
};

/// Cost of straight-line code under a mask: no lane, no issue.
/// @param lanes that are active
/// @param instructions length of the code
constexpr IssueCount straight_line_cost(LaneMask lanes, std::uint64_t instructions) {
    if (lanes == 0) return {};
    return {.issues = instructions, .active_lanes = instructions * lane_count(lanes)};
}

/// Cost of a branch: every arm with a lane is issued in full, one after the other, so 16 lanes against 16 cost as much
/// as 1 against 31 (CUDA Programming Guide, "SIMT Architecture").
/// @param arms whose lanes do not overlap
constexpr IssueCount branch_cost(std::span<const BranchArm> arms) {
    IssueCount total;
    for (const BranchArm& arm : arms) total += straight_line_cost(arm.lanes, arm.instructions);
    return total;
}

/// Cost of an if and else in which `taken` of the `active` lanes take the first arm.
/// @param active lanes that reach the branch
/// @param taken lanes for which the condition holds; others than the active ones do not count
/// @param then_instructions length of the first arm
/// @param else_instructions length of the second arm, 0 if there is none
constexpr IssueCount branch_cost(LaneMask active, LaneMask taken, std::uint64_t then_instructions,
                                 std::uint64_t else_instructions) {
    const std::array<BranchArm, 2> arms{{{.lanes = active & taken, .instructions = then_instructions},
                                         {.lanes = active & ~taken, .instructions = else_instructions}}};
    return branch_cost(arms);
}

/// Cost of a loop whose lanes leave at different times: the warp turns as often as its slowest lane.
/// @param trips turns of each lane
/// @param body_instructions issued at each turn
/// @param active lanes that enter the loop
constexpr IssueCount loop_cost(std::span<const std::uint32_t, warp_size> trips, std::uint64_t body_instructions,
                               LaneMask active = all_lanes) {
    std::uint64_t longest = 0;
    std::uint64_t total = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!is_active(active, lane)) continue;
        longest = std::max<std::uint64_t>(longest, trips[lane]);
        total += trips[lane];
    }
    return {.issues = longest * body_instructions, .active_lanes = total * body_instructions};
}

/// Warps of a one-dimensional block in which a condition holds for some thread.
/// @param threads of the block
/// @param condition callable: unsigned threadIdx.x to bool
template <typename Condition>
constexpr unsigned warps_with_true_lane(unsigned threads, const Condition& condition) {
    unsigned warps = 0;
    for (unsigned first = 0; first < threads; first += warp_size) {
        bool any = false;
        for (unsigned thread = first; thread < std::min(first + warp_size, threads); ++thread) any |= condition(thread);
        warps += any ? 1U : 0U;
    }
    return warps;
}

/// Which threads add in a step of a block's reduction in shared memory.
enum class ReductionScheme : std::uint8_t {
    modulo,         ///< `tid % (2 * s) == 0`, s = 1, 2, 4, ...: v0
    strided_index,  ///< `2 * s * tid < threads`, s = 1, 2, 4, ...: whole warps, but bank conflicts
    sequential      ///< `tid < s`, s = threads / 2, ..., 2, 1: v1
};

/// Whether a thread adds in the step with stride `s`.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
/// @param s stride of the step
/// @param thread its threadIdx.x
constexpr bool adds_in_step(ReductionScheme scheme, unsigned threads, unsigned s, unsigned thread) {
    switch (scheme) {
        case ReductionScheme::modulo:
            return thread % (2 * s) == 0;
        case ReductionScheme::strided_index:
            return 2 * s * thread < threads;
        case ReductionScheme::sequential:
            return thread < s;
    }
    return false;
}

/// Warps with a thread that adds, summed over all steps of a block's reduction. For 256 threads 47 with the modulo and
/// 12 sequentially: what the hardware counts as stores to shared memory, beside the eight that fill the buffer.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
constexpr unsigned reduction_warps(ReductionScheme scheme, unsigned threads) {
    unsigned warps = 0;
    for (unsigned s = 1; s < threads; s *= 2)
        warps +=
            warps_with_true_lane(threads, [=](unsigned thread) { return adds_in_step(scheme, threads, s, thread); });
    return warps;
}

}  // namespace lanes::model
