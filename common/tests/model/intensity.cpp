// Arithmetic intensity of the two matrix products, and the roofline.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/intensity.hpp>

#include "headline_values.hpp"

using namespace lanes::model;

TEST_CASE("intensity by what the threads ask for: 1/4, and tile/4") {
    for (const unsigned tile : {1U, 2U, 4U, 8U, 16U, 32U}) {
        CHECK(naive_matmul_traffic(tile).requested_intensity() == 0.25);
        CHECK(tiled_matmul_traffic(tile).requested_intensity() == doctest::Approx(tile / 4.0));
    }
}

TEST_CASE("the whole product counted by hand gives the same intensity") {
    const double n = 4096;
    CHECK(arithmetic_intensity(matmul_flops(n), 8 * n * n * n) == 0.25);      // two floats a step
    CHECK(arithmetic_intensity(matmul_flops(n), 8 * n * n * n / 32) == 8.0);  // tiles of 32
    CHECK(matmul_flops(4096) == 137438953472.0);
}

TEST_CASE("sectors of the naive product") {
    CHECK(naive_matmul_traffic(32).sectors == 5);  // 1 of A, broadcast, and 4 of B
    CHECK(naive_matmul_traffic(16).sectors == 4);  // 2 rows of A, 64 bytes of B
    CHECK(naive_matmul_traffic(8).sectors == 5);   // 4 rows of A, 32 bytes of B
    CHECK(naive_matmul_traffic(1).sectors == 33);  // 32 rows of A, one float of B
    CHECK(naive_matmul_traffic(32).sector_intensity() == doctest::Approx(0.4));
}

TEST_CASE("sectors of the tiled product") {
    CHECK(tiled_matmul_traffic(32).sectors == 0.25);  // 2 loads of 4 sectors for 32 steps
    CHECK(tiled_matmul_traffic(16).sectors == 0.5);
    CHECK(tiled_matmul_traffic(8).sectors == 1.0);
    CHECK(tiled_matmul_traffic(4).sectors == 4.0);  // 16 bytes of a sector: 8 sectors a load
    CHECK(tiled_matmul_traffic(32).sector_intensity() == 8.0);
}

TEST_CASE("a tile of 32 asks 32 times less often and moves 20 times fewer sectors") {
    CHECK(naive_matmul_traffic(32).requests / tiled_matmul_traffic(32).requests == 32.0);
    CHECK(naive_matmul_traffic(32).sectors / tiled_matmul_traffic(32).sectors == 20.0);
}

TEST_CASE("the roofline") {
    const double peak = 60e12;
    const double bandwidth = 4e12;
    CHECK(ridge_intensity(peak, bandwidth) == 15.0);
    CHECK(roofline_bound(peak, bandwidth, 0.25) == 1e12);
    CHECK(roofline_bound(peak, bandwidth, 8) == 32e12);
    CHECK(roofline_bound(peak, bandwidth, 15) == peak);
    CHECK(roofline_bound(peak, bandwidth, 1000) == peak);
}
