// One tile and several; then bank conflicts.
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>

#include <checks/flipped_tiles.hpp>
#include <padded.cu>

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Transposing through a tile");
    exercise.input(
        "1 tile", [] { return checks::flipped_tiles(1, side, flip_tiles); },
        "What is stored at one place must be looked for there.");
    exercise.input("3 tiles", [] { return checks::flipped_tiles(3, side, flip_tiles); });
    exercise.at_most(budgets::bank_conflicts(0), "Which word does lane x read, and in which bank is it?");
    exercise.section("The other half of the contract");
    exercise.at_most(budgets::sectors_per_load(4));
    exercise.at_most(budgets::sectors_per_store(4));
    exercise.at_most(budgets::load_requests(3 * side * side / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
