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

/// One instruction that a warp issues, and the lanes that take part in it.
struct IssuedInstruction {
    unsigned part = 0;              ///< of a branch the arm, 0 or 1; of a loop the turn
    std::uint64_t instruction = 0;  ///< which of the part's, from 0
    LaneMask lanes = 0;             ///< active

    /// Equal in every member.
    constexpr bool operator==(const IssuedInstruction&) const = default;
};

/// Goes through the instructions that branch_cost() counts. The first arm comes first; which one hardware takes first
/// is not documented.
/// @param active lanes that reach the branch
/// @param taken lanes for which the condition holds; others than the active ones do not count
/// @param then_instructions length of the first arm
/// @param else_instructions length of the second arm, 0 if there is none
/// @param visit called with each IssuedInstruction
template <typename Visit>
constexpr void replay_branch(LaneMask active, LaneMask taken, std::uint64_t then_instructions,
                             std::uint64_t else_instructions, const Visit& visit) {
    const std::array<BranchArm, 2> arms{{{.lanes = active & taken, .instructions = then_instructions},
                                         {.lanes = active & ~taken, .instructions = else_instructions}}};
    for (unsigned arm = 0; arm < arms.size(); ++arm)
        for (std::uint64_t i = 0; arms[arm].lanes != 0 && i < arms[arm].instructions; ++i)
            visit(IssuedInstruction{.part = arm, .instruction = i, .lanes = arms[arm].lanes});
}

/// Goes through the instructions that loop_cost() counts: a turn with all lanes that have not left, then the next.
/// @param trips turns of each lane
/// @param body_instructions issued at each turn
/// @param active lanes that enter the loop
/// @param visit called with each IssuedInstruction
template <typename Visit>
constexpr void replay_loop(std::span<const std::uint32_t, warp_size> trips, std::uint64_t body_instructions,
                           LaneMask active, const Visit& visit) {
    for (unsigned turn = 0;; ++turn) {
        LaneMask turning = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            turning |= is_active(active, lane) && trips[lane] > turn ? LaneMask{1} << lane : 0;
        if (turning == 0) return;
        for (std::uint64_t i = 0; i < body_instructions; ++i)
            visit(IssuedInstruction{.part = turn, .instruction = i, .lanes = turning});
    }
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

}  // namespace lanes::model
