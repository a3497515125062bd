/// @file
/// @brief What the exercises on matrix products check.
#pragma once

#include <lanes/device_array.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <vector>

namespace checks {

/// @brief Multiplies two matrices of whole numbers, and compares with the host's product.
/// @param n      rows and columns
/// @param launch called with the device's arrays of A, B and C: launches the student's kernel
template <typename Launch>
lanes::Comparison product(unsigned n, const Launch& launch) {
    lanes::Random random;
    const auto a = random.whole_numbers(std::size_t{n} * n);
    const auto b = random.whole_numbers(std::size_t{n} * n);
    std::vector<float> expected(a.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t k = 0; k < n; ++k) expected[i] += a[i / n * n + k] * b[k * n + i % n];
    const lanes::DeviceArray<float> a_on_device(a);
    const lanes::DeviceArray<float> b_on_device(b);
    lanes::DeviceArray<float> c(expected.size());
    launch(a_on_device.data(), b_on_device.data(), c.data());
    lanes::check_launch("the product");
    return lanes::equal(c.to_host(), expected, {.columns = n});
}

}  // namespace checks
