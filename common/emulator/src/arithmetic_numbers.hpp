/// @file
/// @brief Floating-point rules of NVIDIA's hardware on single values: canonical NaN, flushing, saturation, rounding.
///
/// Directed roundings are computed from exact error terms instead of the host's rounding mode: that vectorises, and it
/// works where the host has no such mode (WebAssembly). All of it relies on strict IEEE evaluation. Contraction to
/// fused operations does no harm: wherever a product is added to, it is exact.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arithmetic.hpp"

#ifdef __FAST_MATH__
#error "The emulator's arithmetic needs strict IEEE evaluation: build it without -ffast-math."
#endif

namespace lanes::emulator {

/// Every f32 operation that results in NaN results in this one.
inline constexpr std::uint32_t canonical_nan_f32 = 0x7fffffffu;
/// What f64 operations without a NaN among their inputs give, such as infinity - infinity.
inline constexpr std::uint64_t default_nan_f64 = 0xfff8000000000000u;
/// The quiet NaN of f16 and bf16 operations.
inline constexpr std::uint16_t canonical_nan_half = 0x7fffu;

inline float canonical(float value) {
    return std::isnan(value) ? std::bit_cast<float>(canonical_nan_f32) : value;
}

/// The sign bit. std::signbit would do, but g++ 12 cannot compile it in a loop vectorised for AVX-512.
inline bool is_negative(float value) {
    return std::bit_cast<std::int32_t>(value) < 0;
}
inline bool is_negative(double value) {
    return std::bit_cast<std::int64_t>(value) < 0;
}

/// Subnormal numbers become zeros of their sign.
inline float flush(float value) {
    const auto zero = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & 0x80000000u);
    return std::fabs(value) < std::numeric_limits<float>::min() ? zero : value;
}

/// Clamps to [0, 1]; NaN becomes +0.
inline float saturate(float value) {
    const float positive = value > 0.0f ? value : 0.0f;
    return positive < 1.0f ? positive : 1.0f;
}

/// Times this, a result that `.ftz` might flush is rounded as if exponents had no limit.
inline constexpr float flush_scale = 0x1p24f;

/// What `.ftz` does with a rounded result. Hardware decides by the result rounded to 24 digits with an unlimited
/// exponent: if that is below the smallest normal number, it becomes zero, even where it would round up to it.
/// @param scaled  flush_scale times the exact result, rounded in the same direction
inline float flush_result(float rounded, float scaled) {
    const auto zero = std::bit_cast<float>(std::bit_cast<std::uint32_t>(rounded) & 0x80000000u);
    return std::fabs(scaled) < std::numeric_limits<float>::min() * flush_scale ? zero : rounded;
}

template <bool flushes>
float input(float value) {
    return flushes ? flush(value) : value;
}

/// What an f32 operation does with its result.
template <bool flushes, bool saturates>
float output(float value) {
    const float kept = flushes ? flush(value) : value;
    return saturates ? saturate(kept) : canonical(kept);
}

/// Makes a NaN quiet.
inline double quiet(double value) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | 0x0008000000000000u);
}

/// What an f64 operation does with its result: a NaN is the first NaN among `inputs`, made quiet. Hardware takes that
/// of the second operand before that of the third and the first: give them in this order.
template <typename... Inputs>
double output_f64(double result, Inputs... inputs) {
    auto nan = std::bit_cast<double>(default_nan_f64);
    const double operands[] = {inputs...};
    // From the last to the first, so that the first NaN is the one that stays.
    for (std::size_t i = sizeof...(inputs); i-- > 0;) nan = std::isnan(operands[i]) ? quiet(operands[i]) : nan;
    return std::isnan(result) ? nan : result;
}

/// The smaller number, where -0 < +0; NaN only if both are.
template <typename T>
T smaller(T a, T b) {
    const T of_zeros = is_negative(a) ? a : b;
    const T of_different = a < b ? a : b;
    const T of_numbers = a == b ? of_zeros : of_different;
    const T of_any_b = std::isnan(b) ? a : of_numbers;
    return std::isnan(a) ? b : of_any_b;
}

/// The larger number, where +0 > -0; NaN only if both are.
template <typename T>
T larger(T a, T b) {
    return -smaller(-a, -b);
}

inline float next_up(float value) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    const std::int32_t next = value == 0.0f ? 1 : bits < 0 ? bits - 1 : bits + 1;
    return std::bit_cast<float>(next);
}

inline float next_down(float value) {
    return -next_up(-value);
}

/// Corrects `nearest`, one of the two floats around an exact result.
/// @param residual  has the sign of (exact result - nearest); NaN or 0 if nothing is to correct
template <Rounding rounding>
float correct(float nearest, double residual) {
    const bool may_go_down = rounding == Rounding::minus_infinity || (rounding == Rounding::zero && nearest > 0.0f);
    const bool may_go_up = rounding == Rounding::plus_infinity || (rounding == Rounding::zero && nearest < 0.0f);
    const float lowered = may_go_down && residual < 0 ? next_down(nearest) : nearest;
    return may_go_up && residual > 0 ? next_up(nearest) : lowered;
}

/// high + low, exactly the sum of two doubles.
struct ExactSum {
    double high;
    double low;
};

/// Knuth's TwoSum: high is the rounded sum, low its error.
inline ExactSum exact_sum(double a, double b) {
    const double high = a + b;
    const double b_part = high - a;
    return {high, (a - (high - b_part)) + (b - b_part)};
}

/// Rounds to double with the last bit set if anything is lost: rounding that again to half the digits or fewer is
/// as good as rounding once.
inline double round_to_odd(ExactSum sum) {
    const auto bits = std::bit_cast<std::int64_t>(sum.high);
    const std::int64_t toward_error = (sum.low > 0) == (sum.high > 0) ? 1 : -1;
    const bool inexact = sum.low > 0 || sum.low < 0;
    return std::bit_cast<double>(inexact && (bits & 1) == 0 ? bits + toward_error : bits);
}

/// Rounds an exact sum of a and b, where both are exact in double.
template <Rounding rounding>
float round_sum(double a, double b) {
    const ExactSum sum = exact_sum(a, b);
    if constexpr (rounding == Rounding::nearest_even) {
        return static_cast<float>(round_to_odd(sum));
    } else {
        const auto nearest = static_cast<float>(sum.high);
        const double error = sum.high - static_cast<double>(nearest);
        const float rounded = correct<rounding>(nearest, error != 0 ? error : sum.low);
        if constexpr (rounding == Rounding::minus_infinity) {
            // A sum that cancels is -0 in this direction, unless both zeros are positive.
            const bool both_positive = !is_negative(a) && !is_negative(b);
            return sum.high == 0 && !both_positive ? -0.0f : rounded;
        } else {
            return rounded;
        }
    }
}

template <Rounding rounding>
float rounded_add(float a, float b) {
    if constexpr (rounding == Rounding::nearest_even) return a + b;
    return round_sum<rounding>(a, b);
}

template <Rounding rounding>
float rounded_multiply(float a, float b) {
    if constexpr (rounding == Rounding::nearest_even) return a * b;
    const double product = static_cast<double>(a) * static_cast<double>(b);
    const auto nearest = static_cast<float>(product);
    return correct<rounding>(nearest, product - static_cast<double>(nearest));
}

template <Rounding rounding>
float rounded_fma(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
    if constexpr (rounding == Rounding::nearest_even) return std::fma(a, b, c);
#endif
    return round_sum<rounding>(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c));
}

template <Rounding rounding>
float rounded_divide(float a, float b) {
    const float nearest = a / b;
    if constexpr (rounding == Rounding::nearest_even) return nearest;
    // Exact: the product has 48 digits, and the difference is small.
    const double rest = static_cast<double>(a) - static_cast<double>(nearest) * static_cast<double>(b);
    return correct<rounding>(nearest, b < 0 ? -rest : rest);
}

template <Rounding rounding>
float rounded_square_root(float a) {
    const float nearest = std::sqrt(a);
    if constexpr (rounding == Rounding::nearest_even) return nearest;
    const double root = nearest;
    return correct<rounding>(nearest, static_cast<double>(a) - root * root);
}

/// A combination of modifiers, to hand it from run time to compile time.
template <Rounding rounding, bool flushes, bool saturates>
struct Mode {};

/// Calls `select` with the Mode<...> that the arguments say; an empty Selection for nearest_away.
template <typename Select>
Selection for_mode(Rounding rounding, bool flushes, bool saturates, Select select) {
    const auto with_flags = [&]<Rounding r>(Mode<r, false, false>) {
        if (flushes) return saturates ? select(Mode<r, true, true>{}) : select(Mode<r, true, false>{});
        return saturates ? select(Mode<r, false, true>{}) : select(Mode<r, false, false>{});
    };
    switch (rounding) {
        case Rounding::nearest_even:
            return with_flags(Mode<Rounding::nearest_even, false, false>{});
        case Rounding::zero:
            return with_flags(Mode<Rounding::zero, false, false>{});
        case Rounding::minus_infinity:
            return with_flags(Mode<Rounding::minus_infinity, false, false>{});
        case Rounding::plus_infinity:
            return with_flags(Mode<Rounding::plus_infinity, false, false>{});
        case Rounding::nearest_away:
            break;
    }
    return {};
}

}  // namespace lanes::emulator
