// Products of one tile and of several; then the barriers of a large one.
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>

#include <barrier.cu>
#include <checks/product.hpp>

namespace {

lanes::Comparison product(unsigned n) {
    const unsigned blocks = lanes::blocks_for(n, side);
    return checks::product(n, [=](const float* a, const float* b, float* c) {
        multiply<<<dim3(blocks, blocks), dim3(side, side)>>>(a, b, c, n);
    });
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Two barriers, two mistakes");
    const auto size = [&](unsigned n, const std::string& why) {
        exercise.input(
            "n = " + std::to_string(n), [n] { return product(n); }, why);
    };
    size(1, "One tile: what is read from it must have been written by then.");
    size(16, "One tile: what is read from it must have been written by then.");
    size(17, "Two tiles: what is written for the second must not be needed for the first any more.");
    size(48, "");
    constexpr unsigned tiles = 3;  // in a row, and in a column, of the product of 48 x 48
    constexpr double warps = tiles * tiles * side * side / 32.0;
    exercise.at_most(budgets::barrier_arrivals(warps * tiles * 2), "Two barriers a tile are enough.");
    exercise.at_most(budgets::load_requests(warps * tiles * 2),
                     "All lanes of a warp should read at once, and each float of a tile once.");
}
