/// @file
/// @brief Runs blocks of a launch on one worker.
#pragma once

#include <memory>

#include "running_warp.hpp"
#include "special_registers.hpp"

namespace lanes::emulator {

/// Memory that begins at a multiple of 64 bytes.
class AlignedBytes {
public:
    explicit AlignedBytes(std::size_t bytes);
    std::byte* data() const { return bytes_.get(); }

private:
    struct Free {
        void operator()(std::byte* bytes) const;
    };
    std::unique_ptr<std::byte, Free> bytes_;
};

/// A worker's registers, shared and local memory, used for one block after the other.
class BlockRunner {
public:
    /// @param counters  of this worker, one set for each operation
    BlockRunner(LaunchState& launch, OperationCounters& counters);

    /// Runs block `number` to its end, or to the first error in it or in a block before it.
    void run(std::uint64_t number);

private:
    void prepare_warp(std::uint32_t index);
    void start(std::uint64_t number);
    void fill_frames();
    bool take_turns_in_order();
    bool take_random_turn();

    LaunchState& launch_;
    RunningBlock block_;
    SpecialRegisters specials_;
    std::uint32_t shared_bytes_;
    std::uint64_t local_stride_;
    AlignedBytes registers_;
    AlignedBytes shared_;
    AlignedBytes local_;
};

}  // namespace lanes::emulator
