/// @file
/// @brief The hints of an exercise, from a nudge to nearly the answer.
#pragma once

#include <string>
#include <vector>

namespace lanes {

/// Splits a file of hints: each begins with a line "## ", which is left out.
/// @param text  of hints.md
/// @return the hints in order, without blank lines around them
std::vector<std::string> hints_in(const std::string& text);

}  // namespace lanes
