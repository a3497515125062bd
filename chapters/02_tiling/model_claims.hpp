/// @file
/// @brief Claims of chapter 2 that the model alone decides: no kernel has to run for them.
#pragma once

#include <lanes/main.hpp>
#include <lanes/model/banks.hpp>
#include <lanes/model/intensity.hpp>

TEST_CASE("claim: intensity by requested bytes is T/4; by sectors the naive product has 0.4 and not 0.25") {
    using lanes::model::naive_matmul_traffic;
    using lanes::model::tiled_matmul_traffic;
    for (const unsigned tile : {8U, 16U, 32U}) {
        CHECK(tiled_matmul_traffic(tile).requested_intensity() == doctest::Approx(tile / 4.0));
        CHECK(tiled_matmul_traffic(tile).sector_intensity() == doctest::Approx(tile / 4.0));
    }
    CHECK(naive_matmul_traffic(32).requested_intensity() == doctest::Approx(0.25));
    CHECK(naive_matmul_traffic(32).sector_intensity() == doctest::Approx(0.4));
}

TEST_CASE("claim: four merged reads of A's tile are 2 wavefronts instead of 4") {
    using namespace lanes::model;
    const auto same = strided_addresses(0, 0);
    CHECK(shared_access_cost(SharedOperation::load, same, 4).wavefronts == 1);
    CHECK(shared_access_cost(SharedOperation::load, same, 16).wavefronts == 2);
}

TEST_CASE("claim: without its padding, the transposed tile of A would be stored with conflicts") {
    using namespace lanes::model;
    const auto wavefronts = [](unsigned pitch) {
        const auto address = [=](unsigned lane) { return (lane % 2 * 4 * pitch + lane / 2) * sizeof(float); };
        return shared_access_cost(SharedOperation::store, lane_addresses(address), 4).wavefronts;
    };
    CHECK(wavefronts(128) == 2);
    CHECK(wavefronts(132) == 1);
}

TEST_CASE("claim: with 16 x 16 blocks a turn of the naive loop moves 4 sectors, 2 of A and 2 of B") {
    CHECK(lanes::model::naive_matmul_traffic(16).sectors == 4);
}
