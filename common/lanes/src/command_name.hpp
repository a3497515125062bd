/// @file
/// @brief This command as the person called it: what messages tell them to type.
#pragma once

#include <string>

namespace lanes {

/// The word that this process was started with: "lanes", or "../build/bin/lanes" where it is not in PATH.
/// @return the word; "lanes" if it is not known
std::string command_name();

}  // namespace lanes
