/// @file
/// @brief What a launch's workers have counted and found, as one report.
#pragma once

#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// Adds up the counts of all workers, in total and by source line, and keeps the faults that do not depend on how far
/// other workers happened to be: warnings, and the errors of the first block that has one.
LaunchReport make_report(LaunchState& launch, const std::vector<OperationCounters>& counters);

}  // namespace lanes::emulator
