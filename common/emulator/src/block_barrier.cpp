/// bar and barrier: threads of a block wait for each other.
///
/// A barrier waits for the threads that have not exited. With `.aligned`, and for every `bar`, all threads of a warp
/// execute it together; a part of a warp that gets there waits for the rest, which may be on its way.

#include <bit>

#include "interpret.hpp"
#include "lane_masks.hpp"
#include "position.hpp"

namespace lanes::emulator {

namespace {

BarrierKind kind_of(const Operation& operation) {
    return static_cast<BarrierKind>(operation.immediate);
}

bool is_aligned(const Operation& operation) {
    return (operation.extra & barrier_aligned) != 0;
}

/// Threads a warp counts for: 32 if all that live have arrived, as hardware counts whole warps.
std::uint32_t threads_counted(LaneMask waiting, LaneMask live) {
    if (waiting == 0) return 0;
    return waiting == live ? warp_size : static_cast<std::uint32_t>(std::popcount(waiting));
}

bool is_complete(const RunningBlock& block, const BlockBarrier& barrier) {
    std::uint32_t arrived = barrier.arrived_only;
    for (const RunningWarp& warp : block.warps) {
        const LaneMask waiting = barrier.waiting[warp.index];
        if (barrier.expected == 0 && waiting != warp.live) return false;
        arrived += threads_counted(waiting, warp.live);
    }
    return barrier.expected == 0 || arrived >= barrier.expected;
}

void warn_of_exit(RunningBlock& block, const BlockBarrier& barrier) {
    if (barrier.expected != 0 || block.exited_threads == 0 || block.warned_of_exit) return;
    block.warned_of_exit = true;
    for (RunningWarp& warp : block.warps) {
        const LaneMask waiting = barrier.waiting[warp.index];
        if (waiting == 0) continue;
        const std::uint64_t waits = block.launch->config.block.count() - block.exited_threads;
        raise(warp, *barrier.first, first_lane(waiting), FaultKind::barrier_after_exit, Severity::warning,
              std::to_string(waits) + (waits == 1 ? " thread of the block waits" : " threads of the block wait") +
                  " at this barrier, but " +
                  text_of_exits(block.exited_threads, block.launch->program, *block.first_exit) +
                  ": today's hardware goes on without them, and whatever they should have written is missing",
              block.first_exit);
        return;
    }
}

/// The value that a bar.red gives to all threads.
std::uint32_t reduction_of(const Operation& operation, const BlockBarrier& barrier) {
    switch (kind_of(operation)) {
        case BarrierKind::reduce_count:
            return barrier.true_threads;
        case BarrierKind::reduce_and:
            return barrier.true_threads == barrier.all_threads ? 1 : 0;
        default:
            return barrier.true_threads != 0 ? 1 : 0;
    }
}

void write_reduction(RunningWarp& warp, const Operation& operation, const BlockBarrier& barrier, LaneMask lanes) {
    if (operation.destination == no_slot) return;
    const std::uint32_t value = reduction_of(operation, barrier);
    if (kind_of(operation) == BarrierKind::reduce_count) {
        std::uint32_t* const row = warp.row<std::uint32_t>(operation.destination);
        for_each_lane(lanes, [&](unsigned lane) { row[lane] = value; });
    } else {
        LaneMask& predicate = warp.predicate(operation.destination);
        predicate = (predicate & ~lanes) | (value != 0 ? lanes : 0);
    }
}

void release(RunningBlock& block, std::uint32_t id) {
    BlockBarrier& barrier = block.barriers[id];
    warn_of_exit(block, barrier);
    for (Observer* observer : block.observers) observer->on_block_barrier(block, barrier, id);
    for (RunningWarp& warp : block.warps) {
        if (barrier.waiting[warp.index] == 0) continue;
        for (std::size_t i = 0; i < warp.control.groups().size(); ++i) {
            Group& group = warp.control.group(i);
            if (group.state != GroupState::at_barrier || group.barrier != id) continue;
            write_reduction(warp, block.launch->program.operations[group.pc], barrier, group.mask);
            group.state = GroupState::runnable;
            ++group.pc;
        }
    }
    barrier = {};
}

void complain(RunningWarp& warp, const Operation& operation, const Operation* other, std::string what) {
    raise(warp, operation, first_lane(warp.control.current().mask), FaultKind::barrier_divergence, Severity::error,
          std::move(what), other);
}

/// Threads of different warps may meet at different barrier operations. For the barrier that is __syncthreads(), that
/// is most likely a mistake.
void warn_of_lines(RunningBlock& block, RunningWarp& warp, const Operation& operation, const BlockBarrier& barrier) {
    const bool is_syncthreads = barrier.expected == 0 && is_aligned(operation);
    if (!is_syncthreads || barrier.first->line == operation.line || block.warned_of_lines) return;
    block.warned_of_lines = true;
    raise(warp, operation, first_lane(warp.control.current().mask), FaultKind::barrier_divergence, Severity::warning,
          "this barrier met another one" + at_line(block.launch->program, *barrier.first) +
              ", where other warps of the block wait: a __syncthreads() must be reached by all threads or by none",
          barrier.first);
}

/// Number and thread count of the barrier that the current group has got to; false if they make no sense.
bool open_barrier(RunningBlock& block, RunningWarp& warp, const Operation& operation, std::uint32_t& id) {
    const unsigned lane = first_lane(warp.control.current().mask);
    id = warp.row<std::uint32_t>(operation.source[0])[lane];
    const bool counted = operation.source[1] != no_slot;
    const std::uint32_t expected = counted ? warp.row<std::uint32_t>(operation.source[1])[lane] : 0;
    if (id >= barrier_count) {
        complain(warp, operation, nullptr,
                 "barrier " + std::to_string(id) + " does not exist; a block has barriers 0 to 15");
        return false;
    }
    if (counted && (expected == 0 || expected % warp_size != 0)) {
        complain(warp, operation, nullptr,
                 "a barrier for " + std::to_string(expected) + " threads; their number must be a multiple of 32");
        return false;
    }
    BlockBarrier& barrier = block.barriers[id];
    if (barrier.first == nullptr) {
        barrier.first = &operation;
        barrier.expected = expected;
    }
    if (barrier.expected == expected) return true;
    complain(warp, operation, barrier.first,
             "barrier " + std::to_string(id) + " for " + (counted ? std::to_string(expected) : "all") +
                 " threads, while others wait there for " +
                 (barrier.expected == 0 ? "all" : std::to_string(barrier.expected)) +
                 at_line(block.launch->program, *barrier.first));
    return false;
}

/// The current group has arrived, alone or as the last part of its warp.
void arrive(RunningBlock& block, RunningWarp& warp, const Operation& operation) {
    Group& group = warp.control.current();
    std::uint32_t id = 0;
    if (!open_barrier(block, warp, operation, id)) return;
    BlockBarrier& barrier = block.barriers[id];
    warn_of_lines(block, warp, operation, barrier);
    ++(*block.counters)[operation.index][Counter::barriers];
    if (operation.source[2] != no_slot) {
        const LaneMask predicate = warp.predicate(operation.source[2]);
        const LaneMask value = (operation.extra & barrier_negated) != 0 ? ~predicate : predicate;
        barrier.true_threads += static_cast<std::uint32_t>(std::popcount(value & group.mask));
        barrier.all_threads += static_cast<std::uint32_t>(std::popcount(group.mask));
    }
    if (kind_of(operation) == BarrierKind::arrive) {
        barrier.arrived_only += threads_counted(group.mask, warp.live);
        for (Observer* observer : block.observers) observer->on_barrier_arrival(warp, id);
        group.state = GroupState::runnable;
        ++group.pc;
    } else {
        barrier.waiting[warp.index] |= group.mask;
        group.state = GroupState::at_barrier;
        group.barrier = id;
    }
    if (is_complete(block, barrier)) release(block, id);
}

/// Lanes that wait for the rest of their warp at an aligned barrier.
LaneMask lanes_at(const RunningWarp& warp, std::uint32_t pc) {
    LaneMask lanes = 0;
    for (const Group& group : warp.control.groups()) {
        if (group.state == GroupState::at_partial_barrier && group.pc == pc) lanes |= group.mask;
    }
    return lanes;
}

/// If the parts of the warp at an aligned barrier are all of it, they arrive, as few groups as can be.
void gather_parts(RunningBlock& block, RunningWarp& warp, std::uint32_t pc) {
    if (lanes_at(warp, pc) != warp.live) return;
    Reconvergence& control = warp.control;
    for (std::size_t a = 0; a < control.groups().size(); ++a) {
        for (std::size_t b = a + 1; b < control.groups().size();) {
            if (!control.merge(a, b)) ++b;
        }
    }
    for (std::size_t i = 0; i < control.groups().size() && !block.stopped; ++i) {
        control.select(i);
        arrive(block, warp, block.launch->program.operations[pc]);
    }
}

/// Lanes of the current group that name the same barrier as its first lane.
LaneMask lanes_with_first(RunningWarp& warp, const Operation& operation) {
    const LaneMask mask = warp.control.current().mask;
    const std::uint32_t* const numbers = warp.row<std::uint32_t>(operation.source[0]);
    LaneMask same = 0;
    for_each_lane(mask, [&](unsigned lane) {
        if (numbers[lane] == numbers[first_lane(mask)]) same |= LaneMask{1} << lane;
    });
    return same;
}

/// Lanes may name different barriers, if the operation is not aligned: they go to theirs group by group.
/// @return false after a fault
bool part_by_number(RunningWarp& warp, const Operation& operation) {
    Reconvergence& control = warp.control;
    const LaneMask others = control.current().mask & ~lanes_with_first(warp, operation);
    if (others == 0) return true;
    if (is_aligned(operation)) {
        complain(warp, operation, nullptr, "lanes of one warp name different barriers; all must name the same");
        return false;
    }
    const std::uint32_t next = control.current().pc + 1;
    if (control.stop_pc() != next) control.add_join(next, false);
    control.split(others);
    return true;
}

}  // namespace

bool step_barrier(RunningBlock& block, RunningWarp& warp, const Operation& operation) {
    if (!part_by_number(warp, operation)) return false;
    Group& group = warp.control.current();
    if (!is_aligned(operation) || group.mask == warp.live) {
        arrive(block, warp, operation);
    } else {
        group.state = GroupState::at_partial_barrier;
        gather_parts(block, warp, group.pc);
    }
    return !block.stopped && warp.control.select_next();
}

void release_barriers(RunningBlock& block, RunningWarp& warp) {
    for (const Group& group : warp.control.groups()) {
        if (group.state != GroupState::at_partial_barrier || lanes_at(warp, group.pc) != warp.live) continue;
        gather_parts(block, warp, group.pc);
        break;
    }
    for (std::uint32_t id = 0; id < barrier_count; ++id) {
        if (block.barriers[id].first != nullptr && is_complete(block, block.barriers[id])) release(block, id);
    }
}

}  // namespace lanes::emulator
