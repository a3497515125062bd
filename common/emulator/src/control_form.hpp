/// @file
/// @brief Which forms of branches, calls, barriers and ways to leave there are.
#pragma once

#include <lanes/emulator/ptx.hpp>

namespace lanes::emulator {

/// True for "bar.sync" and "barrier.cta.red.and.aligned.pred", false for "bar.red.xor.pred" and for clusters' barriers.
bool is_control_form(const ptx::Instruction& instruction);

}  // namespace lanes::emulator
