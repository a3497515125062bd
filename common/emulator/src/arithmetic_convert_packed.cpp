/// cvt to and from pairs of halves, to tf32, and cvt.pack.

#include <algorithm>
#include <array>
#include <limits>

#include "arithmetic.hpp"
#include "arithmetic_half.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

/// What a half conversion does after rounding, as bits of a template argument.
constexpr unsigned clamps_negative = 1;
constexpr unsigned keeps_finite = 2;

unsigned take_flags(Form& form) {
    const unsigned flags = form.take("relu") ? clamps_negative : 0;
    return form.take("satfinite") ? flags | keeps_finite : flags;
}

template <typename Format, Rounding rounding, unsigned flags>
std::uint16_t narrow(float value) {
    const std::uint16_t half = encode_half<Format, rounding>(value);
    const auto sign = static_cast<std::uint16_t>(half & 0x8000u);
    const bool is_nan = std::isnan(value);
    const bool beyond = !is_nan && (half & 0x7fffu) > Format::largest;
    const auto finite = static_cast<std::uint16_t>(beyond ? sign | Format::largest : half);
    const std::uint16_t kept = (flags & keeps_finite) != 0 ? finite : half;
    return (flags & clamps_negative) != 0 && sign != 0 && !is_nan ? std::uint16_t{0} : kept;
}

/// The first operand becomes the upper half.
template <typename Format, Rounding rounding, unsigned flags>
std::uint32_t narrow_pair(float upper, float lower) {
    return static_cast<std::uint32_t>(narrow<Format, rounding, flags>(upper)) << 16 |
           narrow<Format, rounding, flags>(lower);
}

template <typename Format, Rounding rounding, unsigned flags>
Selection narrow_selection(bool pair) {
    return pair ? on_rows<narrow_pair<Format, rounding, flags>>() : on_rows<narrow<Format, rounding, flags>>();
}

template <typename Format, Rounding rounding>
Selection select_narrow_flags(bool pair, unsigned flags) {
    switch (flags) {
        case 0:
            return narrow_selection<Format, rounding, 0>(pair);
        case clamps_negative:
            return narrow_selection<Format, rounding, clamps_negative>(pair);
        case keeps_finite:
            return narrow_selection<Format, rounding, keeps_finite>(pair);
        default:
            return narrow_selection<Format, rounding, clamps_negative | keeps_finite>(pair);
    }
}

template <typename Format>
Selection select_narrow(Form& form, bool pair) {
    const Rounding rounding = form.take_rounding(Rounding::nearest_away);
    const unsigned flags = take_flags(form);
    if (!form.take("f32")) return {};
    if (rounding == Rounding::nearest_even) return select_narrow_flags<Format, Rounding::nearest_even>(pair, flags);
    if (rounding == Rounding::zero) return select_narrow_flags<Format, Rounding::zero>(pair, flags);
    return {};
}

/// tf32 is f32 with the low 13 bits of the fraction zero.
constexpr std::uint32_t tf32_bits = 0xffffe000u;
constexpr std::uint32_t tf32_unit = ~tf32_bits + 1;

template <Rounding rounding, unsigned flags>
std::uint32_t to_tf32(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t even = rounding == Rounding::nearest_even ? 0xfffu + (bits >> 13 & 1u) : 0u;
    const std::uint32_t increment = rounding == Rounding::nearest_away ? 0x1000u : even;
    const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    const std::uint32_t rounded = (finite ? bits + increment : bits) & tf32_bits;
    const bool beyond = (rounded & 0x7f800000u) == 0x7f800000u;
    // One unit below infinity is the largest number.
    const std::uint32_t kept = (flags & keeps_finite) != 0 && beyond ? rounded - tf32_unit : rounded;
    const bool clamped = (flags & clamps_negative) != 0 && (kept >> 31) != 0;
    // .rna leaves a NaN's bits alone, so that one whose payload is in the low bits becomes infinity.
    const bool is_nan = rounding != Rounding::nearest_away && std::isnan(value);
    return is_nan ? canonical_nan_f32 & tf32_bits : clamped ? 0u : kept;
}

template <Rounding rounding>
Selection select_tf32_flags(unsigned flags) {
    switch (flags) {
        case 0:
            return on_rows<to_tf32<rounding, 0>>();
        case clamps_negative:
            return on_rows<to_tf32<rounding, clamps_negative>>();
        case keeps_finite:
            return on_rows<to_tf32<rounding, keeps_finite>>();
        default:
            return on_rows<to_tf32<rounding, clamps_negative | keeps_finite>>();
    }
}

Selection select_tf32(Form& form) {
    form.take("tf32");
    if (!form.take("f32")) return {};
    const unsigned flags = take_flags(form);
    if (form.take("rna")) return select_tf32_flags<Rounding::nearest_away>(flags);
    if (form.take("rn")) return select_tf32_flags<Rounding::nearest_even>(flags);
    return form.take("rz") ? select_tf32_flags<Rounding::zero>(flags) : Selection{};
}

template <typename T>
T clamp_to(std::int32_t value) {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::clamp<std::int32_t>(value, Limits::min(), Limits::max()));
}

/// {a, b} saturated to 16 bits; b is the lower one.
template <typename T>
std::uint32_t pack_16_bits(std::int32_t a, std::int32_t b) {
    const auto upper = static_cast<std::uint16_t>(clamp_to<T>(a));
    const auto lower = static_cast<std::uint16_t>(clamp_to<T>(b));
    return static_cast<std::uint32_t>(upper) << 16 | lower;
}

/// {c shifted up, a, b} saturated to 8 bits.
template <typename T>
std::uint32_t pack_8_bits(std::int32_t a, std::int32_t b, std::uint32_t c) {
    const auto upper = static_cast<std::uint8_t>(clamp_to<T>(a));
    const auto lower = static_cast<std::uint8_t>(clamp_to<T>(b));
    return c << 16 | static_cast<std::uint32_t>(upper) << 8 | lower;
}

/// cvt.pack.sat.u16.s32 d, a, b and cvt.pack.sat.u8.s32.b32 d, a, b, c.
Selection select_pack(Form& form) {
    form.take("pack");
    if (!form.take("sat") || !form.has("s32")) return {};
    const ptx::Type to = form.take_type();
    if (!form.take("s32")) return {};
    if (to == ptx::Type::s16) return on_rows<pack_16_bits<std::int16_t>>();
    if (to == ptx::Type::u16) return on_rows<pack_16_bits<std::uint16_t>>();
    if (!form.take("b32")) return {};
    if (to == ptx::Type::s8) return on_rows<pack_8_bits<std::int8_t>>();
    return to == ptx::Type::u8 ? on_rows<pack_8_bits<std::uint8_t>>() : Selection{};
}

}  // namespace

bool is_packed_conversion(const Form& form) {
    return form.has("pack") || form.has("f16x2") || form.has("bf16x2") || form.has("tf32") || form.has("satfinite");
}

Selection select_packed_conversion(Form& form) {
    if (form.has("pack")) return select_pack(form);
    if (form.has("tf32")) return select_tf32(form);
    if (form.take("f16x2")) return select_narrow<Binary16>(form, true);
    if (form.take("bf16x2")) return select_narrow<Brain16>(form, true);
    if (form.take("f16")) return select_narrow<Binary16>(form, false);
    return form.take("bf16") ? select_narrow<Brain16>(form, false) : Selection{};
}

}  // namespace lanes::emulator
