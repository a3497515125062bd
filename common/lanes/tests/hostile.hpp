/// @file
/// @brief Submissions that attack the grader, or are no programs at all.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lanes::tests {

/// One of them.
struct Hostile {
    std::string student;  ///< named after what it tries
    std::string grade;    ///< what must be reported
    std::string words;    ///< that the message must contain, or empty
    std::string text;     ///< of the file; if empty, `make` makes it, or there is none
    std::function<void(const std::string& file)> make = nullptr;  ///< makes what is no plain file
};

/// All of them, for the exercise 13_column_sums.
/// @param root      the checkout
/// @param solution  that passes
/// @param trace     a file that host code would leave behind if it ran
std::vector<Hostile> hostile_submissions(const std::string& root, const std::string& solution,
                                         const std::string& trace);

}  // namespace lanes::tests
