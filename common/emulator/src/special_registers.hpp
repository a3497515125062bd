/// @file
/// @brief Values of PTX special registers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "running_warp.hpp"

namespace lanes::emulator {

/// True if the emulator knows a value for the special register.
bool is_known_special(std::string_view name);

/// True if the special register is an address in the shared memory that every block keeps for the system: cooperative
/// groups of several warps meet there.
bool names_reserved_shared(std::string_view name);

/// Fills a program's special rows: those that stay the same for a warp of any block, and those that do not.
class SpecialRegisters {
public:
    explicit SpecialRegisters(const Program& program);

    /// Rows that depend on the launch and the lane only: once for each warp of a worker.
    void fill_constant(RunningWarp& warp) const;
    /// Rows that depend on the block; they are the same in all lanes.
    void fill_for_block(RunningWarp& warp) const;

private:
    using Value = std::uint64_t (*)(const Warp& warp, unsigned lane);
    struct Row {
        Slot slot;
        std::uint32_t width;
        Value value;
    };

    static void put(RunningWarp& warp, const Row& row, unsigned begin, unsigned end, std::uint64_t value);

    std::vector<Row> constant_;
    std::vector<Row> by_block_;
};

}  // namespace lanes::emulator
