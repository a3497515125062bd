#include "control_flow.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace lanes::emulator;

namespace {

/// True if every path from `node` to `end` passes `through`.
bool always_passes(const FlowGraph& graph, std::uint32_t node, std::uint32_t through, std::uint32_t end) {
    std::vector<bool> seen(graph.successors.size(), false);
    std::vector<std::uint32_t> open{node};
    while (!open.empty()) {
        const std::uint32_t here = open.back();
        open.pop_back();
        if (here == through || seen[here]) continue;
        if (here == end) return false;
        seen[here] = true;
        open.insert(open.end(), graph.successors[here].begin(), graph.successors[here].end());
    }
    return true;
}

bool reaches(const FlowGraph& graph, std::uint32_t node, std::uint32_t end) {
    return !always_passes(graph, node, no_node, end);
}

}  // namespace

TEST_CASE("a diamond meets at its bottom") {
    const FlowGraph graph{{{1, 2}, {3}, {3}, {}}};
    CHECK(immediate_post_dominators(graph) == std::vector<std::uint32_t>{3, 3, 3, no_node});
}

TEST_CASE("a loop meets behind it") {
    const FlowGraph graph{{{1}, {1, 2}, {}}};
    CHECK(immediate_post_dominators(graph) == std::vector<std::uint32_t>{1, 2, no_node});
}

TEST_CASE("an early return does not hide the meeting place of those that stay") {
    //  0 -> 1 or 3;  1 -> 2 (returns) or 3;  3 is the last end
    const FlowGraph graph{{{1, 3}, {2, 3}, {}, {}}};
    CHECK(immediate_post_dominators(graph) == std::vector<std::uint32_t>{3, 3, no_node, no_node});
}

TEST_CASE("arms that end for themselves have no meeting place, but what is inside of them has") {
    //  0 -> 1 or 5;  1 -> 2 or 3, both -> 4, which returns;  5 is the last end
    const FlowGraph graph{{{1, 5}, {2, 3}, {4}, {4}, {}, {}}};
    CHECK(immediate_post_dominators(graph) == std::vector<std::uint32_t>{5, 4, 4, 4, no_node, no_node});
}

TEST_CASE("an endless loop has no meeting place") {
    const FlowGraph graph{{{1, 2}, {1}, {}}};
    CHECK(immediate_post_dominators(graph) == std::vector<std::uint32_t>{2, no_node, no_node});
    CHECK(immediate_post_dominators({{{1}, {0}}}) == std::vector<std::uint32_t>{no_node, no_node});
}

TEST_CASE("on random graphs the result is a post-dominator, and no other one comes before it") {
    std::minstd_rand generator(1);
    const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
    for (int round = 0; round < 200; ++round) {
        const std::uint32_t size = 3 + random() % 10;
        FlowGraph graph;
        graph.successors.resize(size);
        for (std::uint32_t node = 0; node + 1 < size; ++node) {
            for (std::uint32_t edges = 1 + random() % 2; edges != 0; --edges) {
                graph.successors[node].push_back(random() % size);
            }
        }
        const std::uint32_t end = size - 1;
        const std::vector<std::uint32_t> found = immediate_post_dominators(graph);
        for (std::uint32_t node = 0; node < end; ++node) {
            CAPTURE(round);
            CAPTURE(node);
            if (!reaches(graph, node, end)) {
                CHECK(found[node] == no_node);
                continue;
            }
            REQUIRE(found[node] != no_node);  // the end itself is one
            CHECK(found[node] != node);
            CHECK(always_passes(graph, node, found[node], end));
            for (std::uint32_t other = 0; other < size; ++other) {
                if (other == node || other == found[node] || !always_passes(graph, node, other, end)) continue;
                CHECK(always_passes(graph, found[node], other, end));
            }
        }
    }
}

TEST_CASE("a graph of a hundred thousand nodes takes no noticeable time and no deep stack") {
    FlowGraph graph;
    constexpr std::uint32_t size = 100000;
    graph.successors.resize(size);
    for (std::uint32_t node = 0; node + 2 < size; ++node) graph.successors[node] = {node + 1, node + 2};
    graph.successors[size - 2] = {size - 1};
    const std::vector<std::uint32_t> found = immediate_post_dominators(graph);
    CHECK(found[0] == size - 1);
    CHECK(found[size - 2] == size - 1);
}
