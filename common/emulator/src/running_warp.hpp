/// @file
/// @brief Warps and blocks while they run: what the core keeps beside what handlers see.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "barrier.hpp"
#include "execution.hpp"
#include "random.hpp"
#include "reconvergence.hpp"

namespace lanes::emulator {

/// Lanes that are inside of one call of a device function.
struct Activation {
    std::uint32_t function = 0;  ///< index into Program::functions
    std::uint32_t call = 0;      ///< index into Program::calls
    ActivationIndex caller = in_kernel;
    std::uint32_t depth = 1;
    LaneMask lanes = 0;                 ///< that have neither returned nor exited
    std::vector<std::byte> saved_rows;  ///< the function's rows before the call, if it is recursive
};

/// A warp of a running block.
struct RunningWarp : Warp {
    Reconvergence control;
    std::vector<Activation> activations;
    std::vector<ActivationIndex> free_activations;
    std::array<std::uint32_t, warp_size> stack_used{};  ///< bytes of each lane's stack
    std::uint64_t issued = 0;                           ///< instructions
    std::uint32_t patience = 0;  ///< turns of a loop after which lanes that wait for it go on without it
};

/// A block on one worker. The warps are those of the launch's blocks, one block after the other.
struct RunningBlock : Block {
    std::vector<RunningWarp> warps;
    std::array<BlockBarrier, barrier_count> barriers{};
    OperationCounters* counters = nullptr;
    std::uint64_t budget = 0;  ///< instructions a warp may issue
    Random random;
    const Operation* first_exit = nullptr;  ///< where the first thread left the kernel
    std::uint32_t exited_threads = 0;
    bool warned_of_exit = false;  ///< said once a block
    bool warned_of_lines = false;
};

}  // namespace lanes::emulator
