// The march of the tiles, against threads that are gone through one by one.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/tile_march.hpp>

#include "headline_values.hpp"

#include <vector>

using namespace lanes::model;

namespace {

/// The kernel `tiled` of chapter 2, with counts in place of arithmetic.
struct Simulation {
    MatmulSizes sizes;
    MarchCost cost;
    std::vector<unsigned> products;  ///< multiply-adds that each element of C has got

    explicit Simulation(const MatmulSizes& of) : sizes(of), products(of.m * of.n) {}

    void load(bool inside) { ++(inside ? cost.loads : cost.zeros); }

    void thread(const MarchStep& step, unsigned y, unsigned x) {
        const auto [m, n, k, tile] = sizes;
        const unsigned row = step.block_row * tile + y, column = step.block_column * tile + x;
        load(row < m && step.along * tile + x < k);
        load(step.along * tile + y < k && column < n);
        if (row >= m || column >= n) return;
        for (unsigned i = step.along * tile; i < std::min((step.along + 1) * tile, k); ++i) {
            ++cost.multiply_adds;
            ++products[row * n + column];
        }
    }

    void step(unsigned number) {
        const MarchStep step = march_step(sizes, number);
        for (unsigned y = 0; y < sizes.tile; ++y)
            for (unsigned x = 0; x < sizes.tile; ++x) thread(step, y, x);
    }
};

}  // namespace

TEST_CASE("every step costs what its threads do, and in the end each element of C has its K products") {
    for (const MatmulSizes sizes : {MatmulSizes{8, 8, 8, 4}, MatmulSizes{7, 5, 9, 4}, MatmulSizes{1, 1, 1, 8},
                                    MatmulSizes{12, 3, 10, 1}, MatmulSizes{33, 40, 31, 32}}) {
        Simulation simulation(sizes);
        CHECK(march_cost(sizes, 0) == MarchCost{});
        for (unsigned number = 0; number < sizes.steps(); ++number) {
            simulation.step(number);
            CHECK(march_cost(sizes, number + 1) == simulation.cost);
        }
        for (const unsigned products : simulation.products) CHECK(products == sizes.k);
    }
}

TEST_CASE("blocks go one after the other, row by row, and each along K") {
    const MatmulSizes sizes{.m = 8, .n = 12, .k = 10, .tile = 4};
    CHECK(sizes.steps() == 2 * 3 * 3);
    CHECK(march_step(sizes, 0) == MarchStep{0, 0, 0});
    CHECK(march_step(sizes, 2) == MarchStep{0, 0, 2});
    CHECK(march_step(sizes, 3) == MarchStep{0, 1, 0});
    CHECK(march_step(sizes, 17) == MarchStep{1, 2, 2});
}

TEST_CASE(
    "where tiles fit, the intensity is that of the text: tile / 4, and the naive product loads tile times as much") {
    for (const unsigned tile : {1U, 2U, 4U, 8U, 16U, 32U}) {
        const MatmulSizes sizes{.m = 64, .n = 32, .k = 96, .tile = tile};
        const MarchCost cost = march_cost(sizes, sizes.steps());
        CHECK(cost.zeros == 0);
        CHECK(cost.intensity() == doctest::Approx(tiled_matmul_traffic(tile).requested_intensity()));
        CHECK(cost.naive_loads() == tile * cost.loads);
    }
}
