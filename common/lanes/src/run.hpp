/// @file
/// @brief `lanes run`: a program on the emulator, and what it cost.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// What `lanes run` was asked to do.
struct RunRequest {
    std::map<std::string, std::string> variables;  ///< LANES_ variables that the options stand for
    std::optional<std::string> json;               ///< file for the report, if there is to be one
    bool lines = false;                            ///< print the table of source lines
    std::vector<std::string> program;              ///< the program and its arguments
};

/// Runs a program on the emulator; prints what it cost to stderr.
/// @param request  what to do
/// @return the exit status: the program's own; status_faults if that is 0 and a kernel had an unexpected error;
///         128 + n if signal n ended the program; status_usage if it could not be run
int run(const RunRequest& request);

}  // namespace lanes
