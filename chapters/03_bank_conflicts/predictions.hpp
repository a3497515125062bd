/// @file
/// @brief What the transposes of chapter 3 must cost, by the model.
#pragma once

#include "transposes.hpp"

#include <lanes/cases.hpp>
#include <lanes/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

/// A transpose and how a kernel shares it out: a block moves a tile.
struct Work {
    Shape shape;               ///< of the input
    std::size_t tile_rows;     ///< rows of a tile of the input
    std::size_t tile_columns;  ///< its columns
    std::size_t threads;       ///< a block, a multiple of 32

    /// Tiles side by side.
    std::size_t across() const { return (shape.columns + tile_columns - 1) / tile_columns; }
    /// Tiles in all.
    std::size_t blocks() const { return (shape.rows + tile_rows - 1) / tile_rows * across(); }
};

/// An element of a tile of the input.
struct Cell {
    std::size_t row;     ///< from the top of the tile
    std::size_t column;  ///< from its left
};

/// Accesses that each thread makes one after the other: so many, of so many floats each.
struct Pieces {
    std::size_t count;  ///< accesses a thread
    unsigned floats;    ///< neighbouring floats an access
};

/// @brief Calls visit(cell in the matrix) for each block and piece, with a function of the thread.
/// @param work    the transpose
/// @param pieces  what each thread accesses
/// @param cell_of (thread, piece) to Cell of the tile
/// @param visit   takes a function: thread to (Cell of the tile, Cell of the matrix), or none if outside
template <typename CellOf, typename Visit>
void for_each_piece(const Work& work, Pieces pieces, const CellOf& cell_of, const Visit& visit) {
    for (std::size_t block = 0; block < work.blocks(); ++block) {
        const Cell corner{block / work.across() * work.tile_rows, block % work.across() * work.tile_columns};
        for (std::size_t piece = 0; piece < pieces.count; ++piece)
            visit([&, corner, piece](std::size_t thread) -> std::optional<std::pair<Cell, Cell>> {
                const Cell cell = cell_of(thread, piece);
                const Cell element{corner.row + cell.row, corner.column + cell.column};
                if (element.row >= std::size_t(work.shape.rows)) return std::nullopt;
                if (element.column >= std::size_t(work.shape.columns)) return std::nullopt;
                return std::pair(cell, element);
            });
    }
}

/// @brief Loads from the input.
/// @param work    the transpose
/// @param pieces  what each thread loads
/// @param cell_of (thread, piece) to Cell
template <typename CellOf>
lanes::GlobalTraffic input_loads(const Work& work, Pieces pieces, const CellOf& cell_of) {
    lanes::GlobalTraffic total;
    for_each_piece(work, pieces, cell_of, [&](const auto& place_of) {
        total += lanes::traffic_of(work.threads, pieces.floats * sizeof(float), [&](std::size_t thread) {
            const auto place = place_of(thread);
            return place ? std::optional<std::uint64_t>(
                               (place->second.row * work.shape.columns + place->second.column) * sizeof(float))
                         : std::nullopt;
        });
    });
    return total;
}

/// @brief Stores to the output.
/// @param work    the transpose
/// @param pieces  what each thread stores
/// @param cell_of (thread, piece) to Cell of the input's tile
template <typename CellOf>
lanes::GlobalTraffic output_stores(const Work& work, Pieces pieces, const CellOf& cell_of) {
    lanes::GlobalTraffic total;
    for_each_piece(work, pieces, cell_of, [&](const auto& place_of) {
        total += lanes::traffic_of(work.threads, pieces.floats * sizeof(float), [&](std::size_t thread) {
            const auto place = place_of(thread);
            return place ? std::optional<std::uint64_t>((place->second.column * work.shape.rows + place->second.row) *
                                                        sizeof(float))
                         : std::nullopt;
        });
    });
    return total;
}

/// @brief Accesses to the tile in shared memory; those of elements outside the matrix are not made.
/// @param work      the transpose
/// @param operation load or store
/// @param pieces    what each thread accesses
/// @param cell_of   (thread, piece) to Cell
/// @param float_of  Cell to the float in shared memory
template <typename CellOf, typename FloatOf>
lanes::SharedTraffic tile_traffic(const Work& work, lanes::model::SharedOperation operation, Pieces pieces,
                                  const CellOf& cell_of, const FloatOf& float_of) {
    lanes::SharedTraffic total;
    for_each_piece(work, pieces, cell_of, [&](const auto& place_of) {
        total += lanes::shared_traffic_of(operation, work.threads, pieces.floats * sizeof(float), [&](std::size_t t) {
            const auto place = place_of(t);
            return place ? std::optional<std::uint64_t>(float_of(place->first) * sizeof(float)) : std::nullopt;
        });
    });
    return total;
}

/// Counts of accesses to global and to shared memory in one.
inline lanes::Counts together(lanes::Counts counts, lanes::Counts more) {
    counts.merge(more);
    return counts;
}

/// naive(): tiles of 32 x 32 by 32 x 8 threads, and no shared memory.
inline lanes::Counts naive_counts(const Shape& shape) {
    const Work work{shape, 32, 32, 256};
    const auto cell = [](std::size_t t, std::size_t piece) { return Cell{t / 32 + piece * 8, t % 32}; };
    return lanes::global_counts(input_loads(work, {4, 1}, cell), output_stores(work, {4, 1}, cell));
}

/// @brief A kernel that moves `tile` x `tile` elements through shared memory, one float an access.
/// @param shape    of the input
/// @param tile     32, with 32 x 8 threads, or 16, with 16 x 16
/// @param float_of Cell to the float in shared memory
/// @param flipped  the tile is read along its rows, as it was stored
template <typename FloatOf>
lanes::Counts tile_counts(const Shape& shape, std::size_t tile, const FloatOf& float_of, bool flipped = false) {
    using lanes::model::SharedOperation;
    const Work work{shape, tile, tile, 256};
    const Pieces pieces{tile * tile / work.threads, 1};
    const auto row_of = [=](std::size_t t, std::size_t piece) { return t / tile + piece * (work.threads / tile); };
    const auto in = [=](std::size_t t, std::size_t piece) { return Cell{row_of(t, piece), t % tile}; };
    const auto out = [=](std::size_t t, std::size_t piece) {
        return flipped ? in(t, piece) : Cell{t % tile, row_of(t, piece)};
    };
    const auto stores = tile_traffic(work, SharedOperation::store, pieces, in, float_of);
    const auto loads = tile_traffic(work, SharedOperation::load, pieces, out, float_of);
    return together(lanes::global_counts(input_loads(work, pieces, in), output_stores(work, pieces, out)),
                    together(lanes::shared_store_counts(stores), lanes::shared_load_counts(loads)));
}

/// @brief fast(): squares of 4 x 4 elements a thread, 16 bytes an access. All of a tile is stored, zeros outside.
/// @param shape        of the input, whose sides are multiples of 4
/// @param tile_rows    as the kernel's template argument
/// @param tile_columns as the kernel's template argument
inline lanes::Counts fast_counts(const Shape& shape, std::size_t tile_rows, std::size_t tile_columns) {
    using lanes::model::SharedOperation;
    const Work work{shape, tile_rows, tile_columns, tile_rows * tile_columns / 16};
    const std::size_t down = tile_rows / 4, across = tile_columns / 4;
    const auto in = [=](std::size_t t, std::size_t piece) { return Cell{t / across * 4 + piece, t % across * 4}; };
    const auto out = [=](std::size_t t, std::size_t piece) {
        const std::size_t element = piece * work.threads + t;
        return Cell{element % down * 4, element / down};
    };
    const auto float_of = [=](const Cell& cell) {
        return (cell.column * down + (cell.row / 4 ^ cell.column / 4) % down) * 4;
    };
    auto stores = lanes::SharedTraffic{};
    for (std::size_t j = 0; j < 4; ++j)
        stores += lanes::shared_traffic_of(SharedOperation::store, work.threads, 16, [&](std::size_t t) {
            const Cell cell = in(t, 0);
            return std::optional<std::uint64_t>(float_of({cell.row, cell.column + j}) * sizeof(float));
        });
    stores *= work.blocks();
    const auto loads = tile_traffic(work, SharedOperation::load, {4, 4}, out, float_of);
    return together(lanes::global_counts(input_loads(work, {4, 4}, in), output_stores(work, {4, 4}, out)),
                    together(lanes::shared_store_counts(stores), lanes::shared_load_counts(loads)));
}
