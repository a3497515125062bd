#include "core_handlers.hpp"

#include "running_warp.hpp"

namespace lanes::emulator {

void execute_nothing(Warp&, const Operation&, LaneMask) {}

template <typename T>
void execute_clock(Warp& warp, const Operation& operation, LaneMask lanes) {
    const std::uint64_t clock = static_cast<const RunningWarp&>(warp).issued;
    T* const destination = warp.row<T>(operation.destination);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1) != 0) destination[lane] = static_cast<T>(clock >> operation.immediate);
    }
}

template <typename T>
void execute_frame_address(Warp& warp, const Operation& operation, LaneMask lanes) {
    const std::uint64_t* const frame = warp.row<std::uint64_t>(operation.source[0]);
    T* const destination = warp.row<T>(operation.destination);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1) == 0) continue;
        destination[lane] = static_cast<T>(frame[lane] + static_cast<std::uint64_t>(operation.immediate));
    }
}

template void execute_clock<std::uint32_t>(Warp&, const Operation&, LaneMask);
template void execute_clock<std::uint64_t>(Warp&, const Operation&, LaneMask);
template void execute_frame_address<std::uint32_t>(Warp&, const Operation&, LaneMask);
template void execute_frame_address<std::uint64_t>(Warp&, const Operation&, LaneMask);

}  // namespace lanes::emulator
