/// @file
/// @brief The interpreter loop, and the steps it takes at operations that change which lanes are where.
///
/// A step is called with the current group of the warp at `operation`. It leaves some runnable group as the current
/// one, with its `pc` at what it executes next, and returns true; or it returns false because no group can run.
#pragma once

#include "running_warp.hpp"

namespace lanes::emulator {

/// How a warp's turn ended.
enum class Turn : std::uint8_t {
    finished,  ///< all lanes have left
    waiting,   ///< nothing can run until another warp does something
    yielded,   ///< it could go on, but others should have a turn
    stopped    ///< an error
};

/// A warp's patience before it has needed any. Loops that wait for nobody seldom turn so often while a part of their
/// lanes waits behind them, and they should reconverge.
inline constexpr std::uint32_t initial_patience = 4096;

/// True if the block must not go on: an error in it, or in one before it.
bool must_stop(const RunningBlock& block);
/// Raises a fault if the warp has executed more than it may. Asked whenever it goes back in the program.
bool exceeds_budget(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes);

/// Runs the warp until its turn ends.
Turn take_turn(RunningBlock& block, RunningWarp& warp);

// branch.cpp
bool step_branch(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes);
bool step_indexed_branch(RunningBlock& block, RunningWarp& warp, const Operation& operation);
// call.cpp
bool step_call(RunningBlock& block, RunningWarp& warp, const Operation& operation);
bool step_return(RunningBlock& block, RunningWarp& warp, LaneMask lanes);
/// Takes lanes that leave the program out of their activations.
void leave_activations(RunningWarp& warp, ActivationIndex innermost, LaneMask lanes);
// exit.cpp
bool step_exit(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes);
// warp_synchronisation.cpp
bool step_warp_synchronisation(RunningBlock& block, RunningWarp& warp, const Operation& operation);
/// Lets groups go on whose wait at a warp-level operation is over. Call it when lanes have left.
void release_synchronised(RunningBlock& block, RunningWarp& warp);
// block_barrier.cpp
bool step_barrier(RunningBlock& block, RunningWarp& warp, const Operation& operation);
/// Lets groups go on whose barrier is complete. Call it when lanes have left.
void release_barriers(RunningBlock& block, RunningWarp& warp);
// deadlock.cpp
/// Reports why no warp of the block can go on.
void report_deadlock(RunningBlock& block);

}  // namespace lanes::emulator
