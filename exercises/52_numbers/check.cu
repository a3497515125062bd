// Lists of all, of some, and of few; then atomics.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <algorithm>
#include <numbers.cu>

namespace {

constexpr unsigned threads = 128;

lanes::Comparison listed(const std::vector<int>& in) {
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < in.size(); ++i)
        if (in[i] > 0) expected.push_back(i);
    const lanes::DeviceArray<int> on_device(in);
    lanes::DeviceArray<unsigned> list(in.size());
    lanes::DeviceArray<unsigned> taken(std::vector<unsigned>{0});
    const auto count = static_cast<unsigned>(in.size());
    list_positive<<<lanes::blocks_for(count, threads), threads>>>(on_device.data(), list.data(), taken.data(), count);
    lanes::check_launch("list_positive");
    const unsigned length = taken.to_host()[0];
    if (length != expected.size())
        return lanes::Comparison("taken is " + std::to_string(length) + ", and there are " +
                                 std::to_string(expected.size()) + " positive numbers");
    auto got = list.to_host();
    got.resize(length);
    std::sort(got.begin(), got.end());
    return lanes::equal(got, expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Lanes that act together");
    exercise.input("32 positive numbers", [] { return listed(std::vector<int>(32, 1)); });
    exercise.input(
        "-1 and 31 positive numbers",
        [] {
            std::vector<int> in(32, 1);
            in[0] = -1;
            return listed(in);
        },
        "Lane 0 does not come into the branch. Who is named, and who leads?");
    exercise.input(
        "20 positive numbers", [] { return listed(std::vector<int>(20, 1)); }, "12 lanes have no number at all.");
    exercise.input("1000 numbers", [] { return listed(lanes::Random().whole_numbers<int>(1000)); });
    exercise.at_most(budgets::atomic_requests(32), "One atomic a warp is enough.");
    exercise.at_most(budgets::load_requests(32), "All lanes of a warp should read at once, and each number once.");
}
