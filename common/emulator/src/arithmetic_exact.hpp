/// @file
/// @brief f64 arithmetic with any rounding, in integers: for the forms whose rounding the host's instructions lack.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "arithmetic.hpp"

namespace lanes::emulator {

// Special values follow IEEE 754; the NaN of an invalid operation or of a NaN operand is unspecified.

double exact_add(double a, double b, Rounding rounding);
double exact_multiply(double a, double b, Rounding rounding);
double exact_multiply_add(double a, double b, double c, Rounding rounding);
double exact_divide(double a, double b, Rounding rounding);
double exact_square_root(double a, Rounding rounding);
/// magnitude * 2^exponent, with a sign, as a double.
double exact_scaled(bool negative, std::uint64_t magnitude, int exponent, Rounding rounding);

/// The double without its lower word: 20 bits of fraction.
inline double upper_word(double value) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0xffffffff00000000u);
}

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the function of the upper word, as an upper word; subnormal numbers
/// count as zeros on both sides.
template <double (*function)(double)>
double of_upper_word(double a) {
    const auto flushed = [](double value) {
        return std::fabs(value) < std::numeric_limits<double>::min() ? std::copysign(0.0, value) : value;
    };
    const double result = flushed(function(flushed(upper_word(a))));
    return std::isnan(result) ? std::bit_cast<double>(0x7fffffff00000000u) : upper_word(result);
}

}  // namespace lanes::emulator
