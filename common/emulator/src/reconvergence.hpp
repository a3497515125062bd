/// @file
/// @brief Which lanes of a warp are where: groups that run, and joins where groups wait for each other.
///
/// This is not a stack. A branch whose lanes go two ways makes two groups, and a join at the place where the ways meet.
/// Any group may run next, so lanes that wait for each other by a lock make progress in the end. A group that gets to
/// its join waits there until all lanes that the join expects have come, or left the program.
#pragma once

#include <cstdint>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

using JoinIndex = std::int32_t;
inline constexpr JoinIndex no_join = -1;
/// Index of an activation of a device function; `in_kernel` outside of all.
using ActivationIndex = std::int32_t;
inline constexpr ActivationIndex in_kernel = -1;
inline constexpr std::uint32_t no_operation = 0xffffffffu;

/// What a group of lanes does.
enum class GroupState : std::uint8_t {
    runnable,
    at_warp_sync,        ///< at a bar.warp.sync or .sync exchange: waits for lanes its mask names
    at_partial_barrier,  ///< at an aligned barrier: waits for the rest of its warp
    at_barrier           ///< has arrived at a barrier of the block
};

/// Lanes that execute together.
struct Group {
    std::uint32_t pc = 0;  ///< next operation
    LaneMask mask = 0;
    JoinIndex join = no_join;
    ActivationIndex activation = in_kernel;
    GroupState state = GroupState::runnable;
    std::uint32_t barrier = 0;  ///< id, if at_barrier
    std::uint32_t waits = 0;    ///< turns of a loop that may wait for others, since a lane last left it
};

/// A place where groups meet.
struct Join {
    std::uint32_t pc = 0;  ///< where they go on
    LaneMask expected = 0;
    LaneMask arrived = 0;
    JoinIndex parent = no_join;              ///< the join of the group that goes on
    ActivationIndex activation = in_kernel;  ///< and its activation
    bool of_call = false;                    ///< reached by returning, not by getting to `pc`
    std::uint32_t waits = 0;                 ///< Group::waits of the group that made the join
};

/// The groups and joins of one warp. One group is current; all references are invalid after any change of groups.
class Reconvergence {
public:
    /// All `lanes` together at operation `pc`.
    void start(LaneMask lanes, std::uint32_t pc);

    Group& current() { return groups_[current_]; }
    const std::vector<Group>& groups() const { return groups_; }
    Group& group(std::size_t index) { return groups_[index]; }
    const std::vector<Join>& joins() const { return joins_; }

    /// Where the current group has to stop and `arrive`; `no_operation` if nowhere.
    std::uint32_t stop_pc() const;
    /// Makes the next runnable group, in turn, the current one; false if there is none.
    bool select_next();
    /// Makes group `index` the current one.
    void select(std::size_t index) { current_ = index; }

    /// The lanes `taken` of the current group go to `target`, the others to `next`; both meet at `reconvergence`. The
    /// group that goes to `next` stays the current one. Both sides must have lanes.
    void diverge(LaneMask taken, std::uint32_t target, std::uint32_t next, std::uint32_t reconvergence);
    /// Takes `lanes` out of the current group, to stay at its operation as a group of their own, under the same join.
    void split(LaneMask lanes);
    /// Adds a join at which all lanes of the current group meet; it becomes their join.
    void add_join(std::uint32_t pc, bool of_call);
    /// The current group has got to its join. Afterwards the current group is whatever runs next.
    /// @return false if no group is runnable
    bool arrive();
    /// Lanes of the current group return from their function: joins inside of it wait no longer for them, and they
    /// arrive at the call's join. Afterwards the current group is whatever runs next.
    /// @return false if no group is runnable
    bool return_from_call(LaneMask lanes);
    /// Lanes of the current group leave the program. Afterwards the current group is whatever runs next.
    /// @return false if no group is runnable
    bool exit(LaneMask lanes);
    /// Lets lanes that wait at joins for the current group go on without it: it may be waiting for something that only
    /// they can do. False if none waits.
    bool release_waiting();
    /// Makes one group of two at the same operation under the same join; `first` < `second` keeps its index.
    /// @return false if they have different joins
    bool merge(std::size_t first, std::size_t second);

private:
    void remove_current();
    void remove_lanes(LaneMask lanes);
    void settle(JoinIndex join);
    JoinIndex new_join();
    void release_join(JoinIndex join);
    void leave(JoinIndex from, JoinIndex to, LaneMask lanes);

    std::vector<Group> groups_;
    std::size_t current_ = 0;
    std::vector<Join> joins_;
    std::vector<JoinIndex> free_joins_;
};

}  // namespace lanes::emulator
