/// @file
/// @brief Whether this machine has a GPU that a program can use.
#pragma once

#include <string>

namespace lanes {

/// Asks NVIDIA's driver, as every CUDA program does; it knows what CUDA_VISIBLE_DEVICES hides.
/// @return why no GPU can be used, or empty if one can
std::string gpu_obstacle();

}  // namespace lanes
