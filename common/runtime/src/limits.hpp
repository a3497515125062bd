/// @file
/// @brief What cudaDeviceSetLimit keeps.
#pragma once

namespace lanes::runtime {

/// Sets all limits back to what a new process finds.
void reset_limits();

}  // namespace lanes::runtime
