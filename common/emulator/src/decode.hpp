/// @file
/// @brief Turns PTX functions into a Program: operations on rows, with all names resolved.
#pragma once

#include "linked_modules.hpp"

namespace lanes::emulator {

/// Decodes a kernel and every function it can reach. What cannot be decoded becomes an operation that is a fault when
/// a thread gets there.
Kernel decode_kernel(const LinkedModules& linked, const Definition& kernel);

}  // namespace lanes::emulator
