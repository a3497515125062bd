/// @file
/// @brief The tables at the end of `lanes run`.
#pragma once

#include "run_report.hpp"

#include <string>

namespace lanes {

/// What each kernel cost: a row a kernel, launches added up, in the order of first launch.
/// @param report  what happened
/// @return the table; a sentence if nothing was launched
std::string kernel_table(const RunReport& report);

/// What each source line cost, launches added up: a row a line, with its text if the source can be read.
/// @param report  what happened
/// @return the table; a sentence if the kernels have no line information
std::string line_table(const RunReport& report);

}  // namespace lanes
