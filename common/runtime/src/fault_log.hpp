/// @file
/// @brief Says faults: to the person at once, to the report, and to whoever counts them.
#pragma once

#include "report.hpp"

#include <lanes/emulator/fault.hpp>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

namespace lanes::runtime {

/// The faults of this process. Safe to use from several threads.
class FaultLog {
public:
    /// @param report  gets a line for each fault
    explicit FaultLog(ReportFile& report) : report_(report) {}

    /// Counts a fault, adds it to the report, and prints it to stderr unless one of the same kind, kernel and lines
    /// was printed before.
    void add(const emulator::Fault& fault);

    /// From here on, whether faults are part of the program's plan.
    void expect(bool expected);

    /// Number of faults so far, the expected ones among them.
    std::uint64_t count(emulator::Severity severity) const;

private:
    mutable std::mutex mutex_;
    ReportFile& report_;
    bool expected_ = false;
    std::uint64_t errors_ = 0;
    std::uint64_t warnings_ = 0;
    std::set<std::string> printed_;  ///< kinds and places
};

/// Prints one line to stderr, after what the program has printed to stdout: "lanes: error: TEXT".
/// @param severity  "error" or "warning"
/// @param text      what to say, without a line break at its end
void print_message(const char* severity, const std::string& text);

}  // namespace lanes::runtime
