/// @file
/// @brief The basic blocks of a decoded function.
#pragma once

#include <cstdint>
#include <vector>

#include "control_flow.hpp"
#include "execution.hpp"

namespace lanes::emulator {

/// Operations [begin, end) of a program, cut where a branch goes to, and behind each operation that may not go on to
/// the next one.
class BasicBlocks {
public:
    BasicBlocks(const Program& program, std::uint32_t begin, std::uint32_t end);

    std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size()); }
    /// First operation of a block, and the one behind its last.
    std::uint32_t begin(std::uint32_t block) const { return first_[block]; }
    std::uint32_t end(std::uint32_t block) const { return block + 1 < count() ? first_[block + 1] : end_; }
    /// The block that holds an operation.
    std::uint32_t block_of(std::uint32_t operation) const;
    /// Which block may follow which.
    const FlowGraph& graph() const { return graph_; }

private:
    void add_successors(std::uint32_t block);

    const Program& program_;
    std::uint32_t end_;
    std::vector<std::uint32_t> first_;
    FlowGraph graph_;
};

}  // namespace lanes::emulator
