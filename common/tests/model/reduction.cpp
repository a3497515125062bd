// Reductions of a block, against buffers that are added up thread by thread.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/reduction.hpp>

#include "headline_values.hpp"

#include <array>
#include <numeric>
#include <vector>

using namespace lanes::model;

namespace {

constexpr std::array schemes{ReductionScheme::modulo, ReductionScheme::strided_index, ReductionScheme::sequential};

/// 1, 2, 3, ...
std::vector<unsigned> first_numbers(unsigned count) {
    std::vector<unsigned> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1U);
    return numbers;
}

/// x += __shfl_down_sync(all, x, distance) in a warp: a lane whose partner is beyond the last one gets its own x.
void shuffle_step(unsigned* x, unsigned distance) {
    const std::vector<unsigned> before(x, x + warp_size);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        x[lane] += before[lane + distance < warp_size ? lane + distance : lane];
}

/// Whether the sum in lane 0 depends on what `lane` holds after the step of this distance.
bool reaches_lane_0(unsigned distance, unsigned lane) {
    std::array<unsigned, warp_size> x{};
    x[lane] = 1;
    for (unsigned rest = distance / 2; rest > 0; rest /= 2) shuffle_step(x.data(), rest);
    return x[0] != 0;
}

}  // namespace

TEST_CASE("every scheme adds up every element, and no thread reads what another one writes in the same step") {
    for (const ReductionScheme scheme : schemes)
        for (unsigned threads = 1; threads <= 1024; threads *= 2) {
            CAPTURE(threads);
            std::vector<unsigned> buf = first_numbers(threads);
            for (unsigned step = 0; step < reduction_steps(threads); ++step) {
                const unsigned s = reduction_stride(scheme, threads, step);
                std::vector<int> touched(threads);
                for (unsigned thread = 0; thread < threads; ++thread) {
                    const auto element = reduction_element(scheme, threads, s, thread);
                    CHECK(element.has_value() == adds_in_step(scheme, threads, s, thread));
                    if (!element) continue;
                    REQUIRE(*element + s < threads);
                    CHECK(++touched[*element] == 1);
                    CHECK(++touched[*element + s] == 1);
                    buf[*element] += buf[*element + s];
                }
            }
            CHECK(buf[0] == threads * (threads + 1) / 2);
        }
}

TEST_CASE("warps with a lane that adds, step by step") {
    const auto warps = [](ReductionScheme scheme, unsigned s) {
        return warps_with_true_lane(256, [=](unsigned thread) { return adds_in_step(scheme, 256, s, thread); });
    };
    constexpr std::array<unsigned, 8> modulo{8, 8, 8, 8, 8, 4, 2, 1};
    constexpr std::array<unsigned, 8> sequential{1, 1, 1, 1, 1, 1, 2, 4};
    constexpr std::array<unsigned, 8> strided_index{4, 2, 1, 1, 1, 1, 1, 1};
    for (unsigned step = 0; step < 8; ++step) {
        CAPTURE(step);
        CHECK(warps(ReductionScheme::modulo, 1U << step) == modulo[step]);
        CHECK(warps(ReductionScheme::sequential, 1U << step) == sequential[step]);
        CHECK(warps(ReductionScheme::strided_index, 1U << step) == strided_index[step]);
    }
    CHECK(reduction_warps(ReductionScheme::modulo, 256) == 47);
    CHECK(reduction_warps(ReductionScheme::sequential, 256) == 12);
    CHECK(reduction_warps(ReductionScheme::strided_index, 256) == 12);
    CHECK(reduction_warps(ReductionScheme::modulo, 1) == 0);
}

TEST_CASE("costs of steps: additions halve, warps are those with a lane that adds") {
    for (const ReductionScheme scheme : schemes)
        for (unsigned threads = 1; threads <= 1024; threads *= 2) {
            CAPTURE(threads);
            ReductionStepCost total;
            for (unsigned step = 0; step < reduction_steps(threads); ++step) {
                const unsigned s = reduction_stride(scheme, threads, step);
                const ReductionStepCost cost = reduction_step_cost(scheme, threads, s);
                CHECK(cost.additions == threads >> (step + 1));
                CHECK(cost.loads.ideal_wavefronts == 2 * cost.warps);
                CHECK(cost.stores.ideal_wavefronts == cost.warps);
                total += cost;
            }
            CHECK(total.additions == threads - 1);
            CHECK(total.warps == reduction_warps(scheme, threads));
        }
}

TEST_CASE("a block of 256: the counts of an H200, without filling the buffer and reading the result") {
    const auto total = [](ReductionScheme scheme) {
        ReductionStepCost sum;
        for (unsigned s = 1; s < 256; s *= 2) sum += reduction_step_cost(scheme, 256, s);
        return sum;
    };
    CHECK(total(ReductionScheme::modulo) == ReductionStepCost{255, 47, {94, 94}, {47, 47}});
    CHECK(total(ReductionScheme::sequential) == ReductionStepCost{255, 12, {24, 24}, {12, 12}});
    CHECK(total(ReductionScheme::strided_index) == ReductionStepCost{255, 12, {94, 24}, {47, 12}});
}

TEST_CASE("five shuffles add up a warp in lane 0, and only lanes below the distance matter") {
    std::vector<unsigned> x = first_numbers(warp_size);
    for (unsigned step = 0; step < shuffle_steps; ++step) {
        const unsigned distance = shuffle_distance(step);
        shuffle_step(x.data(), distance);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            CHECK(shuffle_is_useful(distance, lane) == reaches_lane_0(distance, lane));
    }
    CHECK(x[0] == 32 * 33 / 2);
}

TEST_CASE("a block's sum by shuffles: each warp and then one more, and one word of each in shared memory") {
    CHECK(shuffle_reduction_warps(32) == 10);
    CHECK(shuffle_reduction_warps(256) == 45);
    CHECK(shuffle_reduction_warps(1024) == 165);
    for (const unsigned threads : {32U, 256U, 1024U}) {
        ReductionStepCost total;
        for (unsigned step = 0; step < shuffle_steps; ++step) total += shuffle_step_cost(warp_count(threads));
        for (unsigned step = 0; step < shuffle_steps; ++step) total += shuffle_step_cost(1);
        CHECK(total.warps == shuffle_reduction_warps(threads));
        CHECK(total.additions == total.warps * warp_size);
        CHECK(total.loads == SharedAccessCost{});
    }
    CHECK(shuffle_handover_cost(32) == ReductionStepCost{0, 0, {1, 1}, {1, 1}});
    CHECK(shuffle_handover_cost(256) == ReductionStepCost{0, 0, {1, 1}, {8, 8}});
    CHECK(shuffle_handover_cost(1024) == ReductionStepCost{0, 0, {1, 1}, {32, 32}});
}
