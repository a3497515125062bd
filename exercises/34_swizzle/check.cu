// One tile and several; then bank conflicts, and the shared memory of a block.
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>

#include <checks/flipped_tiles.hpp>
#include <swizzle.cu>

namespace {

double shared_bytes() {
    cudaFuncAttributes attributes{};
    lanes::check(cudaFuncGetAttributes(&attributes, flip_tiles));
    return static_cast<double>(attributes.sharedSizeBytes);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Transposing through a tile");
    exercise.input(
        "1 tile", [] { return checks::flipped_tiles(1, side, flip_tiles); },
        "What is stored at one place must be looked for there.");
    exercise.input("3 tiles", [] { return checks::flipped_tiles(3, side, flip_tiles); });
    exercise.at_most(budgets::bank_conflicts(0),
                     "32 lanes must find 32 different banks, along a row and down a column.");
    exercise.at_most("bytes of shared memory a block", shared_bytes(), 4096, "Padding needs more. A swizzle does not.");
    exercise.section("The other half of the contract");
    exercise.at_most(budgets::sectors_per_load(4), "Swizzle the tile, and not the arrays in global memory.");
    exercise.at_most(budgets::sectors_per_store(4), "Swizzle the tile, and not the arrays in global memory.");
    exercise.at_most(budgets::load_requests(3 * side * side / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
