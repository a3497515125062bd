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

}  // namespace lanes::emulator
