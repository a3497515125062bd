/// @file
/// @brief `lanes ptx`: the PTX that a program brings along.
#pragma once

#include <string>

namespace lanes {

/// Prints the PTX that a device would be given.
/// @param program  the program's file, or its name for a shell
/// @param device   "sm_89"
/// @return the exit status: 0, or status_usage if there is no such PTX
int print_ptx(const std::string& program, const std::string& device);

}  // namespace lanes
