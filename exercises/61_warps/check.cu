// Each prediction against what the emulator counts for one block of 128 threads.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <functional>
#include <numeric>
#include <warps.cu>

namespace {

constexpr unsigned threads = 128;

std::function<lanes::Comparison()> summed(void (*kernel)(const float*, float*), unsigned step) {
    return [=] {
        const auto in = lanes::Random().whole_numbers(threads);
        std::vector<float> expected = {std::accumulate(in.begin(), in.end(), 0.0f)};
        if (step > 0) {
            expected.clear();
            for (std::size_t i = 0; i < threads; i += 2 * step) expected.push_back(in[i] + in[i + step]);
        }
        const lanes::DeviceArray<float> on_device(in);
        lanes::DeviceArray<float> out(expected.size());
        kernel<<<1, threads>>>(on_device.data(), out.data());
        lanes::check_launch("the kernel");
        return lanes::equal(out.to_host(), expected);
    };
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const Budget stores = budgets::shared_store_wavefronts();
    exercise.section("47 warps or 12");
    exercise.prediction(interleaved_store_wavefronts, "interleaved", stores, summed(interleaved, 0),
                        {{11, "In the first five steps every warp has a lane that adds."},
                         {23, "The 4 warps also store what they load, before the first step."}});
    exercise.prediction(sequential_store_wavefronts, "sequential", stores, summed(sequential, 0),
                        {{8, "The 4 warps also store what they load, before the first step."},
                         {11, "Count again from s = 64 on: 2 warps add, then 1 in each of six steps."}});
    exercise.prediction(strided_step_store_wavefronts, "strided_step", stores, summed(strided_step, 4),
                        {{5, "16 lanes of one warp store words that are 8 apart: how many different banks are these?"},
                         {20, "Words that are 8 apart fall into four banks, not into one."}});
    exercise.section("A tree in a block");
    exercise.prediction(sequential_arrivals, "sequential", budgets::barrier_arrivals(), summed(sequential, 0),
                        {{7, "Every warp comes to every barrier, also those that add nothing."}});
}
