/// cvt between pairs of 8-bit floating-point numbers (e4m3x2, e5m2x2) and f32 or f16x2.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arithmetic.hpp"
#include "arithmetic_half.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

constexpr std::uint8_t canonical_nan_byte = 0x7f;

/// e4m3: 4 bits of exponent, 3 of fraction, no infinity, one NaN.
struct E4m3 {
    static constexpr int fraction_bits = 3;
    static constexpr int smallest_exponent = -6;
    static constexpr float largest = 448.0f;

    static float special(std::uint8_t magnitude, float finite) {
        return magnitude == 0x7f ? std::numeric_limits<float>::quiet_NaN() : finite;
    }
};

/// e5m2: the upper byte of an f16.
struct E5m2 {
    static constexpr int fraction_bits = 2;
    static constexpr int smallest_exponent = -14;
    static constexpr float largest = 57344.0f;

    static float special(std::uint8_t magnitude, float finite) {
        if (magnitude == 0x7c) return std::numeric_limits<float>::infinity();
        return magnitude > 0x7c ? std::numeric_limits<float>::quiet_NaN() : finite;
    }
};

/// The exponent that a magnitude has in the format: that of the smallest normal number for subnormal ones and zero.
template <typename Format>
int exponent_of(float magnitude) {
    return magnitude > 0.0f ? std::max(std::ilogb(magnitude), Format::smallest_exponent) : Format::smallest_exponent;
}

/// Rounds to nearest even; what is too large becomes the largest finite number.
template <typename Format>
std::uint8_t encode_byte(float value, bool clamps_negative) {
    if (std::isnan(value)) return canonical_nan_byte;
    const bool negative = is_negative(value);
    if (negative && clamps_negative) return 0;
    const float magnitude = std::fmin(std::fabs(value), Format::largest);
    const int exponent = exponent_of<Format>(magnitude);
    const float digits = std::rint(std::ldexp(magnitude, Format::fraction_bits - exponent));
    const float rounded = std::ldexp(digits, exponent - Format::fraction_bits);
    // The bits count units of the last digit from zero on, and each exponent adds as many as a fraction has values.
    const int new_exponent = exponent_of<Format>(rounded);
    const auto units = static_cast<int>(std::ldexp(rounded, Format::fraction_bits - new_exponent));
    const int bits = units + ((new_exponent - Format::smallest_exponent) << Format::fraction_bits);
    return static_cast<std::uint8_t>(bits | (negative ? 0x80 : 0));
}

template <typename Format>
float decode_byte(std::uint8_t byte) {
    const auto magnitude = static_cast<std::uint8_t>(byte & 0x7fu);
    const int fraction = magnitude & ((1 << Format::fraction_bits) - 1);
    const int biased = magnitude >> Format::fraction_bits;
    const int digits = biased == 0 ? fraction : fraction | 1 << Format::fraction_bits;
    const int exponent = Format::smallest_exponent - Format::fraction_bits + (biased == 0 ? 0 : biased - 1);
    const float value = Format::special(magnitude, std::ldexp(static_cast<float>(digits), exponent));
    return (byte & 0x80u) != 0 ? -value : value;
}

template <typename Format, bool clamps_negative>
std::uint16_t narrow_floats(float upper, float lower) {
    return static_cast<std::uint16_t>(encode_byte<Format>(upper, clamps_negative) << 8 |
                                      encode_byte<Format>(lower, clamps_negative));
}

template <typename Format, bool clamps_negative>
std::uint16_t narrow_halves(std::uint32_t pair) {
    return narrow_floats<Format, clamps_negative>(Binary16::decode(static_cast<std::uint16_t>(pair >> 16)),
                                                  Binary16::decode(static_cast<std::uint16_t>(pair)));
}

template <typename Format, bool clamps_negative>
std::uint32_t widen_to_halves(std::uint16_t bytes) {
    const auto widen = [](std::uint8_t byte) {
        const std::uint16_t half = Binary16::encode(decode_byte<Format>(byte));
        const bool is_nan = (half & 0x7fffu) > 0x7c00u;
        return clamps_negative && !is_nan && (half & 0x8000u) != 0 ? std::uint16_t{0} : half;
    };
    return static_cast<std::uint32_t>(widen(static_cast<std::uint8_t>(bytes >> 8))) << 16 |
           widen(static_cast<std::uint8_t>(bytes));
}

template <typename Format, bool clamps_negative>
Selection select_direction(Form& form, bool narrows) {
    if (!narrows) return form.take("f16x2") ? on_lanes<widen_to_halves<Format, clamps_negative>>() : Selection{};
    if (!form.take("satfinite")) return {};
    if (form.take("f32")) return on_lanes<narrow_floats<Format, clamps_negative>>();
    return form.take("f16x2") ? on_lanes<narrow_halves<Format, clamps_negative>>() : Selection{};
}

template <typename Format>
Selection select_format(Form& form, std::string_view name) {
    const bool narrows = !form.has("f16x2") || form.comes_before(name, "f16x2");
    form.take(name);
    if (!form.take("rn")) return {};
    return form.take("relu") ? select_direction<Format, true>(form, narrows)
                             : select_direction<Format, false>(form, narrows);
}

}  // namespace

bool is_byte_conversion(const Form& form) {
    return form.has("e4m3x2") || form.has("e5m2x2");
}

Selection select_byte_conversion(Form& form) {
    return form.has("e4m3x2") ? select_format<E4m3>(form, "e4m3x2") : select_format<E5m2>(form, "e5m2x2");
}

}  // namespace lanes::emulator
