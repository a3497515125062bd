/// @file
/// @brief What the kernels of chapter 2 must cost, by the model.
#pragma once

#include "products.hpp"

#include <lanes/cases.hpp>
#include <lanes/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A product C = A B and how a kernel shares it out: each block computes `rows` x `columns` of C in steps of `depth`.
struct Work {
    std::size_t M;        ///< rows of A and C
    std::size_t N;        ///< columns of B and C
    std::size_t K;        ///< columns of A and rows of B
    std::size_t rows;     ///< of C, a block
    std::size_t columns;  ///< of C, a block
    std::size_t depth;    ///< of K, a step
    std::size_t threads;  ///< a block, a multiple of 32

    /// Blocks side by side.
    std::size_t blocks_across() const { return (N + columns - 1) / columns; }
    /// Blocks in all.
    std::size_t blocks() const { return (M + rows - 1) / rows * blocks_across(); }
    /// Steps that each block makes through K.
    std::size_t steps() const { return (K + depth - 1) / depth; }
};

/// An element of a matrix, or of a tile.
struct Cell {
    std::size_t row;     ///< from the top
    std::size_t column;  ///< from the left
};

/// Accesses of one kind that each thread makes one after the other: so many, of so many floats each.
struct Pieces {
    std::size_t count;  ///< accesses a thread
    unsigned floats;    ///< neighbouring floats an access
};

/// @brief Accesses of all threads of all blocks to a row-major matrix that begins at 0; those outside are not made.
/// @param work     the product
/// @param steps    how many steps of a block make these accesses
/// @param pieces   what each thread accesses in each step
/// @param rows     of the matrix
/// @param columns  of the matrix
/// @param cell_of  (first cell of the block in C, first k of the step, thread, piece) to Cell
template <typename CellOf>
lanes::GlobalTraffic traffic_of(const Work& work, std::size_t steps, Pieces pieces, std::size_t rows,
                                std::size_t columns, const CellOf& cell_of) {
    lanes::GlobalTraffic total;
    for (std::size_t block = 0; block < work.blocks(); ++block) {
        const Cell corner{block / work.blocks_across() * work.rows, block % work.blocks_across() * work.columns};
        for (std::size_t i = 0; i < steps * pieces.count; ++i) {
            const auto address_of = [&](std::size_t thread) {
                const Cell cell = cell_of(corner, i / pieces.count * work.depth, thread, i % pieces.count);
                const bool inside = cell.row < rows && cell.column < columns;
                return inside ? std::optional<std::uint64_t>((cell.row * columns + cell.column) * sizeof(float))
                              : std::nullopt;
            };
            total += lanes::traffic_of(work.threads, pieces.floats * sizeof(float), address_of);
        }
    }
    return total;
}

/// Loads of the tiles of A: `cell_of` turns thread and piece into a cell of the tile.
template <typename CellOf>
lanes::GlobalTraffic a_loads(const Work& work, Pieces pieces, const CellOf& cell_of) {
    return traffic_of(work, work.steps(), pieces, work.M, work.K,
                      [&](Cell corner, std::size_t first, std::size_t thread, std::size_t piece) {
                          const Cell cell = cell_of(thread, piece);
                          return Cell{corner.row + cell.row, first + cell.column};
                      });
}

/// Loads of the tiles of B: `cell_of` turns thread and piece into a cell of the tile.
template <typename CellOf>
lanes::GlobalTraffic b_loads(const Work& work, Pieces pieces, const CellOf& cell_of) {
    return traffic_of(work, work.steps(), pieces, work.K, work.N,
                      [&](Cell corner, std::size_t first, std::size_t thread, std::size_t piece) {
                          const Cell cell = cell_of(thread, piece);
                          return Cell{first + cell.row, corner.column + cell.column};
                      });
}

/// Stores of C: `cell_of` turns thread and piece into a cell of the block's part.
template <typename CellOf>
lanes::GlobalTraffic c_stores(const Work& work, Pieces pieces, const CellOf& cell_of) {
    return traffic_of(work, 1, pieces, work.M, work.N,
                      [&](Cell corner, std::size_t, std::size_t thread, std::size_t piece) {
                          const Cell cell = cell_of(thread, piece);
                          return Cell{corner.row + cell.row, corner.column + cell.column};
                      });
}

/// @brief Accesses of one block to shared memory.
/// @param work      the product
/// @param operation load or store
/// @param pieces    what each thread accesses
/// @param float_of  (thread, piece) to the float in shared memory
template <typename FloatOf>
lanes::SharedTraffic shared_traffic_of(const Work& work, lanes::model::SharedOperation operation, Pieces pieces,
                                       const FloatOf& float_of) {
    lanes::SharedTraffic total;
    for (std::size_t piece = 0; piece < pieces.count; ++piece)
        total += lanes::shared_traffic_of(operation, work.threads, pieces.floats * sizeof(float), [&](std::size_t t) {
            return std::optional<std::uint64_t>(float_of(t, piece) * sizeof(float));
        });
    return total;
}

/// Stores of `count` floats a thread to shared memory in every step, thread by thread in a row.
inline lanes::SharedTraffic stores_in_order(const Work& work, std::size_t count) {
    auto stores = shared_traffic_of(work, lanes::model::SharedOperation::store, {count, 1},
                                    [](std::size_t thread, std::size_t) { return thread; });
    stores *= work.steps() * work.blocks();
    return stores;
}

/// Counts of accesses to global and to shared memory in one.
inline lanes::Counts together(lanes::Counts counts, lanes::Counts more) {
    counts.merge(more);
    return counts;
}

/// @brief naive() or naive_down() in blocks of 32 x 32 threads.
/// @param work rows and columns 32, depth 1, 1024 threads
/// @param down neighbouring lanes stand one below the other, instead of side by side
inline lanes::Counts naive_counts(const Work& work, bool down) {
    const auto cell = [=](std::size_t t) { return down ? Cell{t % 32, t / 32} : Cell{t / 32, t % 32}; };
    // Threads outside C leave before they load anything, so the loads are restricted as C's stores are.
    const auto inside_c = [=](Cell corner, std::size_t t, Cell wanted) {
        const bool inside = corner.row + cell(t).row < work.M && corner.column + cell(t).column < work.N;
        return inside ? wanted : Cell{work.M + work.K, 0};
    };
    auto loads =
        traffic_of(work, work.K, {1, 1}, work.M, work.K, [=](Cell corner, std::size_t k, std::size_t t, std::size_t) {
            return inside_c(corner, t, {corner.row + cell(t).row, k});
        });
    loads +=
        traffic_of(work, work.K, {1, 1}, work.K, work.N, [=](Cell corner, std::size_t k, std::size_t t, std::size_t) {
            return inside_c(corner, t, {k, corner.column + cell(t).column});
        });
    return lanes::global_counts(loads, c_stores(work, {1, 1}, [=](std::size_t t, std::size_t) { return cell(t); }));
}

/// @brief tiled(). How the compiler merges its reads of shared memory is the compiler's affair: not predicted.
/// @param work rows, columns and depth of the tile, and as many threads as it has elements
inline lanes::Counts tiled_counts(const Work& work) {
    const auto cell = [=](std::size_t t, std::size_t) { return Cell{t / work.depth, t % work.depth}; };
    auto loads = a_loads(work, {1, 1}, cell);
    loads += b_loads(work, {1, 1}, cell);
    return together(lanes::global_counts(loads, c_stores(work, {1, 1}, cell)),
                    lanes::shared_store_counts(stores_in_order(work, 2)));
}

/// @brief register_column(). As with tiled(), reads of shared memory are not predicted.
/// @param work as the kernel's template arguments; 512 threads
inline lanes::Counts register_column_counts(const Work& work) {
    auto loads = a_loads(work, {1, 1}, [=](std::size_t t, std::size_t) {
        return Cell{t / work.depth, t % work.depth};
    });
    loads += b_loads(work, {1, 1}, [=](std::size_t t, std::size_t) {
        return Cell{t / work.columns, t % work.columns};
    });
    const auto stores = c_stores(work, {8, 1}, [=](std::size_t t, std::size_t piece) {
        return Cell{t / work.columns + piece * 8, t % work.columns};
    });
    return together(lanes::global_counts(loads, stores), lanes::shared_store_counts(stores_in_order(work, 2)));
}

/// @brief register_square().
/// @param work as the kernel's template arguments; 256 threads
inline lanes::Counts register_square_counts(const Work& work) {
    const std::size_t a_pieces = work.rows * work.depth / work.threads;
    const std::size_t b_pieces = work.columns * work.depth / work.threads;
    auto loads = a_loads(work, {a_pieces, 1}, [=](std::size_t t, std::size_t piece) {
        const std::size_t e = t + piece * work.threads;
        return Cell{e / work.depth, e % work.depth};
    });
    loads += b_loads(work, {b_pieces, 1}, [=](std::size_t t, std::size_t piece) {
        const std::size_t e = t + piece * work.threads;
        return Cell{e / work.columns, e % work.columns};
    });
    const auto stores = c_stores(work, {64, 1}, [](std::size_t t, std::size_t piece) {
        return Cell{t / 16 + piece / 8 * 16, t % 16 + piece % 8 * 16};
    });
    const auto a_float = [=](std::size_t t, std::size_t i) { return (t / 16 + i * 16) * work.depth; };
    const auto b_float = [](std::size_t t, std::size_t j) { return t % 16 + j * 16; };
    auto reads = shared_traffic_of(work, lanes::model::SharedOperation::load, {8, 1}, a_float);
    reads += shared_traffic_of(work, lanes::model::SharedOperation::load, {8, 1}, b_float);
    reads *= work.depth * work.steps() * work.blocks();
    return together(lanes::global_counts(loads, stores),
                    together(lanes::shared_store_counts(stores_in_order(work, a_pieces + b_pieces)),
                             lanes::shared_load_counts(reads)));
}

/// Where a thread's 8 x 8 sums lie: two quads of four neighbours in each direction.
struct Quads {
    std::size_t row_distance;     ///< between the two quads of rows
    std::size_t column_distance;  ///< between the two quads of columns
    bool warp_tiles;              ///< lanes in 4 rows and 8 columns of 32 x 64; else threads in 16 columns

    /// First row and column of a thread.
    Cell first_cell(const Work& work, std::size_t thread) const {
        if (!warp_tiles) return {thread / 16 * 4, thread % 16 * 4};
        const std::size_t lane = thread % 32, warp = thread / 32;
        const std::size_t lane_row = (lane >> 1 & 1) | (lane >> 3 & 1) << 1;
        const std::size_t lane_column = (lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4 & 1) << 2;
        return {warp % (work.rows / 32) * 32 + lane_row * 4, warp / (work.rows / 32) * 64 + lane_column * 4};
    }
};

/// What the kernels from vector_loads() on differ in.
struct QuadKernel {
    Quads quads;             ///< which sums a thread has
    bool copies_b;           ///< B comes by cp.async: a global load to hardware, but no store to shared memory
    std::size_t ahead;       ///< steps that A's tiles are stored beyond the last one: one for each spare buffer
    unsigned floats;         ///< an access to global memory: 4, or 1 where the matrices are not aligned
    unsigned floats_stored;  ///< an access to C
};

/// @brief The kernels from vector_loads() on.
/// @param work   as the kernel's template arguments
/// @param kernel what sort it is
inline lanes::Counts quad_counts(const Work& work, const QuadKernel& kernel) {
    using lanes::model::SharedOperation;
    const std::size_t parts = 4 / kernel.floats, stored_parts = 4 / kernel.floats_stored;
    const std::size_t a_quads = work.depth / 8, b_quads = work.depth * work.columns / 4 / work.threads;
    auto loads = a_loads(work, {a_quads * parts, kernel.floats}, [=](std::size_t t, std::size_t piece) {
        return Cell{t / 2, piece / parts * 8 + t % 2 * 4 + piece % parts};
    });
    loads += b_loads(work, {b_quads * parts, kernel.floats}, [=](std::size_t t, std::size_t piece) {
        return Cell{piece / parts * (work.threads / 32) + t / 32, t % 32 * 4 + piece % parts};
    });
    const auto first_cell = [&](std::size_t t) { return kernel.quads.first_cell(work, t); };
    const auto stores =
        c_stores(work, {16 * stored_parts, kernel.floats_stored}, [&](std::size_t t, std::size_t piece) {
            const std::size_t i = piece / (2 * stored_parts), half = piece / stored_parts % 2;
            return Cell{first_cell(t).row + i / 4 * kernel.quads.row_distance + i % 4,
                        first_cell(t).column + half * kernel.quads.column_distance + piece % stored_parts};
        });

    const std::size_t pitch = work.rows + 4;
    auto tile_stores = shared_traffic_of(
        work, SharedOperation::store, {4 * a_quads, 1},
        [=](std::size_t t, std::size_t piece) { return (piece / 4 * 8 + t % 2 * 4 + piece % 4) * pitch + t / 2; });
    tile_stores *= work.steps() + kernel.ahead;
    if (!kernel.copies_b) {
        auto b_stores = shared_traffic_of(work, SharedOperation::store, {b_quads, 4},
                                          [](std::size_t t, std::size_t) { return t * 4; });
        b_stores *= work.steps();
        tile_stores += b_stores;
    }
    tile_stores *= work.blocks();
    auto reads = shared_traffic_of(work, SharedOperation::load, {2, 4}, [&](std::size_t t, std::size_t half) {
        return first_cell(t).row + half * kernel.quads.row_distance;
    });
    reads += shared_traffic_of(work, SharedOperation::load, {2, 4}, [&](std::size_t t, std::size_t half) {
        return first_cell(t).column + half * kernel.quads.column_distance;
    });
    reads *= work.depth * work.steps() * work.blocks();
    return together(lanes::global_counts(loads, stores),
                    together(lanes::shared_store_counts(tile_stores), lanes::shared_load_counts(reads)));
}

/// A product and how a kernel shares it out: see Work.
inline Work work_of(const Sizes& sizes, std::size_t rows, std::size_t columns, std::size_t depth, std::size_t threads) {
    return {std::size_t(sizes.M), std::size_t(sizes.N), std::size_t(sizes.K), rows, columns, depth, threads};
}

/// Threads in 16 rows and 16 columns.
inline constexpr Quads quads_of_block{64, 64, false};

/// Lanes in 4 rows and 8 columns.
inline constexpr Quads quads_of_warp{16, 32, true};

/// A kernel of the ladder at work, and all that the model says of it.
struct Prediction {
    Step step;             ///< the kernel
    Work work;             ///< what it is given
    lanes::Counts counts;  ///< by the model
    bool copies = false;   ///< uses cp.async
};

/// @brief What the model says of each kernel.
/// @param steps the kernels, in the order of the text
/// @param sizes of the matrices
inline std::vector<Prediction> predictions(const std::vector<Step>& steps, const Sizes& sizes) {
    const unsigned floats = sizes.N % 4 == 0 && sizes.K % 4 == 0 ? 4 : 1;
    const Work naive = work_of(sizes, 32, 32, 1, 1024);
    const Work tiles_8 = work_of(sizes, 8, 8, 8, 64);
    const Work tiles_16 = work_of(sizes, 16, 16, 16, 256);
    const Work tiles_32 = work_of(sizes, 32, 32, 32, 1024);
    const Work column = work_of(sizes, 64, 64, 8, 512);
    const Work square = work_of(sizes, 128, 128, 8, 256);
    const Work fast = work_of(sizes, 64, 128, 16, 128);
    return {{steps[0], naive, naive_counts(naive, true)},
            {steps[1], naive, naive_counts(naive, false)},
            {steps[2], tiles_8, tiled_counts(tiles_8)},
            {steps[3], tiles_16, tiled_counts(tiles_16)},
            {steps[4], tiles_32, tiled_counts(tiles_32)},
            {steps[5], column, register_column_counts(column)},
            {steps[6], square, register_square_counts(square)},
            {steps[7], square, quad_counts(square, {quads_of_block, false, 0, floats, floats})},
            {steps[8], square, quad_counts(square, {quads_of_block, true, 1, floats, floats}), true},
            {steps[9], square, quad_counts(square, {quads_of_warp, true, 1, floats, floats}), true},
            {steps[10], fast, quad_counts(fast, {quads_of_warp, true, 2, floats, 1}), true}};
}

/// Below compute capability 8.0 a copy passes through registers, and the kernels with cp.async cost something else.
inline bool has_asynchronous_copies() {
    int major = 0;
    lanes::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 8;
}

/// The counts that hardware must show to the last digit. Where cp.async is used, its data arrives in shared memory
/// at times of its own; now and then it meets another access there, which hardware counts as a conflict.
inline lanes::Counts exact_on_hardware(const Prediction& prediction) {
    lanes::Counts counts;
    for (const auto& [counter, count] : prediction.counts)
        if (!prediction.copies || counter.find("shared") == std::string::npos) counts[counter] = count;
    return counts;
}

/// A kernel at work as a counted case; `suffix` tells its name from that of another size.
inline lanes::CountedCase case_of(const Prediction& prediction, const std::string& suffix) {
    const Work work = prediction.work;
    const Step step = prediction.step;
    return {.name = step.name + suffix,
            .snippets = step.snippets,
            .kernel = step.name.rfind("tiled", 0) == 0 ? "tiled" : step.name,
            .parameters = {{"M", work.M}, {"N", work.N}, {"K", work.K}, {"multiply_adds", work.M * work.N * work.K}},
            .predicted = exact_on_hardware(prediction),
            .launch = [=] {
                const lanes::DeviceArray<float> A(std::vector<float>(work.M * work.K, 1.0f));
                const lanes::DeviceArray<float> B(std::vector<float>(work.K * work.N, 1.0f));
                lanes::DeviceArray<float> C(work.M * work.N);
                step.launch(A.data(), B.data(), C.data(), int(work.M), int(work.N), int(work.K));
                lanes::check_launch(step.name);
            }};
}
