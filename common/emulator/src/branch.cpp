/// Branches at which lanes may part.

#include <bit>

#include "interpret.hpp"

namespace lanes::emulator {

bool step_branch(RunningBlock&, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    ++(*warp.counters)[Counter::branch_divergent];
    const std::uint32_t next = warp.control.current().pc + 1;
    if (operation.waits) warp.control.current().waits = 0;  // lanes leave the loop
    warp.control.diverge(lanes, operation.target, next, operation.reconvergence);
    return true;
}

namespace {

/// Where lane `lane` goes; the last target if its index is too large, which PTX leaves undefined.
std::uint32_t target_of(RunningWarp& warp, const Operation& operation, const std::vector<std::uint32_t>& targets,
                        unsigned lane) {
    const std::uint32_t index = warp.row<std::uint32_t>(operation.source[0])[lane];
    return index < targets.size() ? targets[index] : targets.back();
}

LaneMask lanes_going_to(std::uint32_t target, RunningWarp& warp, const Operation& operation,
                        const std::vector<std::uint32_t>& targets, LaneMask among) {
    LaneMask lanes = 0;
    for (LaneMask left = among; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        if (target_of(warp, operation, targets, lane) == target) lanes |= LaneMask{1} << lane;
    }
    return lanes;
}

}  // namespace

/// Parts one target's lanes after the other from the group, until those that are left have one target.
bool step_indexed_branch(RunningBlock& block, RunningWarp& warp, const Operation& operation) {
    const std::vector<std::uint32_t>& targets = block.launch->program.branch_lists[operation.extra];
    const std::uint32_t pc = warp.control.current().pc;
    bool divergent = false;
    while (true) {
        const LaneMask mask = warp.control.current().mask;
        const std::uint32_t target = target_of(warp, operation, targets, static_cast<unsigned>(std::countr_zero(mask)));
        const LaneMask lanes = lanes_going_to(target, warp, operation, targets, mask);
        if (lanes == mask) {
            warp.control.current().pc = target;
            if (target <= pc && (must_stop(block) || exceeds_budget(block, warp, operation, lanes))) return false;
            break;
        }
        divergent = true;
        warp.control.diverge(lanes, target, pc, operation.reconvergence);
    }
    ++(*warp.counters)[divergent ? Counter::branch_divergent : Counter::branch_uniform];
    return true;
}

}  // namespace lanes::emulator
