// Sums of arrays of many lengths; then atomics, barriers and wavefronts of a long one.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <numeric>
#include <sum.cu>

namespace {

constexpr unsigned large = 4096;

lanes::Comparison summed(unsigned count) {
    const auto in = lanes::Random().whole_numbers(count, 1, 8);
    const lanes::DeviceArray<float> on_device(in);
    lanes::DeviceArray<float> total(std::vector<float>{0.0f});
    sum<<<lanes::blocks_for(count, threads), threads>>>(on_device.data(), total.data(), count);
    lanes::check_launch("sum");
    return lanes::equal(total.to_host(), {std::accumulate(in.begin(), in.end(), 0.0f)});
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const auto length = [&](unsigned count, const std::string& why) {
        exercise.input(
            "count = " + std::to_string(count), [count] { return summed(count); }, why);
    };
    exercise.section("Threads that only wait");
    length(1, "255 threads have no element. They still take part in what the warp does together.");
    length(20, "Some lanes of the warp have an element, and some have none.");
    length(32, "One full warp.");
    length(33, "The second warp has one element.");
    length(256, "One full block.");
    length(large, "Several blocks: each adds its sum to the total.");
    exercise.section("One atomic a block");
    exercise.at_most(budgets::atomic_requests(large / threads), "Add up within the block first.");
    exercise.section("Threads that only wait");
    exercise.at_most(budgets::barrier_arrivals(large / 32), "Within a warp, shuffles need no barrier.");
    exercise.at_most(budgets::shared_store_wavefronts(large / 32),
                     "Only one number of each warp needs to go through shared memory.");
    exercise.at_most(budgets::load_requests(large / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
