/// @file
/// @brief Where diverged lanes meet again: immediate post-dominators of a flow graph.
#pragma once

#include <cstdint>
#include <vector>

namespace lanes::emulator {

/// No node: the lanes do not meet again in this function.
inline constexpr std::uint32_t no_node = 0xffffffffu;

/// A flow graph: node i is followed by one of successors[i]. A node without successors leaves the function; one that
/// never goes on, such as a trap, follows itself.
struct FlowGraph {
    std::vector<std::vector<std::uint32_t>> successors;
};

/// Immediate post-dominator of every node: the first node that every path from it to the function's end passes.
///
/// The end is the last node that leaves. Paths that leave earlier (an early return) do not count, because lanes
/// that take them are waited for by nobody: with `if (i >= n) return;` the others still meet behind the next `if`.
/// Nodes from which only earlier ends can be reached are judged by all of those.
/// @return per node a node, or `no_node` if paths have only the end in common or never reach one
std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph);

}  // namespace lanes::emulator
