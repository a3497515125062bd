/// @file
/// @brief What a launch must satisfy before anything runs.
#pragma once

#include <string>

#include "execution.hpp"

namespace lanes::emulator {

/// What is wrong with a launch: what was asked, what the limit is. Empty if nothing is.
std::string launch_complaint(const Kernel& kernel, const LaunchConfig& config);

}  // namespace lanes::emulator
