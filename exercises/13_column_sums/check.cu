// Sums of matrices of many shapes, and what a request costs on a large one.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <algorithm>
#include <column_sums.cu>
#include <cstddef>

namespace {

constexpr unsigned threads_per_block = 64;

lanes::Comparison sums_of(unsigned width, unsigned height) {
    const auto matrix = lanes::Random().whole_numbers(std::size_t{width} * height);
    std::vector<float> expected(width);
    for (std::size_t i = 0; i < matrix.size(); ++i) expected[i % width] += matrix[i];
    const lanes::DeviceArray<float> on_device(matrix);
    lanes::DeviceArray<float> sums(width);
    const unsigned blocks = lanes::blocks_for(std::max(width, height), threads_per_block);
    column_sums<<<blocks, threads_per_block>>>(on_device.data(), sums.data(), width, height);
    lanes::check_launch("column_sums");
    return lanes::equal(sums.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const auto shape = [&](unsigned width, unsigned height, const std::string& why) {
        const std::string input = std::to_string(height) + " x " + std::to_string(width);
        exercise.input(
            input, [=] { return sums_of(width, height); }, why);
    };
    exercise.section("Threads, warps, lanes");
    shape(1, 1, "There are 64 threads, and one column.");
    shape(3, 2, "Two rows of three: which of the numbers is part of the index, and which ends the loop?");
    shape(2, 3, "Three rows of two: which of the numbers is part of the index, and which ends the loop?");
    shape(64, 64, "");
    shape(65, 3, "65 columns need two blocks.");
    shape(256, 100, "");
    exercise.section("Spread the lanes out");
    exercise.at_most(budgets::sectors_per_load(4), "Neighbouring lanes should read neighbouring floats.");
    exercise.at_most(budgets::sectors_per_store(4), "Neighbouring lanes should write neighbouring sums.");
    exercise.at_most(budgets::load_requests(256 / 32 * 100),
                     "All lanes of a warp should read at once, and each float once.");
}
