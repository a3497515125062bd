/// @file
/// @brief The tiled matrix product step by step: which tiles a block loads, and what that saves.
///
/// C = A B with M x K and K x N elements, stored row by row. A block computes one tile of C. In each of its steps it
/// loads a tile of A and one of B, one element of each a thread, and zeros for what lies beyond an edge.
#pragma once

#include <lanes/model/intensity.hpp>

#include <algorithm>
#include <cstdint>

namespace lanes::model {

/// Sizes of a product, each at least 1.
struct MatmulSizes {
    unsigned m = 1;     ///< rows of A and C
    unsigned n = 1;     ///< columns of B and C
    unsigned k = 1;     ///< columns of A, rows of B
    unsigned tile = 1;  ///< tiles and blocks are tile x tile

    /// Tiles that cover so many rows or columns.
    /// @param count rows or columns
    constexpr unsigned tiles(unsigned count) const { return (count + tile - 1) / tile; }
    /// How many of so many rows or columns the tile of this number covers: fewer than `tile` at an edge.
    /// @param count rows or columns
    /// @param number of the tile, below tiles(count)
    constexpr unsigned covered(unsigned count, unsigned number) const { return std::min(tile, count - number * tile); }
    /// Steps of all blocks.
    constexpr unsigned steps() const { return tiles(m) * tiles(n) * tiles(k); }
};

/// A step of a block: it loads A's tile (block_row, along) and B's tile (along, block_column).
struct MarchStep {
    unsigned block_row = 0;     ///< which tile of C, from above: blockIdx.y
    unsigned block_column = 0;  ///< and from the left: blockIdx.x
    unsigned along = 0;         ///< turns of the loop before this one
    /// Equal in every member.
    constexpr bool operator==(const MarchStep&) const = default;
};

/// A step of the march, if one block went after the other. On a GPU many go at once, and their order is not known.
/// @param sizes of the product
/// @param number 0 to sizes.steps() - 1
constexpr MarchStep march_step(const MatmulSizes& sizes, unsigned number) {
    const unsigned along = sizes.tiles(sizes.k);
    const unsigned block = number / along;
    return {.block_row = block / sizes.tiles(sizes.n),
            .block_column = block % sizes.tiles(sizes.n),
            .along = number % along};
}

/// What steps of the tiled product load and compute.
struct MarchCost {
    std::uint64_t loads = 0;          ///< elements that threads read from global memory
    std::uint64_t zeros = 0;          ///< elements of tiles that lie beyond an edge: stored as zeros, not loaded
    std::uint64_t multiply_adds = 0;  ///< those that C needs; products with zeros do not count

    /// Elements that the naive product reads for the same multiply-adds: two for each.
    constexpr std::uint64_t naive_loads() const { return 2 * multiply_adds; }
    /// Operations for each byte that the threads asked for; the loads are greater than 0.
    constexpr double intensity() const {
        return arithmetic_intensity(2.0 * static_cast<double>(multiply_adds),
                                    static_cast<double>(loads * sizeof(float)));
    }
    /// Adds the cost of another step.
    /// @param other cost of the step
    constexpr MarchCost& operator+=(const MarchCost& other) {
        loads += other.loads;
        zeros += other.zeros;
        multiply_adds += other.multiply_adds;
        return *this;
    }
    /// Equal in every count.
    constexpr bool operator==(const MarchCost&) const = default;
};

/// What one step costs.
/// @param sizes of the product
/// @param step of a block
constexpr MarchCost march_step_cost(const MatmulSizes& sizes, const MarchStep& step) {
    const std::uint64_t rows = sizes.covered(sizes.m, step.block_row);
    const std::uint64_t columns = sizes.covered(sizes.n, step.block_column);
    const std::uint64_t inner = sizes.covered(sizes.k, step.along);
    const std::uint64_t loads = rows * inner + inner * columns;
    const std::uint64_t both_tiles = 2 * std::uint64_t{sizes.tile} * sizes.tile;
    return {.loads = loads, .zeros = both_tiles - loads, .multiply_adds = rows * columns * inner};
}

/// What the first steps cost together.
/// @param sizes of the product
/// @param steps how many, at most sizes.steps()
constexpr MarchCost march_cost(const MatmulSizes& sizes, unsigned steps) {
    MarchCost total;
    for (unsigned number = 0; number < steps; ++number) total += march_step_cost(sizes, march_step(sizes, number));
    return total;
}

}  // namespace lanes::model
