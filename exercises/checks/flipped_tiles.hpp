/// @file
/// @brief What the exercises on transposed tiles check.
#pragma once

#include <lanes/device_array.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <vector>

namespace checks {

/// @brief Transposes tiles, each in its place, and compares with the host.
/// @param tiles  how many
/// @param side   floats of a tile in either direction; a block has as many threads
/// @param kernel the student's, of (in, out)
inline lanes::Comparison flipped_tiles(unsigned tiles, unsigned side, void (*kernel)(const float*, float*)) {
    const std::size_t size = std::size_t{side} * side;
    const auto in = lanes::Random().whole_numbers(tiles * size);
    std::vector<float> expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) expected[i] = in[i / size * size + i % side * side + i % size / side];
    const lanes::DeviceArray<float> on_device(in);
    lanes::DeviceArray<float> out(in.size());
    kernel<<<tiles, dim3(side, side)>>>(on_device.data(), out.data());
    lanes::check_launch("flip_tiles");
    return lanes::equal(out.to_host(), expected, {.columns = side});
}

}  // namespace checks
