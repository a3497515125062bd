/// @file
/// @brief `lanes device`: the devices that can be emulated.
#pragma once

#include <string>

namespace lanes {

/// A table of the emulated devices: a row a profile, and what is printed about its numbers.
std::string device_table();

}  // namespace lanes
