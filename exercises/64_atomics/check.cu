// Sums of arrays of many lengths; then atomics, instructions and sectors of a long one.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <atomics.cu>
#include <numeric>

namespace {

constexpr unsigned large = 65536;

lanes::Comparison summed(unsigned count) {
    const int each = lanes::Exercise::constant(elements_a_thread);
    if (each < 1 || each > 1024) return lanes::Comparison("elements_a_thread is " + std::to_string(each));
    const auto in = lanes::Random().whole_numbers(count, 1, 8);
    const lanes::DeviceArray<float> on_device(in);
    lanes::DeviceArray<float> total(std::vector<float>{0.0f});
    const unsigned blocks = lanes::blocks_for(count, threads * static_cast<std::size_t>(each));
    sum<<<blocks, threads>>>(on_device.data(), total.data(), count);
    lanes::check_launch("sum");
    return lanes::equal(total.to_host(), {std::accumulate(in.begin(), in.end(), 0.0f)});
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Many elements a thread");
    for (const unsigned count : {1U, 33U, 300U, 5000U, large})
        exercise.input(
            "count = " + std::to_string(count), [count] { return summed(count); },
            "Every element is somebody's, once, whether the last threads have all of theirs or not.");
    exercise.at_most(budgets::sectors_per_load(4), "The lanes of a warp should read neighbours, and step on together.");
    exercise.section("One atomic a block");
    exercise.at_most(budgets::atomic_requests(large / 512), "Fewer warps, more elements for each.");
    exercise.at_most(budgets::load_requests(large / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
