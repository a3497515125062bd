/// @file
/// @brief Launches whose blocks may wait for each other.
#pragma once

#include <string>

#include "execution.hpp"

namespace lanes::emulator {

/// Runs all blocks of a launch side by side, in turns, to their end or to the first error.
/// @param launch    the launch; its workspace is set while it runs
/// @param counters  of all blocks
/// @return what stood in the way, as the complaint of a refused launch, or empty
std::string run_together(LaunchState& launch, OperationCounters& counters);

}  // namespace lanes::emulator
