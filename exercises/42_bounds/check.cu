// Arrays of full pieces, and of one that is not.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <algorithm>
#include <bounds.cu>

namespace {

constexpr unsigned threads_of_launch = 128;

lanes::Comparison reversed(unsigned count) {
    const auto in = lanes::Random().whole_numbers(count, 1, 1000);
    auto expected = in;
    for (unsigned first = 0; first < count; first += threads_of_launch)
        std::reverse(expected.begin() + first, expected.begin() + std::min(first + threads_of_launch, count));
    const lanes::DeviceArray<float> on_device(in);
    lanes::DeviceArray<float> out(count);
    reverse_pieces<<<lanes::blocks_for(count, threads_of_launch), threads_of_launch>>>(on_device.data(), out.data(),
                                                                                       count);
    lanes::check_launch("reverse_pieces");
    return lanes::equal(out.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Pitfalls");
    exercise.input(
        "128 elements", [] { return reversed(128); },
        "A launch bound is a promise: no block has more threads than that.");
    exercise.input(
        "5 elements", [] { return reversed(5); }, "A piece of 5 elements begins with the fifth, when it is reversed.");
    exercise.input("300 elements", [] { return reversed(300); });
    exercise.section("The size of a block");
    exercise.at_most(budgets::barrier_arrivals(3 * threads_of_launch / 32.0), "One barrier is enough.");
    exercise.at_most(budgets::load_requests(300 / 32 + 1),
                     "All lanes of a warp should read at once, and each float once.");
}
