// Arrays of many lengths; then divergence and instructions of a long one.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <even_odd.cu>

namespace {

constexpr unsigned large = 1024;

unsigned mixed_even(unsigned x) {
    for (int turn = 0; turn < 20; ++turn) x = x * 1664525 + 1013904223;
    return x;
}

unsigned mixed_odd(unsigned x) {
    for (int turn = 0; turn < 20; ++turn) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

lanes::Comparison mixed(unsigned count) {
    const auto in = lanes::Random().whole_numbers<unsigned>(count, 1, 1000);
    auto expected = in;
    for (unsigned i = 0; i < count; ++i) expected[i] = i % 2 == 0 ? mixed_even(in[i]) : mixed_odd(in[i]);
    const lanes::DeviceArray<unsigned> on_device(in);
    lanes::DeviceArray<unsigned> out(count);
    mix<<<lanes::blocks_for(count, threads), threads>>>(on_device.data(), out.data(), count);
    lanes::check_launch("mix");
    return lanes::equal(out.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("First remedy: order within a block");
    for (const unsigned count : {1U, 2U, 63U, 129U, large})
        exercise.input(
            "count = " + std::to_string(count), [count] { return mixed(count); },
            "Every element has one thread, in a short last block as well.");
    exercise.section("A warp goes both ways");
    exercise.at_most(budgets::divergent_branches(0), "All lanes of a warp should have elements of one kind.");
    exercise.at_most(budgets::warp_instructions(large / 32 * 220.0),
                     "Doing both kinds of work and keeping one result costs as much as going both ways.");
    exercise.section("When it costs no time");
    exercise.at_most(budgets::sectors_per_load(8), "Elements of one kind are every second one: 8 sectors a request.");
}
