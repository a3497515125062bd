// Sums of one block and of several; then the room that a block takes, and what it asks of memory.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <room.cu>

namespace {

lanes::Comparison summed(unsigned blocks) {
    const std::size_t height = std::size_t{blocks} * rows;
    const auto matrix = lanes::Random().whole_numbers(height * columns);
    std::vector<float> expected(height);
    for (std::size_t i = 0; i < matrix.size(); ++i) expected[i / columns] += matrix[i];
    const lanes::DeviceArray<float> on_device(matrix);
    lanes::DeviceArray<float> sums(height);
    row_sums<<<blocks, rows>>>(on_device.data(), sums.data());
    lanes::check_launch("row_sums");
    return lanes::equal(sums.to_host(), expected);
}

double shared_bytes() {
    cudaFuncAttributes attributes{};
    lanes::check(cudaFuncGetAttributes(&attributes, row_sums));
    return static_cast<double>(attributes.sharedSizeBytes);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Shared memory: the other currency");
    exercise.input(
        "1 block", [] { return summed(1); }, "Every float of a row counts once, in whichever piece it comes.");
    exercise.input("3 blocks", [] { return summed(3); });
    exercise.at_most("bytes of shared memory a block", shared_bytes(), 9216,
                     "With 9 KiB, and 1 KiB on top, ten blocks fit into 100 KiB.");
    exercise.section("Four things that run out");
    exercise.at_most(budgets::sectors_per_load(4),
                     "Shared memory is there so that global loads can go along the rows.");
    exercise.at_most(budgets::load_sectors(3 * rows * columns / 8.0),
                     "All lanes of a warp should read at once, and each float once.");
    exercise.at_most(budgets::bank_conflicts(0), "A piece needs padding as well.");
}
