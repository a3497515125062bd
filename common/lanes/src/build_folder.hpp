/// @file
/// @brief The build that this command belongs to.
#pragma once

#include <filesystem>

namespace lanes {

/// The folder above that of this command: build, if the command is build/bin/lanes.
std::filesystem::path build_folder();

}  // namespace lanes
