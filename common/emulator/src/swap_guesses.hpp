/// @file
/// @brief Loads that guess what a compare-and-swap will find.
///
/// `old = *p; do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (old != assumed);` is how the CUDA
/// guide makes atomic operations that the hardware lacks. The load is not atomic, and need not be: other threads may
/// update the word meanwhile, and a stale value only costs another turn.
#pragma once

#include <cstddef>
#include <vector>

#include <lanes/emulator/ptx.hpp>

namespace lanes::emulator {

/// The loads of a function whose values reach, by moves alone, the value that a compare-and-swap expects: indices of
/// instructions.
std::vector<std::size_t> swap_guesses(const ptx::Function& function);

}  // namespace lanes::emulator
