// Sums of arrays of many lengths; then the sectors that a long one moves.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <blur.cu>
#include <cstddef>

namespace {

constexpr unsigned large = 1024;

lanes::Comparison blurred(unsigned count) {
    const auto in = lanes::Random().whole_numbers(count);
    std::vector<float> expected(count);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = i < reach ? 0 : i - reach; k < count && k <= i + reach; ++k) expected[i] += in[k];
    const lanes::DeviceArray<float> on_device(in);
    lanes::DeviceArray<float> out(count);
    blur<<<lanes::blocks_for(count, threads), threads>>>(on_device.data(), out.data(), count);
    lanes::check_launch("blur");
    return lanes::equal(out.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Tiles");
    const auto length = [&](unsigned count, const std::string& why) {
        exercise.input(
            "count = " + std::to_string(count), [count] { return blurred(count); }, why);
    };
    length(1, "Nothing lies before the first float, and nothing behind the last.");
    length(7, "");
    length(64, "");
    length(65, "The first block needs a float of the second, and the second needs three of the first.");
    length(large, "");
    exercise.section("What is asked for, and what moves");
    exercise.at_most(budgets::load_sectors(large / threads * 12.0),
                     "A block needs 70 floats. In 10 sectors they come once, in 60 seven times.");
    exercise.section("Two barriers, two mistakes");
    exercise.at_most(budgets::barrier_arrivals(large / 32.0), "One barrier is enough: the tile is written once.");
}
