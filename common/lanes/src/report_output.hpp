/// @file
/// @brief Where a report goes: tables to stderr, and JSON to a file.
#pragma once

#include "run_report.hpp"
#include "temporary_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// Exit status if the command itself cannot do what it was asked.
inline constexpr int status_usage = 2;
/// Exit status if all went well but the kernels did not.
inline constexpr int status_faults = 3;

/// Says why a command cannot do what it was asked.
/// @param message  what was asked, what was there, what to do
/// @return status_usage
int refuse(const std::string& message);

/// Writes a report as the options `--json` and `--lines` ask.
class ReportOutput {
public:
    /// @param json   the file, if there is to be one; made sure of now, so that no run is wasted
    /// @param lines  whether source lines are printed
    ReportOutput(std::optional<std::string> json, bool lines);

    /// Why the file cannot be written, or empty.
    std::string error() const;

    /// Prints the tables to stderr.
    void print(const RunReport& report) const;

    /// Writes the file, if there is to be one.
    /// @param report     what happened
    /// @param program    the program and its arguments
    /// @param exit_code  the program's own
    /// @return why it failed, or empty
    std::string write(const RunReport& report, const std::vector<std::string>& program, int exit_code);

private:
    std::optional<std::string> json_;
    bool lines_;
    std::unique_ptr<TemporaryFile> file_;  // takes the place of a plain file
    std::string error_;
};

}  // namespace lanes
