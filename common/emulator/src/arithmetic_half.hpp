/// @file
/// @brief The 16-bit floating-point formats in software: f16 (IEEE binary16) and bf16 (the upper half of an f32).
///
/// Every value of either format is exactly a float, so arithmetic is done in float or double and rounded back.
#pragma once

#include <bit>
#include <cstdint>

#include "arithmetic_numbers.hpp"

namespace lanes::emulator {

/// f16: 5 bits of exponent, 10 of fraction.
struct Binary16 {
    static constexpr std::uint16_t one = 0x3c00u;
    static constexpr std::uint16_t largest = 0x7bffu;
    static constexpr std::uint16_t smallest_normal = 0x0400u;
    static constexpr float unit = 0x1p-10f;  ///< in the last place of one

    static float decode(std::uint16_t half) {
        const std::uint32_t sign = (half & 0x8000u) << 16;
        const std::uint32_t magnitude = (half & 0x7fffu) << 13;
        // The exponents' biases differ by 112; the product makes normal numbers of subnormal ones too.
        const float finite = std::bit_cast<float>(magnitude) * 0x1p112f;
        const std::uint32_t special = magnitude > 0x0f800000u ? canonical_nan_f32 : 0x7f800000u;
        const std::uint32_t bits = magnitude >= 0x0f800000u ? special : std::bit_cast<std::uint32_t>(finite);
        return std::bit_cast<float>(sign | bits);
    }

    /// Rounds to nearest, ties to even.
    static std::uint16_t encode(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = bits >> 16 & 0x8000u;
        const std::uint32_t magnitude = bits & 0x7fffffffu;
        // Below 2^-14 the last digit is 2^-24, which is also the last digit of 0.5f + magnitude.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
        const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u;
        const std::uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
        const std::uint32_t finite = magnitude < 0x38800000u ? subnormal : normal;
        const std::uint32_t bounded = magnitude >= 0x47800000u ? 0x7c00u : finite;
        return static_cast<std::uint16_t>(magnitude > 0x7f800000u ? canonical_nan_half : sign | bounded);
    }
};

/// bf16: 8 bits of exponent, 7 of fraction.
struct Brain16 {
    static constexpr std::uint16_t one = 0x3f80u;
    static constexpr std::uint16_t largest = 0x7f7fu;
    static constexpr std::uint16_t smallest_normal = 0x0080u;
    static constexpr float unit = 0x1p-7f;  ///< in the last place of one

    static float decode(std::uint16_t half) { return std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16); }

    /// Rounds to nearest, ties to even.
    static std::uint16_t encode(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
        return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? canonical_nan_half : rounded);
    }
};

/// What `.ftz` does with a result: it becomes zero if, rounded with an unlimited exponent, it is below the smallest
/// normal number (see flush_result). Half a unit below it is a tie, which rounds up.
/// @param value  the result before it is rounded to the format
template <typename Format>
std::uint16_t encode_flushed(float value) {
    constexpr float half_unit = Format::unit / 2;
    const float smallest = Format::decode(Format::smallest_normal);
    const std::uint16_t half = Format::encode(value);
    const bool tiny = std::fabs(value) < smallest * (1.0f - half_unit / 2);
    return static_cast<std::uint16_t>(tiny ? half & 0x8000u : half);
}

/// Subnormal halves become zeros of their sign.
template <typename Format>
std::uint16_t flush_half(std::uint16_t half) {
    const bool subnormal = (half & 0x7fffu) < Format::smallest_normal;
    return static_cast<std::uint16_t>(subnormal ? half & 0x8000u : half);
}

/// The next half toward plus infinity; for halves that are not NaN.
inline std::uint16_t next_half_up(std::uint16_t half) {
    const int away_or_back = (half & 0x8000u) != 0 ? half - 1 : half + 1;
    return static_cast<std::uint16_t>((half & 0x7fffu) == 0 ? 1 : away_or_back);
}

/// The next half toward minus infinity.
inline std::uint16_t next_half_down(std::uint16_t half) {
    return static_cast<std::uint16_t>(next_half_up(static_cast<std::uint16_t>(half ^ 0x8000u)) ^ 0x8000u);
}

/// Rounds a float to a 16-bit format.
template <typename Format, Rounding rounding>
std::uint16_t encode_half(float value) {
    const std::uint16_t nearest = Format::encode(value);
    const float residual = value - Format::decode(nearest);
    const bool toward_zero = rounding == Rounding::zero;
    const bool may_go_down = rounding == Rounding::minus_infinity || (toward_zero && value > 0.0f);
    const bool may_go_up = rounding == Rounding::plus_infinity || (toward_zero && value < 0.0f);
    if (may_go_down && residual < 0.0f) return next_half_down(nearest);
    return may_go_up && residual > 0.0f ? next_half_up(nearest) : nearest;
}

/// The float that rounds to any 16-bit format as the double does: the last bit tells that something was lost.
inline float float_round_to_odd(double value) {
    const auto nearest = static_cast<float>(value);
    const double error = value - static_cast<double>(nearest);
    const auto bits = std::bit_cast<std::int32_t>(nearest);
    const bool inexact = (error > 0 || error < 0) && (bits & 1) == 0;
    const std::int32_t toward_error = (error > 0) == (value > 0) ? 1 : -1;
    return std::bit_cast<float>(inexact ? bits + toward_error : bits);
}

}  // namespace lanes::emulator
