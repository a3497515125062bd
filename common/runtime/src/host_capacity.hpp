/// @file
/// @brief How much of this machine the emulator may use.
#pragma once

#include <cstdint>

namespace lanes::runtime {

/// Three quarters of the machine's memory, or of what this process's control group may have: device memory beyond it
/// would end with the process killed instead of an error.
std::uint64_t host_capacity();

/// Threads that this machine runs at once, at least 1.
unsigned host_threads();

}  // namespace lanes::runtime
