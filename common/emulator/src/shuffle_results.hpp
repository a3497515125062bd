/// @file
/// @brief Whether a program may throw away what a shuffle gave it.
///
/// A lane may take a value from a lane that does not offer one, and then not use it: `v = there ? v + other : v`. That
/// is correct, and the compiler makes an addition and a selection of it. So a value from nowhere is only a mistake
/// where it is certain to be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanes/emulator/ptx.hpp>

namespace lanes::emulator {

/// The shuffles of one function.
class ShuffleResults {
public:
    explicit ShuffleResults(const ptx::Function& function);

    /// True if the value of a shuffle may go unused in a lane: all that is made of it is chosen by a predicate that
    /// does not depend on it, or lies behind a conditional branch.
    /// @param shuffle  index of the instruction
    /// @param end  behind the last instruction of its basic block
    bool may_be_dropped(std::size_t shuffle, std::size_t end) const;

private:
    using Registers = std::vector<std::int32_t>;  // indices

    bool is_read_elsewhere(const Registers& registers, std::size_t begin, std::size_t end) const;

    const ptx::Function& function_;
    std::vector<std::uint32_t> reads_;  // by register: how many instructions read it
};

}  // namespace lanes::emulator
