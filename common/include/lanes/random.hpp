/// @file
/// @brief Random input that is the same on every machine: a fixed seed, which each program prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

namespace lanes {

/// The seed of every program's input; printed at the start and recorded with the results.
inline constexpr std::uint64_t default_seed = 1;

/// @brief Draws input for kernels.
///
/// The standard's distributions differ between libraries, its engines do not: so the mapping to a range is our own.
class Random {
public:
    /// Starts the sequence of a seed.
    explicit Random(std::uint64_t seed = default_seed) : engine_(seed) {}

    /// @brief Whole numbers, for checks that ask for equality: as floats they add up exactly below 2^24.
    /// @tparam T element type, float by default
    /// @param size how many
    /// @param low  smallest value
    /// @param high largest value, at least `low`
    template <typename T = float>
    std::vector<T> whole_numbers(std::size_t size, int low = -8, int high = 8) {
        if (high < low) throw std::invalid_argument("Random::whole_numbers: the range is empty");
        const auto values = static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low) + 1;
        std::vector<T> numbers(size);
        for (auto& number : numbers) {
            number = static_cast<T>(low + static_cast<std::int64_t>((engine_() >> 32U) * values >> 32U));
        }
        return numbers;
    }

    /// @brief Uniform floats in [low, high).
    /// @tparam T float or double
    /// @param size how many
    /// @param low  lower end
    /// @param high upper end
    template <typename T = float>
    std::vector<T> uniform(std::size_t size, T low = T{-1}, T high = T{1}) {
        std::vector<T> numbers(size);
        // 24 random bits: as many as a float's significand holds, so that no value rounds up to the upper end.
        for (auto& number : numbers) number = low + (high - low) * (static_cast<T>(engine_() >> 40U) * T{0x1p-24});
        return numbers;
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace lanes
