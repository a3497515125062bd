/// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001), on the reversed graph.

#include "control_flow.hpp"

#include <algorithm>
#include <cstddef>

namespace lanes::emulator {

namespace {

using NodeList = std::vector<std::uint32_t>;

std::vector<NodeList> predecessors_of(const FlowGraph& graph) {
    std::vector<NodeList> predecessors(graph.successors.size());
    for (std::uint32_t node = 0; node < graph.successors.size(); ++node) {
        for (const std::uint32_t next : graph.successors[node]) predecessors[next].push_back(node);
    }
    return predecessors;
}

NodeList leaving_nodes(const FlowGraph& graph) {
    NodeList leaving;
    for (std::uint32_t node = 0; node < graph.successors.size(); ++node) {
        if (graph.successors[node].empty()) leaving.push_back(node);
    }
    return leaving;
}

/// Post-dominator tree for a given set of ends. A virtual end, numbered behind the nodes, follows all of them.
class PostDominators {
public:
    PostDominators(const FlowGraph& graph, const std::vector<NodeList>& predecessors, const NodeList& ends)
        : graph_(graph),
          predecessors_(predecessors),
          virtual_end_(static_cast<std::uint32_t>(graph.successors.size())),
          is_end_(virtual_end_, false),
          rank_(virtual_end_ + 1, no_node),
          parent_(virtual_end_ + 1, no_node) {
        for (const std::uint32_t end : ends) is_end_[end] = true;
        number_from(ends);
        while (improve()) {
        }
    }

    bool reaches_end(std::uint32_t node) const { return rank_[node] != no_node; }
    std::uint32_t parent(std::uint32_t node) const { return parent_[node] == virtual_end_ ? no_node : parent_[node]; }

private:
    /// Ranks nodes in postorder of a depth-first walk against the edges: the virtual end has the highest rank.
    void number_from(const NodeList& ends) {
        struct Visit {
            std::uint32_t node;
            const NodeList* next;
            std::size_t position;
        };
        std::vector<bool> seen(virtual_end_ + 1, false);
        std::vector<Visit> stack{{virtual_end_, &ends, 0}};
        while (!stack.empty()) {
            Visit& visit = stack.back();
            if (visit.position == visit.next->size()) {
                rank_[visit.node] = static_cast<std::uint32_t>(order_.size());
                order_.push_back(visit.node);
                stack.pop_back();
                continue;
            }
            const std::uint32_t node = (*visit.next)[visit.position++];
            if (seen[node]) continue;
            seen[node] = true;
            stack.push_back({node, &predecessors_[node], 0});
        }
        parent_[virtual_end_] = virtual_end_;
    }

    /// One pass over all nodes, those near the end first; false if nothing changed.
    bool improve() {
        bool changed = false;
        for (std::size_t i = order_.size() - 1; i-- > 0;) {
            const std::uint32_t node = order_[i];
            const std::uint32_t parent = common_of_successors(node);
            if (parent_[node] == parent) continue;
            parent_[node] = parent;
            changed = true;
        }
        return changed;
    }

    std::uint32_t common_of_successors(std::uint32_t node) const {
        std::uint32_t common = is_end_[node] ? virtual_end_ : no_node;
        for (const std::uint32_t next : graph_.successors[node]) {
            if (parent_[next] == no_node) continue;
            common = common == no_node ? next : nearest_common(common, next);
        }
        return common;
    }

    std::uint32_t nearest_common(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            if (rank_[a] < rank_[b]) {
                a = parent_[a];
            } else {
                b = parent_[b];
            }
        }
        return a;
    }

    const FlowGraph& graph_;
    const std::vector<NodeList>& predecessors_;
    std::uint32_t virtual_end_;
    std::vector<bool> is_end_;
    std::vector<std::uint32_t> rank_;
    std::vector<std::uint32_t> parent_;
    NodeList order_;
};

}  // namespace

std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph) {
    std::vector<std::uint32_t> result(graph.successors.size(), no_node);
    const NodeList ends = leaving_nodes(graph);
    if (ends.empty()) return result;
    const std::vector<NodeList> predecessors = predecessors_of(graph);
    const PostDominators by_last(graph, predecessors, {ends.back()});
    const PostDominators by_all(graph, predecessors, ends);
    for (std::uint32_t node = 0; node < result.size(); ++node) {
        result[node] = by_last.reaches_end(node) ? by_last.parent(node) : by_all.parent(node);
        if (!by_last.reaches_end(node) && !by_all.reaches_end(node)) result[node] = no_node;
    }
    return result;
}

}  // namespace lanes::emulator
