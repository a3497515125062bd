/// @file
/// @brief The sentence that a reader sees of a fault.
#pragma once

#include <lanes/emulator/fault.hpp>

#include <string>

namespace lanes::emulator {

/// "matmul_tiled, block (0,1,0), thread (3,4,0), tiling.cu:57: " and then `what`.
std::string fault_text(const Fault& fault, const std::string& what);

}  // namespace lanes::emulator
