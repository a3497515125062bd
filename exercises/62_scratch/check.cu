// Rows whose mean is a whole number; then barriers and shared memory.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <scratch.cu>

namespace {

// A row of random numbers whose last one makes the mean whole: so every sum is exact.
std::vector<float> row_with_whole_mean(lanes::Random& random) {
    auto row = random.whole_numbers(threads);
    const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
    row.back() -= sum - std::round(sum / threads) * threads;
    return row;
}

lanes::Comparison centred(unsigned count) {
    lanes::Random random;
    std::vector<float> rows;
    std::vector<float> expected;
    std::vector<float> squares;
    for (unsigned r = 0; r < count; ++r) {
        const auto row = row_with_whole_mean(random);
        const float mean = std::accumulate(row.begin(), row.end(), 0.0f) / threads;
        squares.push_back(0.0f);
        for (const float x : row) {
            rows.push_back(x);
            expected.push_back(x - mean);
            squares.back() += (x - mean) * (x - mean);
        }
    }
    lanes::DeviceArray<float> on_device(rows);
    lanes::DeviceArray<float> squares_on_device(count);
    centre<<<count, threads>>>(on_device.data(), squares_on_device.data());
    lanes::check_launch("centre");
    const auto deviations = lanes::equal(on_device.to_host(), expected, {.columns = threads});
    return deviations ? lanes::equal(squares_on_device.to_host(), squares) : deviations;
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Pitfalls");
    exercise.input(
        "1 row", [] { return centred(1); },
        "All threads read the first sum from scratch[0]. Who writes there next, and when?");
    exercise.input("5 rows", [] { return centred(5); });
    exercise.section("A tree in a block");
    constexpr double warps = 5 * threads / 32.0;
    exercise.at_most(budgets::barrier_arrivals(warps * 17),
                     "A sum needs 8 barriers, and the two sums one between them.");
    exercise.at_most(budgets::load_requests(warps * 2),
                     "All lanes of a warp should read at once, and each float twice.");
}
