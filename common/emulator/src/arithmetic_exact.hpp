/// @file
/// @brief f64 arithmetic with any rounding, in integers: for the forms whose rounding the host's instructions lack.
#pragma once

#include <bit>
#include <cstdint>

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

}  // namespace lanes::emulator
