/// @file
/// @brief f16 and bf16 for references: decoded by their definition, rounded by looking up the neighbours in a table.
#pragma once

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace lanes::emulator {

/// A 16-bit format with that many bits of fraction; the rest but the sign is exponent.
class HalfReference {
public:
    explicit HalfReference(int fraction_bits) : fraction_bits_(fraction_bits) {
        // The pattern of infinity counts as the number that would come next: overflow is rounding up to it.
        for (std::uint32_t bits = 0; bits <= infinity(); ++bits) magnitudes_.push_back(magnitude(bits));
    }

    std::uint32_t infinity() const { return 0x7fffu >> fraction_bits_ << fraction_bits_; }
    bool is_nan(std::uint16_t half) const { return (half & 0x7fffu) > infinity(); }
    bool is_subnormal(std::uint16_t half) const {
        const std::uint32_t bits = half & 0x7fffu;
        return bits != 0 && bits < 1u << fraction_bits_;
    }

    double decode(std::uint16_t half) const {
        const std::uint32_t bits = half & 0x7fffu;
        if (bits > infinity()) return std::nan("");
        const double value = bits == infinity() ? HUGE_VAL : magnitudes_[bits];
        return half > 0x7fff ? -value : value;
    }

    /// Rounds a value whose magnitude is |value|, or a little more if `more`.
    /// @param mode  FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD or FE_UPWARD
    std::uint16_t round(double value, bool more = false, int mode = FE_TONEAREST) const {
        if (std::isnan(value)) return 0x7fff;
        const bool negative = std::signbit(value);
        const double size = std::fabs(value);
        std::uint32_t below = infinity();
        if (size < magnitudes_.back()) {
            const auto above = std::upper_bound(magnitudes_.begin(), magnitudes_.end(), size);
            below = static_cast<std::uint32_t>(above - magnitudes_.begin()) - 1;
        }
        if (below < infinity() && rounds_up(size, more, below, negative, mode)) ++below;
        const bool from_infinity = std::isinf(value);
        const bool away = mode == FE_TONEAREST || mode == (negative ? FE_DOWNWARD : FE_UPWARD);
        if (below >= infinity()) below = from_infinity || away ? infinity() : infinity() - 1;
        return static_cast<std::uint16_t>(below | (negative ? 0x8000u : 0u));
    }

    /// Zeros, subnormal and normal limits, ones, the largest, infinity, NaNs, and some random ones, of both signs.
    std::vector<std::uint16_t> edges() const {
        const std::uint32_t normal = 1u << fraction_bits_;
        const std::uint32_t one = 0x3fffu >> fraction_bits_ << fraction_bits_;
        std::vector<std::uint16_t> values;
        const auto add = [&](std::uint32_t bits) {
            values.push_back(static_cast<std::uint16_t>(bits));
            values.push_back(static_cast<std::uint16_t>(bits | 0x8000u));
        };
        for (const std::uint32_t bits : {0u,
                                         1u,
                                         2u,
                                         3u,
                                         normal / 2,
                                         normal - 1,
                                         normal,
                                         normal + 1,
                                         one - 1,
                                         one,
                                         one + 1,
                                         one + normal,
                                         one + normal / 2,
                                         one - normal,
                                         infinity() - 1,
                                         infinity() - 2,
                                         infinity() - normal,
                                         infinity(),
                                         infinity() + 1,
                                         0x7fffu}) {
            add(bits);
        }
        std::mt19937 random(16);
        for (int i = 0; i < 20; ++i) add(static_cast<std::uint32_t>(random() & 0x7fffu));
        return values;
    }

private:
    double magnitude(std::uint32_t bits) const {
        const int exponent_bits = 15 - fraction_bits_;
        const int bias = (1 << (exponent_bits - 1)) - 1;
        const int biased = static_cast<int>(bits >> fraction_bits_);
        const double fraction = (bits & ((1u << fraction_bits_) - 1)) / std::ldexp(1.0, fraction_bits_);
        return biased == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, biased - bias);
    }

    bool rounds_up(double size, bool more, std::uint32_t below, bool negative, int mode) const {
        const double low = magnitudes_[below];
        if (mode == FE_TOWARDZERO || (size == low && !more)) return false;
        if (mode != FE_TONEAREST) return (mode == FE_DOWNWARD) == negative;
        const double middle = (low + magnitudes_[below + 1]) / 2;
        if (size != middle) return size > middle;
        return more || below % 2 != 0;
    }

    int fraction_bits_;
    std::vector<double> magnitudes_;
};

}  // namespace lanes::emulator
