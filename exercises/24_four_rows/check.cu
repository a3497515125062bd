// Products of one tile and of several; then what the product of 64 x 64 asks of shared memory.
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>

#include <checks/product.hpp>
#include <four_rows.cu>

namespace {

constexpr unsigned large = 64;

lanes::Comparison product(unsigned n) {
    const int rows_of_thread = lanes::Exercise::constant(rows_a_thread);
    if (rows_of_thread < 1 || side % static_cast<unsigned>(rows_of_thread) != 0)
        return lanes::Comparison("rows_a_thread is " + std::to_string(rows_of_thread) + ", which does not divide 16");
    const unsigned blocks = lanes::blocks_for(n, side);
    const dim3 block(side, side / static_cast<unsigned>(rows_of_thread));
    return checks::product(
        n, [=](const float* a, const float* b, float* c) { multiply<<<dim3(blocks, blocks), block>>>(a, b, c, n); });
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Registers: a tile for each thread");
    for (const unsigned n : {16U, 32U, large})
        exercise.input(
            "n = " + std::to_string(n), [n] { return product(n); },
            "All 16 rows of a tile must be loaded, and all 16 computed, by fewer threads.");
    exercise.at_most(budgets::bank_conflicts(0),
                     "Which rows do the two halves of a warp read? 2, 4 or 6 rows apart are in the same banks.");
    constexpr double multiply_adds_of_warps = large * large * large / 32.0;
    exercise.at_most(budgets::shared_load_wavefronts(1.25 * multiply_adds_of_warps),
                     "A float of b_tile serves all rows of a thread, if it is loaded once.");
    exercise.section("What is asked for, and what moves");
    constexpr double tiles_loaded = large / side * large / side * large / side * 2.0;
    exercise.at_most(budgets::load_requests(tiles_loaded * side * side / 32),
                     "All lanes of a warp should read at once, and each float of a tile once.");
    exercise.at_most(budgets::load_sectors(tiles_loaded * side * side / 8),
                     "Neighbouring lanes should read neighbours.");
}
