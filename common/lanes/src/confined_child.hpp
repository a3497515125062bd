/// @file
/// @brief Runs a program that reads what a stranger wrote: with limits, and with nothing of ours but what it is given.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes {

/// What one program may use. The system ends it where it goes beyond.
struct Limits {
    std::chrono::seconds time{0};    ///< of the processor, for each process; of the clock, three times as much in all
    std::uint64_t memory_bytes = 0;  ///< of address space, for each process; 0 for no limit
    std::uint64_t output_bytes = 0;  ///< of every file that is written
};

/// How a confined program ended.
struct ConfinedResult {
    int status = 0;           ///< its exit status, or 128 + the signal that ended it
    bool timed_out = false;   ///< it was ended at the limit of time
    std::string start_error;  ///< why it could not be started, or empty
};

/// @brief Runs a program to its end, in a process group of its own that is gone afterwards.
///
/// It inherits no file but the one for its output, and no variable of the environment. Safe from many threads at once.
/// @param command      the program's path and its arguments
/// @param environment  "NAME=value" texts, all that it gets
/// @param limits       what it may use
/// @param output       file that takes stdout and stderr; it is emptied first
ConfinedResult run_confined(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                            const Limits& limits, const std::string& output);

}  // namespace lanes
