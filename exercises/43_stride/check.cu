// Launches of many shapes on arrays of many lengths; then the sectors of a request.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <stride.cu>

namespace {

constexpr unsigned large = 4096;

lanes::Comparison doubled(unsigned blocks, unsigned threads, unsigned count) {
    const auto before = lanes::Random().whole_numbers(count, 1, 100);
    auto expected = before;
    for (float& x : expected) x *= 2;
    lanes::DeviceArray<float> x(before);
    double_all<<<blocks, threads>>>(x.data(), count);
    lanes::check_launch("double_all");
    return lanes::equal(x.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const auto launch = [&](unsigned blocks, unsigned threads, unsigned count, const std::string& why) {
        const std::string input = std::to_string(blocks) + (blocks == 1 ? " block of " : " blocks of ") +
                                  std::to_string(threads) + ", " + std::to_string(count) + " elements";
        exercise.input(
            input, [=] { return doubled(blocks, threads, count); }, why);
    };
    exercise.section("Waves, and the tail");
    launch(1, 32, 32, "");
    launch(2, 64, 100, "More threads than elements.");
    launch(1, 32, 100, "Fewer threads than elements: each has several.");
    launch(3, 32, 1000,
           "Fewer threads than elements, in several blocks: every element is doubled once, by one thread.");
    launch(7, 96, 5000, "");
    launch(4, 64, large, "");
    exercise.at_most(budgets::sectors_per_load(4), "The lanes of a warp should take neighbours, and step on together.");
    exercise.at_most(budgets::load_requests(large / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
