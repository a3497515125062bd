/// @file
/// @brief Where the emulator's libcudart is.
#pragma once

#include <lanes/emulator/result.hpp>

#include <map>
#include <string>

namespace lanes {

/// Name of the emulator's library: that of the CUDA version it was built with.
inline const std::string library_name = "libcudart.so." LANES_CUDART_MAJOR;

/// Finds the emulator's library: in the folder LANES_EMULATOR if that is set, else beside this command, in
/// ../lib/emulator.
/// @return its path, or an error that says where it was looked for
emulator::Result<std::string> find_emulator_library();

/// The variables with which a program runs on the emulator.
/// @param library  what find_emulator_library found
/// @param report   file that gets a line of JSON an event
/// @return names and values, for environment_with
std::map<std::string, std::string> emulator_variables(const std::string& library, const std::string& report);

}  // namespace lanes
