/// @file
/// @brief How far sums, maxima, means and variances of accumulators.cuh are from those in double, and how long they
/// take.
#pragma once

#include "accumulators.cuh"
#include "sums.hpp"

#include <lanes/main.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

/// Device memory for two passes of one kind of accumulator.
template <typename A>
class Accumulation {
public:
    /// @brief Makes room for the accumulators of one grid.
    /// @param blocks of the first pass, at least 1
    explicit Accumulation(unsigned blocks = 4) : blocks_(blocks), of_block_(blocks), all_(1) {}

    /// Starts both passes over in[0] to in[size - 1].
    void launch(const float* in, std::size_t size) {
        accumulate<A><<<blocks_, block_threads>>>(in, of_block_.data(), size);
        merge_blocks<A><<<1, block_threads>>>(of_block_.data(), blocks_, all_.data());
    }
    /// The accumulator of everything, once the passes are done.
    A all() const { return all_.to_host()[0]; }
    /// Fills it with what is never a result.
    void poison() { all_.poison(); }

private:
    unsigned blocks_;
    lanes::DeviceArray<A> of_block_;
    lanes::DeviceArray<A> all_;
};

/// @brief What an accumulator makes of an array.
/// @param values the array
/// @param blocks of the first pass
/// @param offset elements before it in memory, so that it begins where a vector may not
template <typename A>
A accumulated(const std::vector<float>& values, unsigned blocks = 4, std::size_t offset = 0) {
    std::vector<float> shifted(offset, 1000.0f);
    shifted.insert(shifted.end(), values.begin(), values.end());
    const lanes::DeviceArray<float> in(shifted);
    Accumulation<A> accumulation(blocks);
    accumulation.launch(in.data() + offset, values.size());
    lanes::check_launch("accumulate");
    return accumulation.all();
}

/// |got - exact| / |exact|; NaN if either is NaN.
inline double relative_error(double got, double exact) {
    return std::abs(got - exact) / std::abs(exact);
}

/// The sum of all values in float, one after the other.
inline float running_sum_of(const std::vector<float>& values) {
    float sum = 0.0f;
    for (const float value : values) sum += value;
    return sum;
}

TEST_CASE("accumulators are exact for whole numbers, for every size and start") {
    for (const std::size_t size : {0, 1, 2, 3, 5, 31, 32, 33, 100, 1000, 1023, 1025, 8195, 20000})
        for (const std::size_t offset : {0, 1, 3}) {
            CAPTURE(size);
            CAPTURE(offset);
            const auto values = lanes::Random().whole_numbers(size);
            const double sum = reference_sum(values).value();
            CHECK(accumulated<RunningSum>(values, 4, offset).result() == sum);
            CHECK(accumulated<KahanSum>(values, 4, offset).result() == sum);
            CHECK(accumulated<DoubleSum>(values, 4, offset).result() == sum);
            const double largest = size == 0 ? -HUGE_VAL : *std::max_element(values.begin(), values.end());
            CHECK(accumulated<Maximum>(values, 4, offset).result() == largest);
            const auto two_sums = accumulated<TwoSums>(values, 4, offset);
            CHECK(two_sums.count == size);
            CHECK(two_sums.sum == sum);
        }
}

TEST_CASE("the maximum finds the largest wherever it is, minus infinity too, and keeps NaN") {
    for (const std::size_t at : {0, 1, 31, 257, 998, 999}) {
        CAPTURE(at);
        std::vector<float> values(1000, -7.0f);
        values[at] = -2.5f;
        CHECK(accumulated<Maximum>(values).result() == -2.5);
        values[at] = NAN;
        CHECK(std::isnan(accumulated<Maximum>(values).result()));
    }
    CHECK(accumulated<Maximum>(std::vector<float>(100, -INFINITY)).result() == -HUGE_VAL);
    CHECK(std::isnan(accumulated<Maximum>({NAN, INFINITY}).result()));
}

TEST_CASE("mean and variance, of nothing, of one, of many") {
    CHECK(std::isnan(accumulated<Moments>({}).mean()));
    CHECK(std::isnan(accumulated<Moments>({}).result()));
    CHECK(accumulated<Moments>({3.5f}).mean() == 3.5);
    CHECK(accumulated<Moments>({3.5f}).result() == 0.0);
    const auto values = lanes::Random().uniform<float>(8195, 2.0f, 4.0f);
    double mean = 0.0, variance = 0.0;
    for (const float value : values) mean += value / double(values.size());
    for (const float value : values) variance += (value - mean) * (value - mean) / double(values.size());
    const auto moments = accumulated<Moments>(values);
    CHECK(moments.count == values.size());
    CHECK(relative_error(moments.mean(), mean) < 1e-5);
    CHECK(relative_error(moments.result(), variance) < 1e-4);
}

TEST_CASE("claim: a float that counts stops at 2^24, and Kahan's sum does not") {
    const float stuck = 16777216.0f;
    CHECK(stuck + 1.0f == stuck);
    std::vector<float> values(20001, 1.0f);
    values[0] = stuck;  // read by the first thread of all: what it adds after that is lost
    const double exact = reference_sum(values).value();
    CHECK(running_sum_of(values) == stuck);
    CHECK(accumulated<RunningSum>(values, 1).result() < exact);
    CHECK(accumulated<KahanSum>(values, 1).result() == doctest::Approx(exact).epsilon(1e-7));
    CHECK(accumulated<DoubleSum>(values, 1).result() == exact);
}

TEST_CASE("claim: the more threads, the shorter their sums, and the smaller the error; Kahan and double leave none") {
    const auto values = lanes::Random().uniform<float>(65537, 0.0f, 1.0f);
    const double exact = reference_sum(values).value();
    const double one = relative_error(running_sum_of(values), exact);
    const double many = relative_error(accumulated<RunningSum>(values).result(), exact);
    CHECK(many < one / 4);
    const double half_ulp = std::numeric_limits<float>::epsilon() / 2;
    CHECK(relative_error(accumulated<KahanSum>(values).result(), exact) <= half_ulp);
    CHECK(relative_error(accumulated<DoubleSum>(values).result(), exact) < 1e-12);
}

TEST_CASE("claim: sums of squares lose a variance that is small beside the mean; moments keep it") {
    const auto values = lanes::Random().uniform<float>(8195, 9999.0f, 10001.0f);
    double mean = 0.0, variance = 0.0;
    for (const float value : values) mean += value / double(values.size());
    for (const float value : values) variance += (value - mean) * (value - mean) / double(values.size());
    CHECK(relative_error(accumulated<Moments>(values).result(), variance) < 0.01);
    CHECK_FALSE(relative_error(accumulated<TwoSums>(values).result(), variance) < 1.0);
}

/// @brief Times sums of numbers between 0 and 1, and notes how far they are from the sum in double.
/// @param benchmark of the chapter
/// @param steps     sums of sums.hpp to be measured beside the accumulators
inline void measure_accuracy(lanes::Benchmark& benchmark, const std::vector<Step<float>>& steps) {
    const std::size_t size = benchmark.pick(std::size_t{1} << 26, std::size_t{1} << 22, 4096);
    const auto values = lanes::Random().uniform<float>(size, 0.0f, 1.0f);
    const lanes::ReferenceSum reference = reference_sum(values);
    const lanes::DeviceArray<float> in(values);
    lanes::DeviceArray<float> out(1);
    Workspace<float> workspace(size);
    const unsigned blocks = benchmark.effort() == lanes::Effort::emulated
                                ? 2
                                : workspace.resident_blocks(accumulate<KahanSum>, block_threads);
    Accumulation<RunningSum> running(blocks), one_block(1);
    Accumulation<KahanSum> kahan(blocks);
    Accumulation<DoubleSum> in_double(blocks);
    std::vector<lanes::Variant> variants;
    const auto add = [&](const std::string& name, const std::vector<std::string>& snippets, const auto& launch,
                         const auto& poison, const auto& result) {
        launch();
        lanes::check_launch(name);
        const std::function<double()> sum = result;
        variants.push_back({.name = "error_" + name,
                            .snippets = snippets,
                            .parameters = {{"elements", size},
                                           {"relative_error", relative_error(sum(), reference.value())},
                                           {"host_error", relative_error(running_sum_of(values), reference.value())}},
                            .bytes = in.bytes(),
                            .launch = launch,
                            .poison = poison,
                            .verify = [sum, reference] {
                                return lanes::within_bound(std::vector<float>{float(sum())}, {reference});
                            }});
    };
    const auto add_accumulation = [&](const std::string& name, const std::string& snippet, auto& accumulation) {
        add(
            name,
            {snippet, "accumulate", "merge_blocks", "merged_over_block", "merged_over_warp", "from_lane_above",
             "for_each_element"},
            [&] { accumulation.launch(in.data(), size); }, [&] { accumulation.poison(); },
            [&] { return accumulation.all().result(); });
    };
    for (const Step<float>& step : steps)
        add(
            step.name, step.snippets, [&, launch = step.launch] { launch(in.data(), out.data(), size, workspace); },
            [&] { out.poison(); }, [&] { return double(out.to_host()[0]); });
    add_accumulation("running_256_threads", "running_sum", one_block);
    add_accumulation("running", "running_sum", running);
    add_accumulation("kahan", "kahan_sum", kahan);
    add_accumulation("in_double", "double_sum", in_double);
    benchmark.group("Sums of " + std::to_string(size) + " floats between 0 and 1", variants);
}
