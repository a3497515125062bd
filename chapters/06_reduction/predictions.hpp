/// @file
/// @brief What the sums of chapter 6 must cost, by the model.
#pragma once

#include "sums.hpp"

#include <lanes/cases.hpp>
#include <lanes/model/reduction.hpp>
#include <lanes/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

/// A tree in shared memory over one float a thread.
struct Tree {
    lanes::model::ReductionScheme scheme;  ///< who adds
    unsigned last = 1;                     ///< smallest distance between the two operands
};

/// Distances 1, 2, 4, ..., 128; the thread whose number is divisible by twice the distance adds.
inline Tree interleaved_tree() {
    return {lanes::model::ReductionScheme::modulo};
}

/// The same additions, by the first threads of the block.
inline Tree strided_tree() {
    return {lanes::model::ReductionScheme::strided_index};
}

/// @brief Distances 128, 64, ...; the first threads add.
/// @param last the smallest distance
inline Tree sequential_tree(unsigned last = 1) {
    return {lanes::model::ReductionScheme::sequential, last};
}

/// @brief What all steps of a block's tree cost.
/// @param tree who adds
inline lanes::model::ReductionStepCost cost_of_steps(const Tree& tree) {
    lanes::model::ReductionStepCost total;
    for (unsigned s = tree.last; s < unsigned(block_threads); s *= 2)
        total += lanes::model::reduction_step_cost(tree.scheme, block_threads, s);
    return total;
}

/// @brief Warps of a block in which a thread adds, over all steps: 47 interleaved, 12 sequential.
/// @param tree who adds
inline std::size_t adding_warps(const Tree& tree) {
    return cost_of_steps(tree).warps;
}

/// What a block's tree costs in shared memory.
struct TreeTraffic {
    lanes::SharedTraffic loads;   ///< two operands a step
    lanes::SharedTraffic stores;  ///< one sum a step
};

/// @brief Loads and stores of one block, without those that fill the buffer or read the result.
/// @param tree who adds
inline TreeTraffic tree_traffic(const Tree& tree) {
    const auto traffic = [](const lanes::model::SharedAccessCost& cost) {
        return lanes::SharedTraffic{cost.wavefronts, cost.conflicts()};
    };
    const lanes::model::ReductionStepCost cost = cost_of_steps(tree);
    return {traffic(cost.loads), traffic(cost.stores)};
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
/// @param tree       who adds in shared memory
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
