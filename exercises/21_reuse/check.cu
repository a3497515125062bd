// Each prediction against what the emulator counts for a matrix of 64 x 64.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <functional>
#include <reuse.cu>

namespace {

constexpr unsigned n = 64;
constexpr unsigned turn = 5;

using Kernel = void (*)(const float*, float*, unsigned, unsigned);
using Source = std::size_t (*)(std::size_t row, std::size_t column);

// Launches a kernel that copies in[source(row, column)] to out[row][column].
std::function<lanes::Comparison()> copied(Kernel kernel, dim3 block, Source source) {
    return [=] {
        const auto in = lanes::Random().whole_numbers(n * n);
        std::vector<float> expected(n * n);
        for (std::size_t i = 0; i < n * n; ++i) expected[i] = in[source(i / n, i % n)];
        const lanes::DeviceArray<float> on_device(in);
        lanes::DeviceArray<float> out(n * n);
        kernel<<<dim3(n / block.x, n / block.y), block>>>(on_device.data(), out.data(), n, turn);
        lanes::check_launch("the kernel");
        return lanes::equal(out.to_host(), expected);
    };
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const Budget sectors = budgets::sectors_per_load();
    const Source of_a = [](std::size_t row, std::size_t) { return row * n + turn; };
    const Source of_b = [](std::size_t, std::size_t column) { return turn * n + column; };
    const Source of_tile = [](std::size_t row, std::size_t column) { return row * n + column / 16 * 16 + turn; };
    const dim3 wide(32, 8);
    const dim3 square(16, 16);
    exercise.section("What is asked for, and what moves");
    exercise.prediction(read_a_32_by_8_sectors, "read_a, 32 x 8", sectors, copied(read_a, wide, of_a),
                        {{32, "All 32 lanes have the same row, and so they want the same float."}});
    exercise.prediction(read_a_16_by_16_sectors, "read_a, 16 x 16", sectors, copied(read_a, square, of_a),
                        {{1, "A warp takes 32 threads in the order of their numbers: here, two rows of 16."}});
    exercise.prediction(read_b_32_by_8_sectors, "read_b, 32 x 8", sectors, copied(read_b, wide, of_b));
    exercise.prediction(read_b_16_by_16_sectors, "read_b, 16 x 16", sectors, copied(read_b, square, of_b),
                        {{4, "Both rows of the warp want the same 16 floats: 64 bytes."}});
    exercise.section("Tiles");
    exercise.prediction(read_tile_sectors, "read_tile", sectors, copied(read_tile, square, of_tile),
                        {{2, "The two rows of the warp lie n floats apart, each with 64 bytes of its own."}});
    exercise.prediction(read_tile_wavefronts, "read_tile", budgets::wavefronts_per_shared_load(),
                        copied(read_tile, square, of_tile),
                        {{2, "The warp wants two words, 16 words apart. Are they in the same bank?"},
                         {16, "Lanes that want the same word share it."}});
}
