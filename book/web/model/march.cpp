/// @file
/// @brief Export `march`: the tiled matrix product step by step.
#include <lanes/model/tile_march.hpp>

#include "export.hpp"

#include <cstdint>
#include <vector>

namespace {

namespace model = lanes::model;

void put_cost(lanes::web::Call& call, const model::MarchCost& cost) {
    for (const std::uint64_t count : {cost.loads, cost.zeros, cost.multiply_adds, cost.naive_loads()})
        call.put(static_cast<double>(count));
}

/// What was done with each tile.
void put_tiles(lanes::web::Call& call, const model::MatmulSizes& sizes, unsigned done) {
    const unsigned along = sizes.tiles(sizes.k), across = sizes.tiles(sizes.n);
    std::vector<unsigned> a(sizes.tiles(sizes.m) * along), b(along * across), c(sizes.tiles(sizes.m) * across);
    for (unsigned number = 0; number < done; ++number) {
        const model::MarchStep step = model::march_step(sizes, number);
        ++a[step.block_row * along + step.along];
        ++b[step.along * across + step.block_column];
        ++c[step.block_row * across + step.block_column];
    }
    for (const auto& tiles : {a, b, c})
        for (const unsigned count : tiles) call.put(count);
}

/// In: M, N, K and the tile's width, each 1 to 64; steps that are done.
/// Out: steps of all blocks; blocks of a column and of a row of C; steps of a block; for the steps done and for the
/// last of them alone (zeros if none is done) elements loaded, zeros stored, multiply-adds, elements that the naive
/// product loads; for the last step its block's row and column, and its turn of the loop (zeros if none is done).
void compute_march(lanes::web::Call& call) {
    model::MatmulSizes sizes;
    sizes.m = call.unsigned_integer("M", 1, 64);
    sizes.n = call.unsigned_integer("N", 1, 64);
    sizes.k = call.unsigned_integer("K", 1, 64);
    sizes.tile = call.unsigned_integer("the tile's width", 1, 64);
    const unsigned done = call.unsigned_integer("steps done", 0, sizes.steps());
    if (call.refused()) return;
    const model::MarchStep last = done == 0 ? model::MarchStep{} : model::march_step(sizes, done - 1);
    for (const unsigned count : {sizes.steps(), sizes.tiles(sizes.m), sizes.tiles(sizes.n), sizes.tiles(sizes.k)})
        call.put(count);
    put_cost(call, model::march_cost(sizes, done));
    put_cost(call, done == 0 ? model::MarchCost{} : model::march_step_cost(sizes, last));
    put_cost(call, model::march_cost(sizes, sizes.steps()));
    for (const unsigned place : {last.block_row, last.block_column, last.along}) call.put(place);
    put_tiles(call, sizes, done);
}

}  // namespace

LANES_WEB_EXPORT(march, compute_march)
