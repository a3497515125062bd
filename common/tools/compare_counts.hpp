/// @file
/// @brief Two counts files of one program, of different devices: what was counted differently.
#pragma once

#include <string>
#include <vector>

#include "json_file.hpp"

namespace lanes::tools {

/// What a comparison came to.
struct CountsComparison {
    std::size_t compared = 0;              ///< pairs of counts
    std::vector<std::string> differences;  ///< a sentence each
};

/// @brief Compares counts case by case.
/// @param first    a counts file
/// @param second   another of the same program
/// @param counters what to compare; if empty, every counter that both files have for a case
/// @param predicted instead, what each case of the first file predicts: these counts hold on any device
/// @return the differences: other counts, other parameters, a case or a counter asked for that one file lacks
/// @throws std::runtime_error if the files are of different programs or there is nothing to compare
CountsComparison compare_counts(const Json& first, const Json& second, const std::vector<std::string>& counters,
                                bool predicted = false);

}  // namespace lanes::tools
