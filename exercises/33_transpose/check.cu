// Matrices of many shapes; then sectors, conflicts and barriers of a large one.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <transpose.cu>

namespace {

constexpr unsigned large_width = 96;
constexpr unsigned large_height = 64;

lanes::Comparison transposed(unsigned width, unsigned height) {
    const auto in = lanes::Random().whole_numbers(std::size_t{width} * height);
    std::vector<float> expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) expected[i % width * height + i / width] = in[i];
    const lanes::DeviceArray<float> on_device(in);
    lanes::DeviceArray<float> out(in.size());
    const dim3 grid(lanes::blocks_for(width, side), lanes::blocks_for(height, side));
    transpose<<<grid, dim3(side, block_rows)>>>(on_device.data(), out.data(), width, height);
    lanes::check_launch("transpose");
    return lanes::equal(out.to_host(), expected, {.columns = height});
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const auto shape = [&](unsigned width, unsigned height, const std::string& why) {
        const std::string input = std::to_string(height) + " x " + std::to_string(width);
        exercise.input(
            input, [=] { return transposed(width, height); }, why);
    };
    exercise.section("Any shape, any pointer");
    shape(1, 1, "");
    shape(5, 1, "Five columns become five rows: which limit holds where you write?");
    shape(1, 5, "Five rows become five columns: which limit holds where you write?");
    shape(32, 32, "One full tile.");
    shape(40, 8, "Two tiles side by side must end up one below the other.");
    shape(large_width, large_height, "");
    exercise.section("The other half of the contract");
    exercise.at_most(budgets::sectors_per_load(4), "Neighbouring lanes should read neighbours.");
    exercise.at_most(budgets::sectors_per_store(4),
                     "Neighbouring lanes should write neighbours: take the turn in the tile.");
    exercise.section("Transposing through a tile");
    exercise.at_most(budgets::bank_conflicts(0),
                     "Of the two accesses to the tile, one goes along a row and one down a column.");
    constexpr double warps = large_width * large_height / (side * side) * block_rows;
    exercise.at_most(budgets::barrier_arrivals(warps), "One barrier is enough: the tile is written once.");
    exercise.at_most(budgets::load_requests(large_width * large_height / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
