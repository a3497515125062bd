/// Says why a block cannot go on: which lanes wait where, and where those are that they wait for.

#include <algorithm>
#include <bit>

#include "interpret.hpp"
#include "lane_masks.hpp"
#include "position.hpp"
#include "warp_synchronisation.hpp"

namespace lanes::emulator {

namespace {

const Operation& operation_of(const RunningBlock& block, std::uint32_t pc) {
    return block.launch->program.operations[pc];
}

/// Where a lane is, and what it does there in words that follow "lane 3".
struct Whereabouts {
    const Operation* operation = nullptr;
    std::string doing;
};

Whereabouts find_lane(const RunningBlock& block, const RunningWarp& warp, unsigned lane) {
    for (const Group& group : warp.control.groups()) {
        if ((group.mask >> lane & 1) == 0) continue;
        const Operation& operation = operation_of(block, group.pc);
        const bool at_barrier = operation.flow == Flow::barrier;
        const std::string place = at_line(block.launch->program, operation);
        return {&operation, (at_barrier ? "wait at a barrier" : "wait for lanes of their warp") + place};
    }
    for (const Join& join : warp.control.joins()) {
        if ((join.arrived >> lane & 1) == 0) continue;
        const Operation& operation = operation_of(block, join.pc);
        return {&operation, "went another way and wait for the others" + at_line(block.launch->program, operation)};
    }
    return {};
}

LaneMask lanes_with(const RunningWarp& warp, const Group& group) {
    LaneMask lanes = 0;
    for (const Group& other : warp.control.groups()) {
        if (other.pc == group.pc && other.state == group.state) lanes |= other.mask;
    }
    return lanes;
}

void report_partial_barrier(RunningBlock& block, RunningWarp& warp, const Group& group) {
    const LaneMask here = lanes_with(warp, group);
    const LaneMask missing = warp.live & ~here;
    const Whereabouts other = find_lane(block, warp, first_lane(missing));
    raise(warp, operation_of(block, group.pc), first_lane(here), FaultKind::barrier_divergence, Severity::error,
          "only " + text_of_lanes(here) + " of warp " + std::to_string(warp.index) + ' ' + verb_of(here, "reach") +
              " this barrier, which all threads of the block must reach together; " + text_of_lanes(missing) + " " +
              other.doing,
          other.operation);
}

void report_warp_wait(RunningBlock& block, RunningWarp& warp, const Group& group) {
    const Operation& operation = operation_of(block, group.pc);
    const LaneMask missing = missing_lanes(warp, operation, group);
    const unsigned lane = first_lane(group.mask);
    const LaneMask mask = warp.row<LaneMask>(operation.target)[lane];
    const Whereabouts other = missing == 0 ? Whereabouts{} : find_lane(block, warp, first_lane(missing));
    raise(warp, operation, lane, FaultKind::invalid_mask, Severity::error,
          text_of_lanes(group.mask) + ' ' + verb_of(group.mask, "wait") + " with the member mask " + text_of_hex(mask) +
              " for " + text_of_lanes(missing) + ", which never come: they " + other.doing,
          other.operation);
}

/// A group of another warp, or of this one, that waits at another barrier; nullptr if there is none.
const Group* other_group(const RunningBlock& block, const Group& group) {
    for (const RunningWarp& warp : block.warps) {
        for (const Group& other : warp.control.groups()) {
            if (other.state == GroupState::at_barrier && other.barrier != group.barrier) return &other;
        }
    }
    return nullptr;
}

/// Threads of a block at one of its barriers.
std::uint64_t threads_at(const RunningBlock& block, const BlockBarrier& barrier) {
    std::uint64_t threads = barrier.arrived_only;
    for (const RunningWarp& warp : block.warps)
        threads += static_cast<std::uint64_t>(std::popcount(barrier.waiting[warp.index]));
    return threads;
}

/// Where the threads are that a barrier waits for.
struct Elsewhere {
    const Operation* operation = nullptr;  ///< where some of them are
    std::string text;  ///< ", 32 wait at another barrier at a.cu:7, 32 have left the kernel at a.cu:3"
};

/// @param group  of the warp, and waiting at the barrier
Elsewhere find_others(const RunningBlock& block, const RunningWarp& warp, const Group& group) {
    const Program& program = block.launch->program;
    const LaneMask rest = warp.live & ~block.barriers[group.barrier].waiting[warp.index];
    Elsewhere others;
    if (const Group* const other = other_group(block, group); other != nullptr) {
        others.operation = &operation_of(block, other->pc);
        others.text = ", " + std::to_string(threads_at(block, block.barriers[other->barrier])) +
                      " wait at another barrier" + at_line(program, *others.operation);
    } else if (rest != 0) {
        const Whereabouts whereabouts = find_lane(block, warp, first_lane(rest));
        others.operation = whereabouts.operation;
        others.text = ", " + text_of_lanes(rest) + " of warp " + std::to_string(warp.index) + " " + whereabouts.doing;
    }
    if (block.first_exit == nullptr) return others;
    if (others.operation == nullptr) others.operation = block.first_exit;
    others.text += ", " + text_of_exits(block.exited_threads, program, *block.first_exit);
    return others;
}

void report_barrier_wait(RunningBlock& block, RunningWarp& warp, const Group& group) {
    const BlockBarrier& barrier = block.barriers[group.barrier];
    const Elsewhere others = find_others(block, warp, group);
    const std::string count = barrier.expected == 0 ? "all" : std::to_string(barrier.expected);
    raise(warp, operation_of(block, group.pc), first_lane(group.mask), FaultKind::barrier_divergence, Severity::error,
          "this barrier waits forever: barrier " + std::to_string(group.barrier) + " needs " + count + " threads; " +
              std::to_string(threads_at(block, barrier)) + " are here" + others.text,
          others.operation);
}

/// The first group, over all warps, in a state; reported by `report`. False if there is none.
template <typename Report>
bool report_first(RunningBlock& block, GroupState state, Report report) {
    for (RunningWarp& warp : block.warps) {
        for (const Group& group : warp.control.groups()) {
            if (group.state != state) continue;
            report(block, warp, group);
            return true;
        }
    }
    return false;
}

/// Lanes that wait for each other, and for no barrier.
void report_standstill(RunningBlock& block) {
    for (RunningWarp& warp : block.warps) {
        if (warp.live == 0) continue;
        const std::vector<Join>& joins = warp.control.joins();
        const auto waiting =
            std::find_if(joins.begin(), joins.end(), [](const Join& join) { return join.arrived != 0; });
        const std::uint32_t pc = waiting == joins.end() ? 0 : waiting->pc;
        return raise(warp, operation_of(block, pc), first_lane(warp.live), FaultKind::deadlock, Severity::error,
                     text_of_lanes(warp.live) + " of warp " + std::to_string(warp.index) +
                         " wait for each other, and none can go on");
    }
}

}  // namespace

void report_deadlock(RunningBlock& block) {
    if (report_first(block, GroupState::at_partial_barrier, report_partial_barrier)) return;
    if (report_first(block, GroupState::at_warp_sync, report_warp_wait)) return;
    if (report_first(block, GroupState::at_barrier, report_barrier_wait)) return;
    report_standstill(block);
}

}  // namespace lanes::emulator
