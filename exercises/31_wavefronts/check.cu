// Each prediction against the wavefronts that the emulator counts.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <functional>
#include <wavefronts.cu>

namespace {

using Source = std::size_t (*)(std::size_t);

// Launches a kernel of one block that copies in[source(i)] to out[i]. Number is what arrays hold, Element what the
// kernel takes: several numbers, perhaps.
template <typename Number, typename Element>
std::function<lanes::Comparison()> copied(void (*kernel)(const Element*, Element*), dim3 block, Source source) {
    return [=] {
        const auto in = lanes::Random().whole_numbers<Number>(2048);
        std::vector<Number> expected(block.x * block.y * sizeof(Element) / sizeof(Number));
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = in[source(i)];
        const lanes::DeviceArray<Number> on_device(in);
        lanes::DeviceArray<Number> out(expected.size());
        kernel<<<1, block>>>(reinterpret_cast<const Element*>(on_device.data()),
                             reinterpret_cast<Element*>(out.data()));
        lanes::check_launch("the kernel");
        return lanes::equal(out.to_host(), expected);
    };
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const Budget wavefronts = budgets::wavefronts_per_shared_load();
    const dim3 warp(32);
    exercise.section("32 buckets");
    exercise.prediction(every_second_wavefronts, "every_second", wavefronts,
                        copied<float>(every_second, warp, [](std::size_t i) { return 2 * i; }),
                        {{1, "Lanes 0 and 16 want words 0 and 32."}});
    exercise.section("Sharing a word");
    exercise.prediction(two_words_wavefronts, "two_words", wavefronts,
                        copied<float>(two_words, warp, [](std::size_t i) { return i / 16 * 32; }),
                        {{1, "Two words, and 32 words apart: in which bank is each?"},
                         {16, "Lanes that want the same word share it: count the words of a bank, not the lanes."}});
    exercise.section("Wider elements");
    exercise.prediction(four_floats_wavefronts, "four_floats", wavefronts,
                        copied<float>(four_floats, warp, [](std::size_t i) { return (31 - i / 4) * 4 + i % 4; }),
                        {{1, "A wavefront brings 128 bytes at most, and the lanes want 512."}});
    exercise.prediction(
        column_of_doubles_wavefronts, "column_of_doubles", wavefronts,
        copied<double>(column_of_doubles, warp, [](std::size_t i) { return i * 33 + 5; }),
        {{1, "A wavefront brings 128 bytes at most, and the lanes want 256."},
         {4, "Each half of the warp is served by itself. Within a half, no bank is asked for two words."}});
    exercise.section("Sixteen wide: when padding is not enough");
    exercise.prediction(sixteen_padded_wavefronts, "sixteen_padded", wavefronts,
                        copied<float>(sixteen_padded, dim3(16, 16), [](std::size_t i) { return i % 16 * 16 + i / 16; }),
                        {{1, "A warp is two rows of this block, and so it reads two columns of the tile."}});
}
