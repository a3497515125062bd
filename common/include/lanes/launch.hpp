/// @file
/// @brief Sizes of a launch.
#pragma once

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace lanes {

/// @brief Blocks needed so that every element has a thread: the division rounded up.
/// @param elements elements to cover; 0 gives 0, which is no legal grid: do not launch then
/// @param threads_per_block threads of a block, or elements that a block covers; at least 1
/// @return number of blocks in grid direction x
/// @throws std::invalid_argument if a block covers nothing or the grid exceeds 2^31 - 1 blocks
inline unsigned blocks_for(std::size_t elements, std::size_t threads_per_block) {
    if (threads_per_block == 0) throw std::invalid_argument("blocks_for: a block must cover at least one element");
    const auto blocks = elements / threads_per_block + (elements % threads_per_block != 0);
    if (blocks > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw std::invalid_argument("blocks_for: " + std::to_string(elements) + " elements need " +
                                    std::to_string(blocks) + " blocks; a grid has at most 2147483647 in x");
    }
    return static_cast<unsigned>(blocks);
}

}  // namespace lanes
