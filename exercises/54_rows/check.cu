// Rows of many lengths; then instructions and sectors with two long rows among short ones.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <rows.cu>

namespace {

constexpr unsigned threads = 128;

lanes::Comparison summed(const std::vector<unsigned>& lengths) {
    const int each = lanes::Exercise::constant(threads_a_row);
    if (each < 1 || each > 32 || 32 % each != 0)
        return lanes::Comparison("threads_a_row is " + std::to_string(each) + ", which does not divide 32");
    std::vector<unsigned> begins = {0};
    for (const unsigned length : lengths) begins.push_back(begins.back() + length);
    const auto values = lanes::Random().whole_numbers(begins.back());
    std::vector<float> expected(lengths.size());
    for (std::size_t row = 0; row < lengths.size(); ++row)
        for (unsigned i = begins[row]; i < begins[row + 1]; ++i) expected[row] += values[i];
    const lanes::DeviceArray<float> values_on_device(values);
    const lanes::DeviceArray<unsigned> begins_on_device(begins);
    lanes::DeviceArray<float> sums(lengths.size());
    const auto rows = static_cast<unsigned>(lengths.size());
    row_sums<<<lanes::blocks_for(rows * static_cast<std::size_t>(each), threads), threads>>>(
        values_on_device.data(), begins_on_device.data(), sums.data(), rows);
    lanes::check_launch("row_sums");
    return lanes::equal(sums.to_host(), expected);
}

// 62 rows of 32 values, and two of 2000.
std::vector<unsigned> uneven() {
    std::vector<unsigned> lengths(64, 32);
    lengths[10] = lengths[40] = 2000;
    return lengths;
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Loops: the slowest lane decides");
    exercise.input("1 row of 1 value", [] { return summed({1}); });
    exercise.input(
        "1 row of 40 values", [] { return summed({40}); }, "More values than lanes: every value is somebody's.");
    exercise.input(
        "rows of 0, 5, 33 and 2 values",
        [] {
            return summed({0, 5, 33, 2});
        },
        "Rows must not get into each other's sums, and an empty one has the sum 0.");
    exercise.input("62 rows of 32 values, two of 2000", [] { return summed(uneven()); });
    exercise.at_most(budgets::load_requests(62 * 32 + 2 * 2000),
                     "With as many requests as values, lanes do not read at once.");
    exercise.at_most(budgets::warp_instructions(8000), "A warp works as long as its slowest lane. Who could help it?");
    exercise.at_most(budgets::load_sectors(1500), "In each turn, the lanes of a row should read neighbouring values.");
}
