/// @file
/// @brief How much memory this machine can spare for device memory.
#pragma once

#include <cstdint>

namespace lanes::runtime {

/// Three quarters of the machine's memory, or of what this process's control group may have: device memory beyond it
/// would end with the process killed instead of an error.
std::uint64_t host_capacity();

}  // namespace lanes::runtime
