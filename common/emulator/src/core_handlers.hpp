/// @file
/// @brief Handlers of the few data operations that need to know the core.
#pragma once

#include "execution.hpp"

namespace lanes::emulator {

/// nanosleep: time passes by itself.
void execute_nothing(Warp& warp, const Operation& operation, LaneMask lanes);

/// mov from %clock, %clock64 or %globaltimer: the number of instructions the warp has executed. A real time would make
/// runs differ. `immediate` is the number of bits to shift out.
template <typename T>
void execute_clock(Warp& warp, const Operation& operation, LaneMask lanes);

/// mov of the address of a variable in a frame on the stack: source[0] is the frame's begin, `immediate` the offset.
template <typename T>
void execute_frame_address(Warp& warp, const Operation& operation, LaneMask lanes);

extern template void execute_clock<std::uint32_t>(Warp&, const Operation&, LaneMask);
extern template void execute_clock<std::uint64_t>(Warp&, const Operation&, LaneMask);
extern template void execute_frame_address<std::uint32_t>(Warp&, const Operation&, LaneMask);
extern template void execute_frame_address<std::uint64_t>(Warp&, const Operation&, LaneMask);

}  // namespace lanes::emulator
