#include "reconvergence.hpp"

#include <cstddef>
#include <utility>

namespace lanes::emulator {

void Reconvergence::start(LaneMask lanes, std::uint32_t pc) {
    groups_.clear();
    joins_.clear();
    free_joins_.clear();
    current_ = 0;
    Group group;
    group.mask = lanes;
    group.pc = pc;
    groups_.push_back(group);
}

std::uint32_t Reconvergence::stop_pc() const {
    const JoinIndex join = groups_[current_].join;
    if (join == no_join || joins_[join].of_call) return no_operation;
    return joins_[join].pc;
}

bool Reconvergence::select_next() {
    for (std::size_t i = 1; i <= groups_.size(); ++i) {
        const std::size_t index = (current_ + i) % groups_.size();
        if (groups_[index].state != GroupState::runnable) continue;
        current_ = index;
        return true;
    }
    return false;
}

void Reconvergence::diverge(LaneMask taken, std::uint32_t target, std::uint32_t next, std::uint32_t reconvergence) {
    if (reconvergence != no_operation && stop_pc() != reconvergence) add_join(reconvergence, false);
    Group& stays = current();
    Group goes = stays;
    goes.mask = taken;
    goes.pc = target;
    goes.waits = 0;
    stays.mask &= ~taken;
    stays.pc = next;
    stays.waits = 0;
    groups_.push_back(goes);
}

void Reconvergence::split(LaneMask lanes) {
    Group apart = current();
    apart.mask = lanes;
    current().mask &= ~lanes;
    groups_.push_back(apart);
}

void Reconvergence::add_join(std::uint32_t pc, bool of_call) {
    const JoinIndex index = new_join();
    Group& group = current();
    joins_[index] = {pc, group.mask, 0, group.join, group.activation, of_call, group.waits};
    group.join = index;
}

bool Reconvergence::arrive() {
    const JoinIndex join = current().join;
    joins_[join].arrived |= current().mask;
    remove_current();
    settle(join);
    return select_next();
}

bool Reconvergence::return_from_call(LaneMask lanes) {
    JoinIndex call = current().join;
    while (!joins_[call].of_call) call = joins_[call].parent;
    const JoinIndex inner = current().join;
    remove_lanes(lanes);
    joins_[call].arrived |= lanes;
    leave(inner, call, lanes);
    settle(call);
    return select_next();
}

bool Reconvergence::exit(LaneMask lanes) {
    const JoinIndex inner = current().join;
    remove_lanes(lanes);
    leave(inner, no_join, lanes);
    return !groups_.empty() && select_next();
}

bool Reconvergence::release_waiting() {
    bool released = false;
    for (JoinIndex index = current().join; index != no_join; index = joins_[index].parent) {
        Join& join = joins_[index];
        if (join.arrived == 0) continue;
        Group group;
        group.pc = join.pc;
        group.mask = join.arrived;
        group.join = join.parent;
        group.activation = join.activation;
        join.expected &= ~join.arrived;
        join.arrived = 0;
        groups_.push_back(group);
        released = true;
    }
    return released;
}

bool Reconvergence::merge(std::size_t first, std::size_t second) {
    if (groups_[first].join != groups_[second].join) return false;
    groups_[first].mask |= groups_[second].mask;
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(second));
    if (current_ == second) current_ = first;
    if (current_ > second) --current_;
    return true;
}

/// The last group takes the place of the current one.
void Reconvergence::remove_current() {
    std::swap(groups_[current_], groups_.back());
    groups_.pop_back();
    if (current_ == groups_.size()) current_ = 0;
}

void Reconvergence::remove_lanes(LaneMask lanes) {
    current().mask &= ~lanes;
    if (current().mask == 0) remove_current();
}

/// Ends the wait at a join if everybody has come: they go on as one group.
void Reconvergence::settle(JoinIndex index) {
    Join& join = joins_[index];
    if (join.arrived != join.expected) return;
    if (join.expected != 0) {
        Group group;
        group.pc = join.pc;
        group.mask = join.arrived;
        group.join = join.parent;
        group.activation = join.activation;
        group.waits = join.waits;
        groups_.push_back(group);
    }
    release_join(index);
}

JoinIndex Reconvergence::new_join() {
    if (!free_joins_.empty()) {
        const JoinIndex index = free_joins_.back();
        free_joins_.pop_back();
        return index;
    }
    joins_.emplace_back();
    return static_cast<JoinIndex>(joins_.size() - 1);
}

void Reconvergence::release_join(JoinIndex join) {
    free_joins_.push_back(join);
}

/// Joins from `from` up to, not including, `to` no longer wait for `lanes`.
void Reconvergence::leave(JoinIndex from, JoinIndex to, LaneMask lanes) {
    for (JoinIndex index = from; index != to;) {
        const JoinIndex parent = joins_[index].parent;
        joins_[index].expected &= ~lanes;
        settle(index);
        index = parent;
    }
}

}  // namespace lanes::emulator
