/// Lanes that leave the kernel.

#include <bit>

#include "interpret.hpp"

namespace lanes::emulator {

bool step_exit(RunningBlock& block, RunningWarp& warp, const Operation& operation, LaneMask lanes) {
    ++warp.control.current().pc;  // of the lanes that stay
    leave_activations(warp, warp.control.current().activation, lanes);
    warp.live &= ~lanes;
    if (block.first_exit == nullptr) block.first_exit = &operation;
    block.exited_threads += static_cast<std::uint32_t>(std::popcount(lanes));
    const bool runnable = warp.control.exit(lanes);
    if (runnable && warp.control.groups().size() == 1) return true;
    release_synchronised(block, warp);
    release_barriers(block, warp);
    return !warp.control.groups().empty() && warp.control.select_next();
}

}  // namespace lanes::emulator
