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

/// How far a block got.
enum class BlockProgress : std::uint8_t {
    finished,  ///< all its threads have left
    going,     ///< something happened, and it is not at its end
    waiting,   ///< nothing of it can go on
    stopped    ///< an error, in it or in a block before it
};

/// A worker's registers, shared and local memory, used for one block after the other.
class BlockRunner {
public:
    /// @param counters  of this worker, one set for each operation
    BlockRunner(LaunchState& launch, OperationCounters& counters);

    /// Runs block `number` to its end, or to the first error in it or in a block before it.
    void run(std::uint64_t number);

    /// Puts block `number` at its beginning.
    void start(std::uint64_t number);
    /// Gives each warp of the block a turn; with a random schedule, one of them.
    BlockProgress advance();
    /// The block.
    RunningBlock& block() { return block_; }

private:
    void prepare_warp(std::uint32_t index);
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
