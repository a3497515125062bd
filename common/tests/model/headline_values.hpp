/// @file
/// @brief The text's headline values, checked wherever this is compiled: by the host compiler and by nvcc.
#pragma once

#include <lanes/model/banks.hpp>
#include <lanes/model/divergence.hpp>
#include <lanes/model/intensity.hpp>
#include <lanes/model/occupancy.hpp>
#include <lanes/model/reduction.hpp>
#include <lanes/model/sectors.hpp>
#include <lanes/model/tile_access.hpp>
#include <lanes/model/tile_march.hpp>

namespace lanes::model {

// Floats: aligned, shifted by one, and apart by a sector.
static_assert(count_sectors(strided_addresses(0, 4), 4) == 4);
static_assert(count_sectors(strided_addresses(4, 4), 4) == 5);
static_assert(count_sectors(strided_addresses(0, 32), 4) == 32);

// The column of a 32 x 32 tile, bare and padded.
static_assert(shared_access_cost(SharedOperation::load, strided_addresses(0, 32 * 4), 4).conflicts() == 31);
static_assert(shared_access_cost(SharedOperation::load, strided_addresses(0, 33 * 4), 4).conflicts() == 0);

// Compute capability 8.9 holds one block of 1,024 threads: 32 of 48 warps.
static_assert(occupancy(*multiprocessor_limits({8, 9}), {.threads = 1024, .registers_per_thread = 32}).warps == 32);

// Half a warp against half a warp costs what 31 lanes against 1 do.
static_assert(branch_cost(all_lanes, 0x0000ffffU, 10, 10) == branch_cost(all_lanes, 1U, 10, 10));
static_assert(reduction_warps(ReductionScheme::modulo, 256) == 47);
static_assert(reduction_warps(ReductionScheme::sequential, 256) == 12);

// A tile of 32 multiplies the naive product's intensity by 32, but its sectors only by 20.
static_assert(naive_matmul_traffic(32).requested_intensity() == 0.25);
static_assert(tiled_matmul_traffic(32).requested_intensity() == 8.0);
static_assert(naive_matmul_traffic(32).sectors == 20 * tiled_matmul_traffic(32).sectors);

// The march of the tiles: 8 x 8 x 8 with tiles of 4.
static_assert(march_cost({.m = 8, .n = 8, .k = 8, .tile = 4}, 8).loads == 256);

// A column of a swizzled tile starts in the place that its number says.
static_assert(TileAccess{.down = true, .swizzled = true}.element_of(5) == 5 * 32 + 5);

}  // namespace lanes::model
