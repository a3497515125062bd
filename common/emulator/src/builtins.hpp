/// @file
/// @brief Device functions that the emulator itself provides: printf, assert, malloc, free.
#pragma once

#include "running_warp.hpp"

namespace lanes::emulator {

/// Executes a call of a built-in function for the current group.
void call_builtin(RunningBlock& block, RunningWarp& warp, const Operation& operation, const CallSite& call);

}  // namespace lanes::emulator
