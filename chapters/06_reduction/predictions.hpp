/// @file
/// @brief What the sums of chapter 6 must cost, by the model.
#pragma once

#include "sums.hpp"

#include <lanes/cases.hpp>
#include <lanes/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// One step of a tree in shared memory: buf[at] += buf[at + distance], for the threads that have an `at`.
struct TreeStep {
    std::size_t distance;                                              ///< floats between the two operands
    std::function<std::optional<std::size_t>(std::size_t thread)> at;  ///< the float that a thread adds to
};

/// A tree in shared memory, from the first step to the last.
using Tree = std::vector<TreeStep>;

/// Distances 1, 2, 4, ..., 128; the thread whose number is divisible by twice the distance adds.
inline Tree interleaved_tree() {
    Tree tree;
    for (std::size_t s = 1; s < block_threads; s *= 2)
        tree.push_back(
            {s, [s](std::size_t t) { return t % (2 * s) == 0 ? std::optional<std::size_t>(t) : std::nullopt; }});
    return tree;
}

/// The same additions, by the first threads of the block.
inline Tree strided_tree() {
    Tree tree;
    for (std::size_t s = 1; s < block_threads; s *= 2)
        tree.push_back({s, [s](std::size_t t) {
                            return 2 * s * t < block_threads ? std::optional<std::size_t>(2 * s * t) : std::nullopt;
                        }});
    return tree;
}

/// @brief Distances 128, 64, ...; the first threads add.
/// @param last the smallest distance
inline Tree sequential_tree(std::size_t last = 1) {
    Tree tree;
    for (std::size_t s = block_threads / 2; s >= last; s /= 2)
        tree.push_back({s, [s](std::size_t t) { return t < s ? std::optional<std::size_t>(t) : std::nullopt; }});
    return tree;
}

/// @brief Warps of a block in which a thread adds, over all steps: 47 interleaved, 12 sequential.
/// @param tree the steps
inline std::size_t adding_warps(const Tree& tree) {
    std::size_t warps = 0;
    for (const TreeStep& step : tree)
        for (std::size_t first = 0; first < block_threads; first += 32) {
            bool adds = false;
            for (std::size_t lane = 0; lane < 32; ++lane) adds = adds || step.at(first + lane).has_value();
            warps += adds ? 1 : 0;
        }
    return warps;
}

/// What a block's tree costs in shared memory.
struct TreeTraffic {
    lanes::SharedTraffic loads;   ///< two operands a step
    lanes::SharedTraffic stores;  ///< one sum a step
};

/// @brief Loads and stores of one block, without those that fill the buffer or read the result.
/// @param tree the steps, of floats
inline TreeTraffic tree_traffic(const Tree& tree) {
    using lanes::model::SharedOperation;
    TreeTraffic total;
    for (const TreeStep& step : tree) {
        const auto access = [&](SharedOperation operation, std::size_t shift) {
            return lanes::shared_traffic_of(operation, block_threads, sizeof(float), [&](std::size_t t) {
                const auto at = step.at(t);
                return at ? std::optional<std::uint64_t>((*at + shift) * sizeof(float)) : std::nullopt;
            });
        };
        total.loads += access(SharedOperation::load, 0);
        total.loads += access(SharedOperation::load, step.distance);
        total.stores += access(SharedOperation::store, 0);
    }
    return total;
}

/// @brief Loads of neighbouring words by neighbouring threads of all blocks.
/// @param words accessed, from an aligned start
/// @param bytes of each
inline lanes::GlobalTraffic row_of_loads(std::size_t words, unsigned bytes) {
    return lanes::traffic_of(words, bytes, [=](std::size_t t) { return std::optional<std::uint64_t>(t * bytes); });
}

/// @brief One store of a float by one thread of every block.
/// @param blocks of the launch
inline lanes::GlobalTraffic one_store(std::uint64_t blocks) {
    return {blocks, blocks};
}

/// @brief Global and shared counts of a launch in one.
/// @param loads  from global memory
/// @param blocks of the launch, each of which stores one float
/// @param tree   shared-memory traffic of one block
inline lanes::Counts launch_counts(const lanes::GlobalTraffic& loads, std::uint64_t blocks, TreeTraffic tree) {
    tree.loads *= blocks;
    tree.stores *= blocks;
    lanes::Counts counts = lanes::global_counts(loads, one_store(blocks));
    counts.merge(lanes::shared_load_counts(tree.loads));
    counts.merge(lanes::shared_store_counts(tree.stores));
    return counts;
}

/// @brief A launch whose blocks fill a buffer of 256 floats (one wavefront a warp), run a tree and read the result.
/// @param size       floats summed, a multiple of 4 so that every part of the input begins at a full sector
/// @param per_thread floats a thread loads
/// @param tree       the steps in shared memory
/// @param last_reads wavefronts that read what the tree left
inline lanes::Counts tree_counts(std::size_t size, std::size_t per_thread, const Tree& tree, std::uint64_t last_reads) {
    TreeTraffic traffic = tree_traffic(tree);
    traffic.stores.wavefronts += block_threads / 32;
    traffic.loads.wavefronts += last_reads;
    return launch_counts(row_of_loads(size, sizeof(float)), lanes::blocks_for(size, per_thread * block_threads),
                         traffic);
}

/// @brief A launch of block_sum(): each of 8 warps stores one float, one warp reads them all.
/// @param loads  from global memory
/// @param blocks of the launch
inline lanes::Counts block_sum_counts(const lanes::GlobalTraffic& loads, std::uint64_t blocks) {
    return launch_counts(loads, blocks, {{1, 0}, {block_threads / 32, 0}});
}
