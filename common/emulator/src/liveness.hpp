/// @file
/// @brief When the value of a register is needed: registers that are needed at different times can share a row.
///
/// A lane reads and writes its own column of a row only. So what matters is the way of one lane through the function,
/// and divergence needs no thought here.
#pragma once

#include <cstdint>
#include <vector>

#include "basic_blocks.hpp"

namespace lanes::emulator {

/// An operation reads or writes a register.
struct RegisterAccess {
    std::uint32_t operation = 0;
    std::uint32_t reg = 0;
    bool writes = false;
    bool guarded = false;  ///< a write that may not happen: the old value may still be needed
};

/// Operations between which a register's value may be needed, both included.
struct LiveRange {
    std::uint32_t begin = 0xffffffffu;
    std::uint32_t end = 0;
    bool at_entry = false;  ///< may be read before it is written

    bool empty() const { return begin > end; }
    void include(std::uint32_t operation) {
        begin = operation < begin ? operation : begin;
        end = operation > end ? operation : end;
    }
};

/// Live range of each register of a function. If the function is so large that the analysis would take long, every
/// register is live everywhere.
/// @param accesses  in order of operations
std::vector<LiveRange> live_ranges(const BasicBlocks& blocks, const std::vector<RegisterAccess>& accesses,
                                   std::uint32_t registers);

}  // namespace lanes::emulator
