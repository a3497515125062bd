#include "interpret.hpp"

#include <bit>
#include <string>

namespace lanes::emulator {

bool must_stop(const RunningBlock& block) {
    return block.stopped || block.launch->failed_block.load(std::memory_order_relaxed) < block.number;
}

bool exceeds_budget(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    // A turn of a loop that waits for others takes longer the more lanes ask: each one's access is checked by itself.
    if (operation.waits) warp.issued += static_cast<unsigned>(std::popcount(lanes));
    if (warp.issued <= block.budget) return false;
    std::string message =
        "the warp has executed " + std::to_string(warp.issued * warp_size) +
        " thread instructions, counted 32 at a time, which is more than its budget: does this loop end?";
    if (operation.waits && block.number + 1 < block.launch->config.grid.count())
        message += " If it waits for a later block: only a cooperative launch has all blocks at once";
    raise(warp, operation, static_cast<unsigned>(std::countr_zero(lanes)), FaultKind::instruction_budget,
          Severity::error, message);
    return true;
}

namespace {

/// After this many turns of a loop that may wait, somebody else gets a turn.
constexpr std::uint32_t turns_before_yield = 64;
/// One in so many memory accesses and branches ends a turn, if the schedule is random.
constexpr std::uint64_t preemption_interval = 8;

Turn idle(const RunningWarp& warp) {
    return warp.control.groups().empty() ? Turn::finished : Turn::waiting;
}

bool has_other_runnable(const Reconvergence& control, const Group& current) {
    for (const Group& group : control.groups()) {
        if (&group != &current && group.state == GroupState::runnable) return true;
    }
    return false;
}

/// The current group turns in a loop and may be waiting for others: in its warp, or elsewhere. If patience is at an
/// end, lanes that wait behind the loop go on; a warp that needed that once will need it again, and soon.
/// @return true if the turn should end
bool give_way(RunningWarp& warp) {
    Reconvergence& control = warp.control;
    const std::uint32_t waits = ++control.current().waits;
    if (waits % turns_before_yield != 0) return false;
    if (waits >= warp.patience && control.release_waiting()) warp.patience = turns_before_yield;
    if (has_other_runnable(control, control.current())) control.select_next();
    return true;
}

/// Lanes whose guard is false skip an operation at which the others may have to wait. They meet behind it.
void part_from_skipping(RunningWarp& warp, LaneMask lanes) {
    const std::uint32_t pc = warp.control.current().pc;
    const LaneMask skipping = warp.control.current().mask & ~lanes;
    if (skipping != 0) warp.control.diverge(skipping, pc + 1, pc, pc + 1);
}

bool stop_at(RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    if (operation.flow == Flow::trap) {
        raise(warp, operation, lane, FaultKind::trap, Severity::error, "the kernel executed a trap");
    } else {
        raise(warp, operation, lane, FaultKind::unsupported, Severity::error,
              warp.block->launch->program.messages[operation.extra] + " is not supported by the emulator");
    }
    return false;
}

bool control_step(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    if (operation.flow == Flow::branch) return step_branch(block, warp, operation, lanes);
    if (lanes == 0) {
        ++warp.control.current().pc;
        return true;
    }
    if (operation.flow == Flow::exit) return step_exit(block, warp, operation, lanes);
    if (operation.flow == Flow::call_return) return step_return(block, warp, lanes);
    part_from_skipping(warp, lanes);
    switch (operation.flow) {
        case Flow::branch_index:
            return step_indexed_branch(block, warp, operation);
        case Flow::call:
            return step_call(block, warp, operation);
        case Flow::barrier:
            return step_barrier(block, warp, operation);
        case Flow::warp_barrier:
        case Flow::warp_exchange:
            return step_warp_synchronisation(block, warp, operation);
        default:
            return stop_at(warp, operation, lanes);
    }
}

/// Counts the operation, and says which lanes execute it.
LaneMask begin(RunningWarp& warp, CounterSet& counters, const Operation& operation, LaneMask mask, unsigned active) {
    LaneMask lanes = mask;
    unsigned executing = active;
    if (operation.guard != no_slot) {
        const LaneMask guard = warp.predicate(operation.guard);
        lanes &= operation.guard_negated ? ~guard : guard;
        executing = static_cast<unsigned>(std::popcount(lanes));
    }
    ++counters[Counter::inst_executed];
    counters[Counter::thread_inst_executed] += active;
    counters[Counter::thread_inst_executed_pred_on] += executing;
    ++warp.issued;
    warp.counters = &counters;
    return lanes;
}

template <bool preempts>
bool preempt(RunningBlock& block) {
    if constexpr (preempts) return block.random.below(preemption_interval) == 0;
    return false;
}

/// The lanes of the current group all take a branch, or none does.
/// @return true if the group goes on; otherwise `turn` says how the turn ended
template <bool preempts>
bool branch_together(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes, Turn& turn) {
    Group& group = warp.control.current();
    ++(*warp.counters)[Counter::branch_uniform];
    if (lanes == 0) {
        ++group.pc;  // the loop may go on: it may have several branches back
    } else {
        const bool back = operation.target <= group.pc;
        group.pc = operation.target;
        turn = Turn::stopped;
        if (back && (must_stop(block) || exceeds_budget(block, warp, operation, lanes))) return false;
        turn = Turn::yielded;
        if (back && operation.waits && give_way(warp)) return false;
    }
    turn = Turn::yielded;
    return !preempt<preempts>(block);
}

/// Runs the current group until another becomes the current one, or the turn ends.
/// @return true if the turn goes on; otherwise `turn` says how it ended
template <bool preempts>
bool run_group(RunningBlock& block, RunningWarp& warp, Turn& turn) {
    Group& group = warp.control.current();
    const Operation* const operations = block.launch->program.operations.data();
    CounterSet* const counters = block.counters->data();
    const LaneMask mask = group.mask;
    const auto active = static_cast<unsigned>(std::popcount(mask));
    const std::uint32_t stop_pc = warp.control.stop_pc();
    for (std::uint32_t pc = group.pc; pc != stop_pc;) {
        const Operation& operation = operations[pc];
        const LaneMask lanes = begin(warp, counters[pc], operation, mask, active);
        if (operation.flow == Flow::data) [[likely]] {
            if (lanes != 0) operation.execute(warp, operation, lanes);
            ++pc;
            if (!block.stopped && !(preempts && operation.width != 0 && preempt<preempts>(block))) [[likely]]
                continue;
            group.pc = pc;
            turn = block.stopped ? Turn::stopped : Turn::yielded;
            return false;
        }
        group.pc = pc;
        if (operation.flow == Flow::branch && (lanes == mask || lanes == 0)) {
            if (!branch_together<preempts>(block, warp, operation, lanes, turn)) return false;
            pc = group.pc;
            continue;
        }
        const bool runnable = control_step(block, warp, operation, lanes);
        turn = block.stopped ? Turn::stopped : idle(warp);
        return runnable && !block.stopped;
    }
    group.pc = stop_pc;
    const bool runnable = warp.control.arrive();
    turn = idle(warp);
    return runnable;
}

template <bool preempts>
Turn run_warp(RunningBlock& block, RunningWarp& warp) {
    Turn turn = Turn::waiting;
    while (run_group<preempts>(block, warp, turn)) {
    }
    return turn;
}

}  // namespace

Turn take_turn(RunningBlock& block, RunningWarp& warp) {
    if (must_stop(block)) return Turn::stopped;
    const bool lockstep = block.launch->config.schedule.lockstep;
    const bool stays = warp.control.current().state == GroupState::runnable && (lockstep || block.random.below(2) == 0);
    if (!stays && !warp.control.select_next()) return Turn::waiting;
    return lockstep ? run_warp<false>(block, warp) : run_warp<true>(block, warp);
}

}  // namespace lanes::emulator
