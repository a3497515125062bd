/// @file
/// @brief Launches with their counts, whoever counted them.
#pragma once

#include <string>
#include <vector>

#include "json_file.hpp"

namespace lanes::tools {

/// One kernel launch.
struct CountedLaunch {
    std::string kernel;              ///< demangled name
    Json counters = Json::object();  ///< number by Nsight Compute's base name
    Json lines = Json::array();      ///< counts by source line; empty unless the emulator counted
};

/// @brief Reads the report that `lanes run --json` writes.
/// @param report the report
/// @param path   its file, for messages
/// @return the launches in order
/// @throws std::runtime_error if it is no such report, or a launch failed
std::vector<CountedLaunch> launches_of_emulator(const Json& report, const std::string& path);

}  // namespace lanes::tools
