/// bar.warp.sync, and the exchanges between lanes: shfl, vote, match, redux.
///
/// A lane names in its member mask the lanes it waits for. Those of them that have not exited must come to the same
/// operation with the same mask; a bar.warp.sync may also be met by another bar.warp.sync.

#include <bit>

#include "interpret.hpp"
#include "lane_masks.hpp"
#include "position.hpp"
#include "warp_synchronisation.hpp"

namespace lanes::emulator {

namespace {

LaneMask member_mask(RunningWarp& warp, const Operation& operation, unsigned lane) {
    return warp.row<LaneMask>(operation.target)[lane];
}

/// Those of `lanes` whose member mask is `mask`.
LaneMask lanes_naming(RunningWarp& warp, const Operation& operation, LaneMask lanes, LaneMask mask) {
    const LaneMask* const masks = warp.row<LaneMask>(operation.target);
    LaneMask naming = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) naming |= LaneMask{masks[lane] == mask} << lane;
    return naming & lanes;
}

bool meets(const Operation& a, const Operation& b) {
    return &a == &b || (a.flow == Flow::warp_barrier && b.flow == Flow::warp_barrier);
}

/// Reports lanes that are not in their own member mask; true if there are none.
bool check_membership(RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask* const masks = warp.row<LaneMask>(operation.target);
    LaneMask inside = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) inside |= masks[lane] & (LaneMask{1} << lane);
    const LaneMask outside = lanes & ~inside;
    if (outside == 0) return true;
    const unsigned lane = first_lane(outside);
    raise(warp, operation, lane, FaultKind::invalid_mask, Severity::error,
          text_of_lanes(outside) + " executed an operation of the warp with the member mask " +
              text_of_hex(member_mask(warp, operation, lane)) + ", which does not name " +
              (std::popcount(outside) == 1 ? "it" : "them"));
    return false;
}

/// Executes the operation for lanes that all name the same mask and are all there.
void execute_for(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    warp.counters = &(*block.counters)[operation.index];
    if (operation.flow == Flow::warp_exchange) {
        operation.execute(warp, operation, lanes);
        return;
    }
    for (Observer* observer : block.observers) observer->on_warp_barrier(warp, lanes);
}

/// Lanes that wait at operations that `operation` meets and name `mask`.
LaneMask lanes_waiting(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask mask) {
    LaneMask waiting = 0;
    for (const Group& group : warp.control.groups()) {
        if (group.state != GroupState::at_warp_sync) continue;
        const Operation& other = block.launch->program.operations[group.pc];
        if (meets(operation, other)) waiting |= lanes_naming(warp, other, group.mask, mask);
    }
    return waiting;
}

/// Lets those of `lanes` go on that wait in group `index`.
void release_lanes(RunningWarp& warp, std::size_t index, LaneMask lanes) {
    Reconvergence& control = warp.control;
    if ((control.group(index).mask & lanes) == 0) return;
    if ((control.group(index).mask & ~lanes) != 0) {
        control.select(index);
        control.split(control.group(index).mask & ~lanes);
    }
    Group& group = control.group(index);
    group.state = GroupState::runnable;
    ++group.pc;
}

/// Lanes that wait at a place together with `mask` as their mask: all of them go on.
void release_class(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    execute_for(block, warp, operation, lanes);
    Reconvergence& control = warp.control;
    const std::size_t count = control.groups().size();
    for (std::size_t i = 0; i < count; ++i) {
        const Group& group = control.groups()[i];
        if (group.state != GroupState::at_warp_sync) continue;
        if (meets(operation, block.launch->program.operations[group.pc])) release_lanes(warp, i, lanes);
    }
}

/// Groups that go on from the same place under the same join go on together.
void merge_runnable(Reconvergence& control) {
    for (std::size_t a = 0; a < control.groups().size(); ++a) {
        for (std::size_t b = a + 1; b < control.groups().size();) {
            const Group& first = control.groups()[a];
            const Group& second = control.groups()[b];
            const bool alike = first.state == GroupState::runnable && second.state == GroupState::runnable &&
                               first.pc == second.pc && first.activation == second.activation;
            if (!alike || !control.merge(a, b)) ++b;
        }
    }
}

/// Finds lanes that wait and whose wait is over; false if there are none.
bool release_one_class(RunningBlock& block, RunningWarp& warp) {
    for (const Group& group : warp.control.groups()) {
        if (group.state != GroupState::at_warp_sync) continue;
        const Operation& operation = block.launch->program.operations[group.pc];
        for (LaneMask left = group.mask; left != 0;) {
            const LaneMask mask = member_mask(warp, operation, first_lane(left));
            const LaneMask waiting = lanes_waiting(block, warp, operation, mask);
            if ((mask & warp.live & ~waiting) == 0) {
                release_class(block, warp, operation, waiting);
                return true;
            }
            left &= ~waiting;
        }
    }
    return false;
}

/// True if all living lanes that the group's lanes name are in the group, with the same mask as those who name them.
bool is_complete(RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0;) {
        const LaneMask mask = member_mask(warp, operation, first_lane(left));
        const LaneMask naming = lanes_naming(warp, operation, lanes, mask);
        if ((mask & warp.live & ~naming) != 0) return false;
        left &= ~naming;
    }
    return true;
}

/// Executes the operation for a complete group: once for each mask its lanes name.
void execute_all(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    for (LaneMask left = lanes; left != 0;) {
        const LaneMask mask = member_mask(warp, operation, first_lane(left));
        const LaneMask naming = lanes_naming(warp, operation, left, mask);
        execute_for(block, warp, operation, naming);
        left &= ~naming;
    }
}

}  // namespace

bool step_warp_synchronisation(RunningBlock& block, RunningWarp& warp, const Operation& operation) {
    const LaneMask lanes = warp.control.current().mask;
    if (operation.target == no_slot) {
        execute_for(block, warp, operation, lanes);
        ++warp.control.current().pc;
        return true;
    }
    if (!check_membership(warp, operation, lanes)) return false;
    if (is_complete(warp, operation, lanes)) {
        execute_all(block, warp, operation, lanes);
        ++warp.control.current().pc;
        return true;
    }
    warp.control.current().state = GroupState::at_warp_sync;
    release_synchronised(block, warp);
    return warp.control.select_next();
}

void release_synchronised(RunningBlock& block, RunningWarp& warp) {
    bool released = false;
    while (release_one_class(block, warp)) released = true;
    if (released) merge_runnable(warp.control);
}

LaneMask missing_lanes(RunningWarp& warp, const Operation& operation, const Group& group) {
    const LaneMask mask = member_mask(warp, operation, first_lane(group.mask));
    return mask & warp.live & ~lanes_naming(warp, operation, group.mask, mask);
}

}  // namespace lanes::emulator
