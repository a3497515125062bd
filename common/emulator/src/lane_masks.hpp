/// @file
/// @brief Small questions about lane masks.
#pragma once

#include <bit>

#include "execution.hpp"

namespace lanes::emulator {

/// The lowest lane of a mask that is not 0.
inline unsigned first_lane(LaneMask lanes) {
    return static_cast<unsigned>(std::countr_zero(lanes));
}

/// Calls `visit(lane)` for each lane of a mask, in order.
template <typename Visit>
void for_each_lane(LaneMask lanes, const Visit& visit) {
    for (LaneMask left = lanes; left != 0; left &= left - 1) visit(first_lane(left));
}

}  // namespace lanes::emulator
