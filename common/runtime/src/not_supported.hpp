/// @file
/// @brief Calls of the toolkit's libcudart that the emulator does not have.
///
/// The build compares the toolkit's own list of exports with ours and makes an entry point for each that is missing:
/// a program then starts, and hears what is missing when it calls it.
#pragma once

namespace lanes::runtime {

/// Says once which call is missing.
/// @param call  its name
/// @return cudaErrorNotSupported, which is also the thread's last error then
int not_supported(const char* call) noexcept;

}  // namespace lanes::runtime
