/// @file
/// @brief What a report of a deadlock asks about groups that wait inside their warp.
#pragma once

#include "running_warp.hpp"

namespace lanes::emulator {

/// Living lanes that the first lane of a group at a warp-level operation names, and that are not in its group.
LaneMask missing_lanes(RunningWarp& warp, const Operation& operation, const Group& group);

}  // namespace lanes::emulator
