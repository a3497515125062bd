// Each prediction against the divergent branches that the emulator counts in two warps.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <branches.cu>
#include <functional>

namespace {

constexpr unsigned threads = 64;
constexpr unsigned turns = 5;

unsigned multiplied(unsigned value, unsigned times) {
    for (unsigned k = 0; k < times; ++k) value = value * 1664525 + 1013904223;
    return value;
}

unsigned shifted(unsigned value) {
    for (unsigned k = 0; k < turns; ++k) value ^= value << 3;
    return value;
}

using Host = unsigned (*)(unsigned value, unsigned thread);

std::function<lanes::Comparison()> changed(const std::function<void(unsigned*)>& launch, Host host) {
    return [=] {
        const auto before = lanes::Random().whole_numbers<unsigned>(threads, 0, 1000);
        auto expected = before;
        for (unsigned t = 0; t < threads; ++t) expected[t] = host(before[t], t);
        lanes::DeviceArray<unsigned> x(before);
        launch(x.data());
        lanes::check_launch("the kernel");
        return lanes::equal(x.to_host(), expected);
    };
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const Budget divergent = budgets::divergent_branches();
    exercise.section("A warp goes both ways");
    exercise.prediction(half_and_half_divergent, "half_and_half", divergent,
                        changed([](unsigned* x) { half_and_half<<<1, threads>>>(x, turns); },
                                [](unsigned value, unsigned thread) {
                                    return thread % 32 < 16 ? multiplied(value, turns) : shifted(value);
                                }),
                        {{1, "There are two warps, and each of them divides."},
                         {12, "Within an arm all lanes turn as often: its loop divides nobody."}});
    exercise.prediction(
        by_warp_divergent, "by_warp", divergent,
        changed(
            [](unsigned* x) { by_warp<<<1, threads>>>(x, turns); },
            [](unsigned value, unsigned thread) { return thread < 32 ? multiplied(value, turns) : shifted(value); }),
        {{1, "The block goes both ways. Does any warp?"}, {2, "The block goes both ways. Does any warp?"}});
    exercise.section("Is there a branch at all?");
    exercise.prediction(constants_only_divergent, "constants_only", divergent,
                        changed([](unsigned* x) { constants_only<<<1, threads>>>(x); },
                                [](unsigned value, unsigned thread) { return value + (thread % 2 == 0 ? 3 : 5); }),
                        {{2, "Both arms are the same but for a constant. Need the compiler make a branch of that?"}});
    exercise.section("Loops: the slowest lane decides");
    exercise.prediction(four_lengths_divergent, "four_lengths", divergent,
                        changed([](unsigned* x) { four_lengths<<<1, threads>>>(x); },
                                [](unsigned value, unsigned thread) { return multiplied(value, thread % 4 + 1); }),
                        {{8, "In the last turn all lanes that are left leave together: that is not divergent."},
                         {3, "There are two warps."}});
}
