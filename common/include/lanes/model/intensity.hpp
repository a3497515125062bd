/// @file
/// @brief Arithmetic intensity, and the roofline it is read against.
///
/// Roofline: Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", CACM 52 (2009).
#pragma once

#include <lanes/model/sectors.hpp>
#include <lanes/model/warp.hpp>

#include <algorithm>
#include <cstdint>

namespace lanes::model {

/// Floating-point operations for each byte moved.
/// @param flops operations; a multiply-add is two
/// @param bytes greater than 0
constexpr double arithmetic_intensity(double flops, double bytes) {
    return flops / bytes;
}

/// Most operations a second at an intensity: the lower of the two roofs.
/// @param peak operations a second the arithmetic units reach
/// @param bandwidth bytes a second the memory reaches
/// @param intensity operations for each byte
constexpr double roofline_bound(double peak, double bandwidth, double intensity) {
    return std::min(peak, bandwidth * intensity);
}

/// Intensity at which the two roofs meet; below it memory is the limit.
/// @param peak operations a second the arithmetic units reach
/// @param bandwidth bytes a second the memory reaches
constexpr double ridge_intensity(double peak, double bandwidth) {
    return peak / bandwidth;
}

/// Operations of an n x n x n matrix product: a multiplication and an addition for each of n^3 steps.
/// @param n rows and columns
constexpr double matmul_flops(double n) {
    return 2 * n * n * n;
}

/// What one warp's share of a matrix product C = A B asks of global memory, a step of the inner loop: 32
/// multiply-adds. Fractions come from loads that serve several steps.
struct MatmulTraffic {
    double requests = 0;         ///< load instructions
    double sectors = 0;          ///< 32-byte sectors moved
    double requested_bytes = 0;  ///< lanes times bytes: what the threads asked for

    /// Operations for each byte the threads asked for.
    constexpr double requested_intensity() const { return arithmetic_intensity(2 * warp_size, requested_bytes); }
    /// Operations for each byte that moved.
    constexpr double sector_intensity() const { return arithmetic_intensity(2 * warp_size, sectors * sector_bytes); }
};

/// Sectors when a warp of a `width` x `width` block reads the float at (row, column) of a row-major matrix.
/// @param width threads of a block's row, a power of two, 1 to 32
/// @param row callable: unsigned threadIdx.y to row
/// @param column callable: unsigned threadIdx.x to column
template <typename Row, typename Column>
constexpr unsigned matrix_read_sectors(unsigned width, const Row& row, const Column& column) {
    constexpr std::uint64_t pitch_bytes = 4096 * sizeof(float);  // any multiple of a sector that keeps rows apart
    const auto address = [&](unsigned lane) {
        return row(lane / width) * pitch_bytes + column(lane % width) * sizeof(float);
    };
    return count_sectors(lane_addresses(address), sizeof(float));
}

/// Traffic of the naive product: every thread reads its own row of A and its own column of B from global memory.
/// Lanes of a row share the element of A, so a 32-wide block moves 1 + 4 sectors where 2 x 128 bytes were asked for.
/// @param width the block is width x width, a power of two, 1 to 32
constexpr MatmulTraffic naive_matmul_traffic(unsigned width) {
    const auto same = [](unsigned) { return 0U; };
    const auto own = [](unsigned index) { return index; };
    const unsigned a = matrix_read_sectors(width, own, same);
    const unsigned b = matrix_read_sectors(width, same, own);
    return {.requests = 2, .sectors = static_cast<double>(a + b), .requested_bytes = 2.0 * warp_size * sizeof(float)};
}

/// Traffic of the tiled product: each thread loads one element of A's tile and one of B's, which then serve `tile`
/// steps from shared memory. Intensity tile / 4 by what the threads ask for.
/// @param tile the tile and the block are tile x tile, a power of two, 1 to 32
constexpr MatmulTraffic tiled_matmul_traffic(unsigned tile) {
    const auto own = [](unsigned index) { return index; };
    const double load = matrix_read_sectors(tile, own, own);
    return {
        .requests = 2.0 / tile, .sectors = 2 * load / tile, .requested_bytes = 2.0 * warp_size * sizeof(float) / tile};
}

}  // namespace lanes::model
