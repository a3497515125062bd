/// @file
/// @brief Cases of a program and counts of its launches, put together.
#pragma once

#include <string>
#include <vector>

#include "counted_launches.hpp"

namespace lanes::tools {

/// @brief Gives each case the counts of the launch with the same number.
/// @param times      what the program wrote with `--counts --json`
/// @param launches   as many as there are cases
/// @param counted_by "emulator" or the profiler's name and version
/// @return a file of the schema `thirty-two-lanes/counts/1`
/// @throws std::runtime_error if the numbers or a kernel's base name differ, or a prediction was not counted or is
///         not what was counted
Json merge_counts(const Json& times, const std::vector<CountedLaunch>& launches, const std::string& counted_by);

}  // namespace lanes::tools
