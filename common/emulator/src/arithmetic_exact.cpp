#include "arithmetic_exact.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace lanes::emulator {
namespace {

__extension__ using Uint128 = unsigned __int128;

constexpr int fraction_bits = 52;
constexpr int smallest_exponent = -1074;  ///< of the last digit of a subnormal number
constexpr int largest_exponent = 971;     ///< of the last digit of the largest number

/// A positive or negative number, significand * 2^exponent, a little larger in magnitude if `sticky`.
struct Number {
    bool negative = false;
    Uint128 significand = 0;
    int exponent = 0;
    bool sticky = false;
};

int width_of(Uint128 value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    const auto low = static_cast<std::uint64_t>(value);
    return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

/// Shifts right, remembering in `sticky` whether ones were lost.
void shift_right(Number& number, int amount) {
    if (amount >= 128) {
        number.sticky = number.sticky || number.significand != 0;
        number.significand = 0;
    } else if (amount > 0) {
        const Uint128 lost = number.significand & ((Uint128{1} << amount) - 1);
        number.sticky = number.sticky || lost != 0;
        number.significand >>= amount;
    }
    number.exponent += amount;
}

Number unpack(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int biased = static_cast<int>(bits >> fraction_bits & 0x7ffu);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    Number number;
    number.negative = (bits >> 63) != 0;
    number.significand = biased == 0 ? fraction : fraction | std::uint64_t{1} << fraction_bits;
    number.exponent = biased == 0 ? smallest_exponent : biased + smallest_exponent - 1;
    return number;
}

double signed_value(double magnitude, bool negative) {
    return negative ? -magnitude : magnitude;
}

/// Whether a magnitude is rounded away from zero. `half` is the first digit lost, `rest` whether more were lost.
bool rounds_up(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
    switch (rounding) {
        case Rounding::nearest_even:
            return half && (rest || odd);
        case Rounding::nearest_away:
            return half;
        case Rounding::minus_infinity:
            return negative && (half || rest);
        case Rounding::plus_infinity:
            return !negative && (half || rest);
        case Rounding::zero:
            break;
    }
    return false;
}

/// What a magnitude beyond the largest double becomes.
double overflow(Rounding rounding, bool negative) {
    const bool to_infinity = rounding == Rounding::nearest_even || rounding == Rounding::nearest_away ||
                             rounding == (negative ? Rounding::minus_infinity : Rounding::plus_infinity);
    using Limits = std::numeric_limits<double>;
    return signed_value(to_infinity ? Limits::infinity() : Limits::max(), negative);
}

double round(Number number, Rounding rounding) {
    if (number.significand == 0 && !number.sticky) return signed_value(0.0, number.negative);
    const int to_normal = width_of(number.significand) - (fraction_bits + 1);
    const int to_smallest = smallest_exponent - number.exponent;
    const int amount = to_normal > to_smallest ? to_normal : to_smallest;
    // One digit more than the result has, then the last one by itself: that is the digit that decides "half".
    if (amount > 0) {
        shift_right(number, amount - 1);
    } else {
        number.significand <<= 1 - amount;
        number.exponent -= 1 - amount;
    }
    const bool half = (number.significand & 1u) != 0;
    number.significand >>= 1;
    number.exponent += 1;
    const bool odd = (number.significand & 1u) != 0;
    if (rounds_up(rounding, number.negative, odd, half, number.sticky)) number.significand += 1;
    if (width_of(number.significand) > fraction_bits + 1) shift_right(number, 1);
    if (number.exponent > largest_exponent) return overflow(rounding, number.negative);
    return signed_value(
        std::ldexp(static_cast<double>(static_cast<std::uint64_t>(number.significand)), number.exponent),
        number.negative);
}

/// Brings the leading digit to position `width` - 1; the significand is not zero and not that wide.
void align_left(Number& number, int width) {
    const int amount = width - width_of(number.significand);
    number.significand <<= amount;
    number.exponent -= amount;
}

/// The exact sum, but that digits far below the larger operand only count as sticky. Neither operand is sticky; their
/// significands have at most 106 digits.
Number sum(Number a, Number b, Rounding rounding) {
    if (a.significand == 0 && b.significand == 0) {
        a.negative = a.negative == b.negative ? a.negative : rounding == Rounding::minus_infinity;
        return a;
    }
    if (a.significand == 0) return b;
    if (b.significand == 0) return a;
    align_left(a, 126);
    align_left(b, 126);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) std::swap(a, b);
    shift_right(b, a.exponent - b.exponent);
    if (a.negative == b.negative) {
        a.significand += b.significand;
    } else {
        // With sticky, b is a little larger than its digits: one less, and a little more.
        a.significand -= b.significand + (b.sticky ? 1u : 0u);
        if (a.significand == 0 && !b.sticky) a.negative = rounding == Rounding::minus_infinity;
    }
    a.sticky = b.sticky;
    return a;
}

Number product(double a, double b) {
    const Number x = unpack(a);
    const Number y = unpack(b);
    return {x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent, false};
}

}  // namespace

double exact_add(double a, double b, Rounding rounding) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a + b;
    return round(sum(unpack(a), unpack(b), rounding), rounding);
}

double exact_multiply(double a, double b, Rounding rounding) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a * b;
    return round(product(a, b), rounding);
}

double exact_multiply_add(double a, double b, double c, Rounding rounding) {
    if (!std::isfinite(a) || !std::isfinite(b)) return a * b + c;
    if (!std::isfinite(c)) return c;
    return round(sum(product(a, b), unpack(c), rounding), rounding);
}

double exact_divide(double a, double b, Rounding rounding) {
    if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return a / b;
    Number dividend = unpack(a);
    Number divisor = unpack(b);
    align_left(dividend, 127);
    align_left(divisor, fraction_bits + 1);
    Number quotient;
    quotient.negative = dividend.negative != divisor.negative;
    quotient.significand = dividend.significand / divisor.significand;
    quotient.exponent = dividend.exponent - divisor.exponent;
    quotient.sticky = dividend.significand % divisor.significand != 0;
    return round(quotient, rounding);
}

double exact_square_root(double a, Rounding rounding) {
    if (!std::isfinite(a) || a <= 0) return std::sqrt(a);
    Number number = unpack(a);
    align_left(number, 127);
    if (number.exponent % 2 != 0) {
        number.significand <<= 1;
        number.exponent -= 1;
    }
    // Digit by digit, from the top: a digit stays if the square does not become too large.
    Uint128 root = 0;
    for (int digit = 63; digit >= 0; --digit) {
        const Uint128 candidate = root | Uint128{1} << digit;
        if (candidate * candidate <= number.significand) root = candidate;
    }
    number.sticky = root * root != number.significand;
    number.significand = root;
    number.exponent /= 2;
    return round(number, rounding);
}

double exact_scaled(bool negative, std::uint64_t magnitude, int exponent, Rounding rounding) {
    return round({negative, magnitude, exponent, false}, rounding);
}

}  // namespace lanes::emulator
