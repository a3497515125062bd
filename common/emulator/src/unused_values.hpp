/// @file
/// @brief Whether what a load gives is looked at: bytes that nobody has set may be loaded, if nothing comes of them.
#pragma once

#include <cstdint>

#include "execution.hpp"

namespace lanes::emulator {

/// True if byte `offset` of a lane's access goes to an element of a vector that no instruction reads.
bool is_discarded(const Program& program, const Operation& load, std::uint64_t offset);

/// True if what the load gives is stored again and not used otherwise, as far as the straight line of instructions
/// behind it shows: a structure is copied, its padding too.
bool is_only_copied(const Program& program, const Operation& load);

}  // namespace lanes::emulator
