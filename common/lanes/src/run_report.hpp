/// @file
/// @brief What the emulator wrote about a run, read back.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace lanes {

/// The report of a run: the events that the emulator's libcudart wrote, by kind, in order.
struct RunReport {
    nlohmann::json device;                 ///< null if the program made no CUDA call
    std::vector<nlohmann::json> launches;  ///< in the order in which they ended
    std::vector<nlohmann::json> faults;    ///< likewise
    std::vector<nlohmann::json> leaks;     ///< at the end of the process, if the check was on
    std::string incomplete;                ///< why the emulator could not write all events, or empty

    /// Number of faults of severity error that the program did not announce.
    std::size_t unexpected_errors() const;
};

/// Reads a report.
/// @param path  a file of one JSON object a line; a last line that a crash cut off is left out
/// @return the report; empty if there is no such file
RunReport read_report(const std::string& path);

/// The report as `lanes run --json` writes it.
/// @param report     what happened
/// @param version    of lanes
/// @param program    the program and its arguments
/// @param exit_code  the program's own
nlohmann::json report_as_json(const RunReport& report, const std::string& version,
                              const std::vector<std::string>& program, int exit_code);

}  // namespace lanes
