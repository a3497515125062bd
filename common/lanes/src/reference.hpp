/// @file
/// @brief What the emulator counts, checks and finds, as tables for people: `lanes counters`, `lanes checks`,
/// `lanes faults`.
#pragma once

#include <string>

namespace lanes {

/// A row a counter: its name in reports, how far it can be trusted against hardware, and what it counts.
std::string counter_table();

/// A row a check that can be chosen with `--checks`: its name, whether it is on by default, and what it finds.
std::string check_table();

/// A row a kind of fault: its name in reports, its severity, and what is wrong.
std::string fault_table();

}  // namespace lanes
