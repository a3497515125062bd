/// cvt between integers, f16, bf16, f32 and f64. For pairs, bytes and tf32 see arithmetic_convert_packed.cpp.

#include <limits>
#include <utility>

#include "arithmetic.hpp"
#include "arithmetic_exact.hpp"
#include "arithmetic_half.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

/// Elements of f16 and bf16 rows, told apart by type.
enum class Half : std::uint16_t {};
enum class Brain : std::uint16_t {};

template <typename T>
constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

template <typename T>
constexpr bool is_floating = std::is_floating_point_v<T> || is_half<T>;

template <typename T>
using FormatOf = std::conditional_t<std::is_same_v<T, Half>, Binary16, Brain16>;

/// The value of a floating-point element: a float, or a double for f64.
template <typename S>
auto value_of(S element) {
    if constexpr (is_half<S>) {
        return FormatOf<S>::decode(static_cast<std::uint16_t>(element));
    } else {
        return element;
    }
}

template <Rounding rounding, typename T>
T round_to_integral(T value) {
    switch (rounding) {
        case Rounding::zero:
            return std::trunc(value);
        case Rounding::minus_infinity:
            return std::floor(value);
        case Rounding::plus_infinity:
            return std::ceil(value);
        default:
            return std::rint(value);
    }
}

// To integers

/// Saturates to the range of D, whether or not `.sat` is there. NaN gives 0, or the top bit alone if either side has
/// 64 bits.
template <typename D, typename S, Rounding rounding, bool flushes>
D float_to_integer(S element) {
    constexpr auto low = static_cast<double>(std::numeric_limits<D>::min());
    constexpr double limit = 2.0 * static_cast<double>(D{1} << (std::numeric_limits<D>::digits - 1));
    constexpr bool wide = sizeof(D) == 8 || sizeof(S) == 8;
    constexpr D nan = wide ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
    auto value = value_of(element);
    if constexpr (flushes && std::is_same_v<S, float>) value = flush(value);
    const double rounded = round_to_integral<rounding>(static_cast<double>(value));
    const double inside = rounded < limit ? rounded : 0.0;
    const auto converted = static_cast<D>(inside < low ? low : inside);
    const D bounded = rounded >= limit ? std::numeric_limits<D>::max() : converted;
    return std::isnan(value) ? nan : bounded;
}

/// Keeps the low bits.
template <typename D, typename S>
D truncate_integer(S value) {
    return static_cast<D>(value);
}

template <typename D, typename S>
D saturate_integer(S value) {
    using Limits = std::numeric_limits<D>;
    if (std::cmp_less(value, Limits::min())) return Limits::min();
    return std::cmp_greater(value, Limits::max()) ? Limits::max() : static_cast<D>(value);
}

// To floating point

template <typename D, Rounding rounding>
D narrow(float value) {
    if constexpr (is_half<D>) {
        return static_cast<D>(encode_half<FormatOf<D>, rounding>(value));
    } else if constexpr (std::is_same_v<D, float>) {
        return value;
    } else {
        return static_cast<double>(value);
    }
}

/// The NaN that an f64 NaN becomes: quiet, with its sign and the upper bits of its payload.
template <typename D>
D narrow_nan(double nan) {
    const auto bits = std::bit_cast<std::uint64_t>(quiet(nan));
    if constexpr (is_half<D>) {
        constexpr unsigned dropped = std::is_same_v<D, Half> ? 42 : 45;
        return static_cast<D>((bits >> 48 & 0x8000u) | (bits >> dropped & 0x7fffu));
    } else {
        return std::bit_cast<float>(
            static_cast<std::uint32_t>((bits >> 32 & 0x80000000u) | (bits >> 29 & 0x7fffffffu)));
    }
}

template <typename D, Rounding rounding>
D narrow(double value) {
    if constexpr (std::is_same_v<D, double>) {
        return value;
    } else if constexpr (is_half<D>) {
        const D number = narrow<D, rounding>(float_round_to_odd(value));
        return std::isnan(value) ? narrow_nan<D>(value) : number;
    } else {
        const auto nearest = static_cast<float>(value);
        const float number = correct<rounding>(nearest, value - static_cast<double>(nearest));
        return std::isnan(value) ? narrow_nan<D>(value) : number;
    }
}

template <typename D>
D saturate_element(D element) {
    if constexpr (is_half<D>) {
        return narrow<D, Rounding::nearest_even>(saturate(value_of(element)));
    } else {
        const D positive = element > 0 ? element : 0;
        return positive < 1 ? positive : D{1};
    }
}

/// Clamps negative results to +0; a NaN becomes the canonical one.
template <typename D>
D clamp_negative(D element) {
    const auto value = value_of(element);
    return value > 0 || std::isnan(value) ? element : D{};
}

template <typename D, bool flushes, bool saturates>
D finish(D element) {
    if constexpr (flushes && std::is_same_v<D, float>) element = flush(element);
    return saturates ? saturate_element(element) : element;
}

/// The upper and the lower word of an integer, each exact as a double: their sum is rounded once.
template <typename S>
ExactSum words_of(S value) {
    using Widest = std::conditional_t<std::is_signed_v<S>, std::int64_t, std::uint64_t>;
    const Widest upper = Widest{value} >> 32;
    return {static_cast<double>(upper) * 0x1p32, static_cast<double>(static_cast<std::uint32_t>(value))};
}

template <typename D, typename S, Rounding rounding>
D round_integer(S value) {
    constexpr bool exact = std::is_same_v<D, double> && sizeof(S) < sizeof(D);
    if constexpr (is_half<D>) {
        const ExactSum words = words_of(value);
        return narrow<D, rounding>(round_to_odd(exact_sum(words.high, words.low)));
    } else if constexpr (exact || rounding == Rounding::nearest_even) {
        return static_cast<D>(value);
    } else if constexpr (std::is_same_v<D, float>) {
        const ExactSum words = words_of(value);
        return round_sum<rounding>(words.high, words.low);
    } else {
        const bool negative = value < S{0};
        const auto bits = static_cast<std::uint64_t>(value);
        return exact_scaled(negative, negative ? 0 - bits : bits, 0, rounding);
    }
}

template <typename D, typename S, Rounding rounding, bool saturates>
D integer_to_float(S value) {
    return finish<D, false, saturates>(round_integer<D, S, rounding>(value));
}

/// An f16 as a double: a NaN keeps its sign and payload.
double widen(Half element) {
    const auto bits = static_cast<std::uint64_t>(element);
    const std::uint64_t nan = (bits & 0x8000u) << 48 | 0x7ff8000000000000u | (bits & 0x3ffu) << 42;
    const double number = value_of(element);
    return std::isnan(number) ? std::bit_cast<double>(nan) : number;
}

/// Between floating-point types. What becomes of a NaN depends on the types, as on hardware.
template <typename D, typename S, Rounding rounding, bool flushes>
D convert_float(S element) {
    const auto value = value_of(element);
    if constexpr (std::is_same_v<D, double> && std::is_same_v<S, Half>) {
        return widen(element);
    } else if constexpr (std::is_same_v<D, float> && std::is_same_v<S, Half>) {
        return canonical(value);
    } else if constexpr (!flushes) {
        return narrow<D, rounding>(value);
    } else if constexpr (std::is_same_v<S, double>) {
        return flush_result(narrow<D, rounding>(value), narrow<D, rounding>(value * flush_scale));
    } else {
        return narrow<D, rounding>(canonical(flush(value)));
    }
}

template <typename D, typename S, Rounding rounding, bool flushes, bool saturates>
D float_to_float(S element) {
    return finish<D, false, saturates>(convert_float<D, S, rounding, flushes>(element));
}

template <typename D, typename S, Rounding rounding>
D float_to_float_relu(S element) {
    return clamp_negative(narrow<D, rounding>(value_of(element)));
}

template <typename D, Rounding rounding, bool flushes, bool saturates>
D float_to_integral(D element) {
    auto value = value_of(element);
    if constexpr (flushes && std::is_same_v<D, float>) value = flush(value);
    const D integral = narrow<D, Rounding::nearest_even>(round_to_integral<rounding>(value));
    if constexpr (std::is_same_v<D, float>) return finish<D, flushes, saturates>(canonical(integral));
    // The host's rounding need not make a NaN quiet: compilers round in line without SSE 4.1, WebAssembly may do
    // either.
    if constexpr (std::is_same_v<D, double>)
        return finish<D, flushes, saturates>(std::isnan(integral) ? quiet(integral) : integral);
    return finish<D, flushes, saturates>(integral);
}

// Handlers

/// A register of cvt may be wider than its type: the value is in the low bits of a source, and is extended, by its
/// sign for signed types, to fill a destination. Operation::immediate holds both widths in bytes.
constexpr unsigned destination_width_shift = 8;

template <typename D>
void store_extended(std::byte* element, unsigned width, D value) {
    std::uint64_t bits = 0;
    if constexpr (std::is_integral_v<D>) {
        bits = static_cast<std::uint64_t>(value);  // NOLINT(bugprone-signed-char-misuse): the sign is to be extended
    } else {
        std::memcpy(&bits, &value, sizeof value);
    }
    std::memcpy(element, &bits, width);
}

template <auto Function, typename D, typename S>
void execute_wide(Warp& warp, const Operation& operation, LaneMask lanes) {
    const auto widths = static_cast<std::uint64_t>(operation.immediate);
    const unsigned source_width = widths & 0xffu;
    const unsigned destination_width = widths >> destination_width_shift & 0xffu;
    const auto* const source = warp.row<std::byte>(operation.source[0]);
    auto* const destination = warp.row<std::byte>(operation.destination);
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = first_lane(rest);
        S element{};
        std::memcpy(&element, source + std::size_t{source_width} * lane, sizeof element);
        store_extended(destination + std::size_t{destination_width} * lane, destination_width, Function(element));
    }
}

/// All handlers of a conversion, by the width of its rows in bytes.
struct Conversion {
    Execute natural = nullptr;    ///< rows are as wide as the types
    Execute from_word = nullptr;  ///< the source row has 4 bytes, the type less
    Execute wide = nullptr;       ///< whatever the widths
};

/// The same function of the low bits of a word.
template <auto Function, typename D, typename S>
D of_word(std::uint32_t word) {
    return Function(static_cast<S>(word));
}

template <auto Function, typename D, typename S>
Conversion conversion_of(D (*)(S)) {
    Conversion conversion;
    conversion.wide = execute_wide<Function, D, S>;
    if constexpr (sizeof(D) > 1 && sizeof(S) > 1) conversion.natural = RowHandler<Function, D, S>::execute;
    if constexpr (sizeof(D) > 1 && std::is_integral_v<S> && sizeof(S) < 4) {
        conversion.from_word = RowHandler<of_word<Function, D, S>, D, std::uint32_t>::execute;
    }
    return conversion;
}

/// The quickest handler for rows of these widths.
Execute choose_handler(const Conversion& conversion, bool natural_destination, bool natural_source,
                       unsigned source_width) {
    if (natural_destination && natural_source) return conversion.natural;
    if (natural_destination && source_width == 4 && conversion.from_word != nullptr) return conversion.from_word;
    return conversion.wide;
}

template <auto Function>
Conversion conversion() {
    return conversion_of<Function>(Function);
}

template <typename Choose>
Conversion for_number(ptx::Type type, Choose choose) {
    using ptx::Type;
    switch (type) {
        case Type::u8:
            return choose(std::type_identity<std::uint8_t>{});
        case Type::s8:
            return choose(std::type_identity<std::int8_t>{});
        case Type::u16:
            return choose(std::type_identity<std::uint16_t>{});
        case Type::s16:
            return choose(std::type_identity<std::int16_t>{});
        case Type::u32:
            return choose(std::type_identity<std::uint32_t>{});
        case Type::s32:
            return choose(std::type_identity<std::int32_t>{});
        case Type::u64:
            return choose(std::type_identity<std::uint64_t>{});
        case Type::s64:
            return choose(std::type_identity<std::int64_t>{});
        case Type::f16:
            return choose(std::type_identity<Half>{});
        case Type::bf16:
            return choose(std::type_identity<Brain>{});
        case Type::f32:
            return choose(std::type_identity<float>{});
        case Type::f64:
            return choose(std::type_identity<double>{});
        default:
            return {};
    }
}

/// Calls `choose` with a Mode for the rounding; nothing without one.
template <typename Choose>
Conversion for_rounding(Rounding rounding, Choose choose) {
    switch (rounding) {
        case Rounding::nearest_even:
            return choose(Mode<Rounding::nearest_even, false, false>{});
        case Rounding::zero:
            return choose(Mode<Rounding::zero, false, false>{});
        case Rounding::minus_infinity:
            return choose(Mode<Rounding::minus_infinity, false, false>{});
        case Rounding::plus_infinity:
            return choose(Mode<Rounding::plus_infinity, false, false>{});
        case Rounding::nearest_away:
            break;
    }
    return {};
}

/// The rounding modifiers of a cvt. nearest_away stands for "none".
struct Modifiers {
    Rounding to_integral = Rounding::nearest_away;
    Rounding to_float = Rounding::nearest_away;
    bool flushes = false;
    bool saturates = false;
    bool relu = false;
};

Modifiers take_modifiers(Form& form) {
    Modifiers modifiers;
    if (form.take("rni")) modifiers.to_integral = Rounding::nearest_even;
    if (form.take("rzi")) modifiers.to_integral = Rounding::zero;
    if (form.take("rmi")) modifiers.to_integral = Rounding::minus_infinity;
    if (form.take("rpi")) modifiers.to_integral = Rounding::plus_infinity;
    modifiers.to_float = form.take_rounding(Rounding::nearest_away);
    modifiers.flushes = form.take("ftz");
    modifiers.saturates = form.take("sat");
    modifiers.relu = form.take("relu");
    return modifiers;
}

bool has(Rounding rounding) {
    return rounding != Rounding::nearest_away;
}

/// Some value of S is none of D: only there does PTX allow `.sat`.
template <typename D, typename S>
constexpr bool exceeds = std::cmp_less(std::numeric_limits<S>::min(), std::numeric_limits<D>::min()) ||
                         std::cmp_greater(std::numeric_limits<S>::max(), std::numeric_limits<D>::max());

template <typename D, typename S>
Conversion choose_integer_to_integer(const Modifiers& modifiers) {
    if (has(modifiers.to_float) || has(modifiers.to_integral) || modifiers.flushes || modifiers.relu) return {};
    if (!modifiers.saturates) return conversion<truncate_integer<D, S>>();
    if constexpr (exceeds<D, S>) return conversion<saturate_integer<D, S>>();
    return {};
}

template <typename D, typename S>
Conversion choose_float_to_integer(const Modifiers& modifiers) {
    if (has(modifiers.to_float) || modifiers.relu) return {};
    return for_rounding(modifiers.to_integral, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
        if constexpr (std::is_same_v<S, float>) {
            if (modifiers.flushes) return conversion<float_to_integer<D, S, r, true>>();
        }
        return conversion<float_to_integer<D, S, r, false>>();
    });
}

/// Digits of the significand.
template <typename T>
constexpr int digits_of = std::numeric_limits<T>::digits;
template <>
constexpr int digits_of<Half> = 11;
template <>
constexpr int digits_of<Brain> = 8;

/// Every integer of type S is exactly a D.
template <typename D, typename S>
constexpr bool represents = digits_of<S> <= digits_of<D>;

template <typename D, typename S>
Conversion choose_integer_to_float(const Modifiers& modifiers) {
    if (has(modifiers.to_integral) || modifiers.flushes || modifiers.relu) return {};
    return for_rounding(modifiers.to_float, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
        // Where nothing is rounded, one handler does for all directions: 0 and 1 are all that .sat leaves of integers.
        constexpr Rounding any = Rounding::nearest_even;
        return modifiers.saturates ? conversion<integer_to_float<D, S, any, true>>()
                                   : conversion<integer_to_float<D, S, represents<D, S> ? any : r, false>>();
    });
}

template <typename D, typename S, Rounding r>
Conversion choose_flags(const Modifiers& modifiers) {
    if (modifiers.relu) {
        if constexpr (is_half<D>) {
            if (!modifiers.flushes && !modifiers.saturates) return conversion<float_to_float_relu<D, S, r>>();
        }
        return {};
    }
    if constexpr (std::is_same_v<S, float> || std::is_same_v<D, float>) {
        if (modifiers.flushes) {
            // An f32 that becomes an f16 is not flushed: PTX says that it is, but the H200 does not do it.
            constexpr bool f = !is_half<D>;
            return modifiers.saturates ? conversion<float_to_float<D, S, r, f, true>>()
                                       : conversion<float_to_float<D, S, r, f, false>>();
        }
    } else if (modifiers.flushes) {
        return {};
    }
    return modifiers.saturates ? conversion<float_to_float<D, S, r, false, true>>()
                               : conversion<float_to_float<D, S, r, false, false>>();
}

template <typename D>
Conversion choose_float_to_integral(const Modifiers& modifiers) {
    if (has(modifiers.to_float) || modifiers.relu) return {};
    if (modifiers.flushes && !std::is_same_v<D, float>) return {};
    return for_rounding(modifiers.to_integral, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
        if constexpr (std::is_same_v<D, float>) {
            if (modifiers.flushes) {
                return modifiers.saturates ? conversion<float_to_integral<D, r, true, true>>()
                                           : conversion<float_to_integral<D, r, true, false>>();
            }
        }
        return modifiers.saturates ? conversion<float_to_integral<D, r, false, true>>()
                                   : conversion<float_to_integral<D, r, false, false>>();
    });
}

/// Every value of S is one of D.
template <typename D, typename S>
constexpr bool widens = sizeof(D) > sizeof(S) || std::is_same_v<D, S>;

template <typename D, typename S>
Conversion choose_float_to_float(const Modifiers& modifiers) {
    if constexpr (std::is_same_v<D, S>) {
        if (has(modifiers.to_integral)) return choose_float_to_integral<D>(modifiers);
    }
    if (has(modifiers.to_integral) || widens<D, S> == has(modifiers.to_float)) return {};
    if constexpr (widens<D, S>) {
        return choose_flags<D, S, Rounding::nearest_even>(modifiers);
    } else {
        return for_rounding(modifiers.to_float, [&]<Rounding r, bool f, bool s>(Mode<r, f, s>) {
            return choose_flags<D, S, r>(modifiers);
        });
    }
}

/// PTX has no conversion between bf16 and 8-bit integers.
template <typename T, typename U>
constexpr bool is_brain_and_byte = std::is_same_v<T, Brain> && sizeof(U) == 1;

template <typename D, typename S>
Conversion choose_conversion(const Modifiers& modifiers) {
    if constexpr (is_brain_and_byte<D, S> || is_brain_and_byte<S, D>) {
        return {};
    } else if constexpr (is_floating<D>) {
        if constexpr (is_floating<S>) return choose_float_to_float<D, S>(modifiers);
        if constexpr (!is_floating<S>) return choose_integer_to_float<D, S>(modifiers);
    } else {
        if constexpr (is_floating<S>) return choose_float_to_integer<D, S>(modifiers);
        if constexpr (!is_floating<S>) return choose_integer_to_integer<D, S>(modifiers);
    }
}

Conversion find_conversion(ptx::Type to, ptx::Type from, const Modifiers& modifiers) {
    return for_number(to, [&]<typename D>(std::type_identity<D>) {
        return for_number(from, [&]<typename S>(std::type_identity<S>) { return choose_conversion<D, S>(modifiers); });
    });
}

/// The row of an operand of cvt: that of its register, which may be wider than the type.
ptx::Type row_type(const Form& form, std::size_t operand, ptx::Type type) {
    const ptx::Type narrowest = ptx::size_of(type) == 1 ? ptx::Type::b16 : type;
    if (operand >= form.operands().size()) return narrowest;
    const ptx::Type actual = form.register_type(form.operands()[operand]);
    return ptx::size_of(actual) > ptx::size_of(narrowest) ? actual : narrowest;
}

}  // namespace

Selection select_convert(Form& form) {
    if (is_byte_conversion(form)) return select_byte_conversion(form);
    if (is_packed_conversion(form)) return select_packed_conversion(form);
    const Modifiers modifiers = take_modifiers(form);
    const ptx::Type to = form.take_type();
    const ptx::Type from = form.take_type();
    const Conversion chosen = find_conversion(to, from, modifiers);
    Selection selection;
    selection.destination = row_type(form, 0, to);
    selection.source = {row_type(form, 1, from)};
    const std::uint32_t destination_width = ptx::size_of(selection.destination);
    const std::uint32_t source_width = ptx::size_of(selection.source[0]);
    selection.execute =
        choose_handler(chosen, destination_width == ptx::size_of(to), source_width == ptx::size_of(from), source_width);
    selection.immediate = static_cast<std::int64_t>(destination_width << destination_width_shift | source_width);
    return selection;
}

}  // namespace lanes::emulator
