/// @file
/// @brief Damages data in many ways, each in a buffer of exactly its size so that a sanitizer sees any read outside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <span>
#include <vector>

namespace lanes::runtime::tests {

/// Gives every start of the data to a function.
/// @param data  the undamaged data
/// @param step  bytes between two lengths
/// @param use   takes a span
template <typename Use>
void for_each_truncation(const std::vector<std::byte>& data, std::size_t step, Use use) {
    for (std::size_t size = 0; size < data.size(); size += step) {
        const auto copy = std::make_unique<std::byte[]>(size);
        std::copy_n(data.begin(), size, copy.get());
        use(std::span<const std::byte>(copy.get(), size));
    }
}

/// Gives copies with a few bytes changed to a function. Early bytes are changed most often: headers are there.
/// @param data   the undamaged data
/// @param count  how many copies
/// @param use    takes a span
template <typename Use>
void for_each_mutation(const std::vector<std::byte>& data, int count, Use use) {
    std::mt19937 random(20260101);
    for (int i = 0; i < count; ++i) {
        const auto copy = std::make_unique<std::byte[]>(data.size());
        std::copy(data.begin(), data.end(), copy.get());
        const int changes = 1 + static_cast<int>(random() % 4);
        for (int change = 0; change < changes; ++change) {
            const std::size_t range = random() % 2 == 0 ? data.size() : std::min<std::size_t>(data.size(), 256);
            copy[random() % range] = static_cast<std::byte>(random());
        }
        use(std::span<const std::byte>(copy.get(), data.size()));
    }
}

}  // namespace lanes::runtime::tests
