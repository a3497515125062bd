/// f16, bf16 and pairs of them: add, sub, mul, fma, abs, neg, min, max, ex2, tanh.

#include "arithmetic_half.hpp"

#include "arithmetic.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

/// What an operation does besides its arithmetic, as bits of a template argument.
constexpr unsigned flushes = 1;
constexpr unsigned saturates = 2;
constexpr unsigned clamps_negative = 4;
constexpr unsigned propagates_nan = 8;
constexpr unsigned xors_signs = 16;

template <typename Format, unsigned flags>
float decode(std::uint16_t half) {
    return Format::decode((flags & flushes) != 0 ? flush_half<Format>(half) : half);
}

/// Rounds the result of an operation and applies its modifiers.
template <typename Format, unsigned flags>
std::uint16_t encode(float value) {
    float kept = value;
    if constexpr ((flags & saturates) != 0) kept = saturate(value);
    if constexpr ((flags & clamps_negative) != 0) kept = value < 0.0f || value == 0.0f ? 0.0f : value;
    return (flags & flushes) != 0 ? encode_flushed<Format>(kept) : Format::encode(kept);
}

// Sums of two halves round the same way through float: it has more than twice as many digits and two to spare.

template <typename Format, unsigned flags>
std::uint16_t add(std::uint16_t a, std::uint16_t b) {
    return encode<Format, flags>(decode<Format, flags>(a) + decode<Format, flags>(b));
}

template <typename Format, unsigned flags>
std::uint16_t subtract(std::uint16_t a, std::uint16_t b) {
    return encode<Format, flags>(decode<Format, flags>(a) - decode<Format, flags>(b));
}

/// Exact in double, where a float could lose digits of a subnormal bf16 product.
template <typename Format, unsigned flags>
double product(std::uint16_t a, std::uint16_t b) {
    return static_cast<double>(decode<Format, flags>(a)) * static_cast<double>(decode<Format, flags>(b));
}

template <typename Format, unsigned flags>
std::uint16_t multiply(std::uint16_t a, std::uint16_t b) {
    return encode<Format, flags>(float_round_to_odd(product<Format, flags>(a, b)));
}

template <typename Format, unsigned flags>
std::uint16_t multiply_add(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    const auto addend = static_cast<double>(decode<Format, flags>(c));
    const double sum = round_to_odd(exact_sum(product<Format, flags>(a, b), addend));
    return encode<Format, flags>(float_round_to_odd(sum));
}

/// Changes the sign bit as `sign` says; a NaN becomes the canonical one.
template <typename Format, unsigned flags>
std::uint16_t with_sign(std::uint16_t a, std::uint32_t sign) {
    const std::uint16_t kept = (flags & flushes) != 0 ? flush_half<Format>(a) : a;
    const bool is_nan = (a & 0x7fffu) > Format::largest + 1u;
    return static_cast<std::uint16_t>(is_nan ? canonical_nan_half : (kept & 0x7fffu) | sign);
}

template <typename Format, unsigned flags>
std::uint16_t absolute(std::uint16_t a) {
    return with_sign<Format, flags>(a, 0);
}

template <typename Format, unsigned flags>
std::uint16_t negate(std::uint16_t a) {
    return with_sign<Format, flags>(a, ~a & 0x8000u);
}

template <typename Format, unsigned flags, float (*choose)(float, float)>
std::uint16_t choose_extreme(std::uint16_t a, std::uint16_t b) {
    const float x = decode<Format, flags>(a);
    const float y = decode<Format, flags>(b);
    const bool magnitudes = (flags & xors_signs) != 0;
    const float chosen = magnitudes ? choose(std::fabs(x), std::fabs(y)) : choose(x, y);
    const std::uint16_t half = Format::encode(chosen);
    const std::uint32_t sign = magnitudes && !std::isnan(chosen) ? (a ^ b) & 0x8000u : 0u;
    const bool any_nan = std::isnan(x) || std::isnan(y);
    return static_cast<std::uint16_t>((flags & propagates_nan) != 0 && any_nan ? canonical_nan_half : half ^ sign);
}

template <typename Format, unsigned flags>
std::uint16_t minimum(std::uint16_t a, std::uint16_t b) {
    return choose_extreme<Format, flags, smaller<float>>(a, b);
}

template <typename Format, unsigned flags>
std::uint16_t maximum(std::uint16_t a, std::uint16_t b) {
    return choose_extreme<Format, flags, larger<float>>(a, b);
}

template <typename Format, unsigned flags>
std::uint16_t exponential(std::uint16_t a) {
    return encode<Format, flags>(float_round_to_odd(std::exp2(static_cast<double>(decode<Format, flags>(a)))));
}

template <typename Format, unsigned flags>
std::uint16_t hyperbolic_tangent(std::uint16_t a) {
    return encode<Format, flags>(float_round_to_odd(std::tanh(static_cast<double>(decode<Format, flags>(a)))));
}

/// Runs a function of halves on the lower and the upper halves of rows: two rows of halves vectorise, pairs do not.
template <auto Function, typename... Halves>
struct PairHandler {
    static constexpr std::size_t halves = 2 * warp_size;
    using Row = std::uint16_t[halves];

    /// Element i and element 32 + i are lane i's lower and upper half.
    struct Source {
        alignas(64) Row values;
        Source(Warp& warp, Slot slot) {
            const auto* const pairs = warp.row<std::uint32_t>(slot);
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                values[lane] = static_cast<std::uint16_t>(pairs[lane]);
                values[lane + warp_size] = static_cast<std::uint16_t>(pairs[lane] >> 16);
            }
        }
    };

    template <typename... Sources>
    static void run(std::uint32_t (&pairs)[warp_size], const Sources&... sources) {
        alignas(64) Row results;
        for (std::size_t i = 0; i < halves; ++i) results[i] = Function(sources.values[i]...);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            pairs[lane] = static_cast<std::uint32_t>(results[lane + warp_size]) << 16 | results[lane];
        }
    }

    template <std::size_t... I>
    static void execute_on(Warp& warp, const Operation& operation, LaneMask lanes, std::index_sequence<I...>) {
        alignas(64) std::uint32_t pairs[warp_size];
        run(pairs, Source(warp, operation.source[I])...);
        write_lanes(warp.row<std::uint32_t>(operation.destination), pairs, lanes);
    }

    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        execute_on(warp, operation, lanes, std::index_sequence_for<Halves...>{});
    }
};

/// `Half` says how many pairs there are: one for each half that the function takes.
template <typename Half>
using PairOf = std::conditional_t<true, std::uint32_t, Half>;

template <auto Function, typename... Halves>
Selection half_selection(std::uint16_t (*)(Halves...), bool pair) {
    if (!pair) return on_rows<Function>();
    std::uint32_t (*const pairs)(PairOf<Halves>...) = nullptr;
    return selection_of(PairHandler<Function, Halves...>::execute, pairs);
}

/// The handler of `Function`, or of the same on pairs.
template <auto Function>
Selection on_halves(bool pair) {
    return half_selection<Function>(Function, pair);
}

/// Calls `select` with the flags as a compile-time constant, if they are among `Allowed`.
template <unsigned... Allowed, typename Select>
Selection with_flags(unsigned flags, Select select) {
    Selection selection;
    const auto attempt = [&]<unsigned candidate>() {
        if (flags == candidate) selection = select(std::integral_constant<unsigned, candidate>{});
    };
    (attempt.template operator()<Allowed>(), ...);
    return selection;
}

template <typename Format>
Selection select_arithmetic_half(const std::string& opcode, unsigned flags, bool pair) {
    return with_flags<0, flushes, saturates, flushes | saturates>(flags,
                                                                  [&]<unsigned f>(std::integral_constant<unsigned, f>) {
                                                                      if (opcode == "add")
                                                                          return on_halves<add<Format, f>>(pair);
                                                                      if (opcode == "sub")
                                                                          return on_halves<subtract<Format, f>>(pair);
                                                                      return on_halves<multiply<Format, f>>(pair);
                                                                  });
}

template <typename Format>
Selection select_fma(unsigned flags, bool pair) {
    return with_flags<0, flushes, saturates, flushes | saturates, clamps_negative, flushes | clamps_negative>(
        flags,
        [&]<unsigned f>(std::integral_constant<unsigned, f>) { return on_halves<multiply_add<Format, f>>(pair); });
}

template <typename Format>
Selection select_sign(const std::string& opcode, unsigned flags, bool pair) {
    return with_flags<0, flushes>(flags, [&]<unsigned f>(std::integral_constant<unsigned, f>) {
        return opcode == "abs" ? on_halves<absolute<Format, f>>(pair) : on_halves<negate<Format, f>>(pair);
    });
}

template <typename Format>
Selection select_extreme(const std::string& opcode, unsigned flags, bool pair) {
    constexpr unsigned n = propagates_nan;
    constexpr unsigned x = xors_signs;
    return with_flags<0, flushes, n, n | flushes, x, x | flushes, x | n, x | n | flushes>(
        flags, [&]<unsigned f>(std::integral_constant<unsigned, f>) {
            return opcode == "min" ? on_halves<minimum<Format, f>>(pair) : on_halves<maximum<Format, f>>(pair);
        });
}

template <typename Format>
Selection select_function(const std::string& opcode, unsigned flags, bool pair) {
    return with_flags<0, flushes>(flags, [&]<unsigned f>(std::integral_constant<unsigned, f>) {
        return opcode == "ex2" ? on_halves<exponential<Format, f>>(pair)
                               : on_halves<hyperbolic_tangent<Format, f>>(pair);
    });
}

unsigned take_flags(Form& form) {
    unsigned flags = form.take("ftz") ? flushes : 0;
    if (form.take("sat")) flags |= saturates;
    if (form.take("relu")) flags |= clamps_negative;
    if (form.take("NaN")) flags |= propagates_nan;
    if (form.take("xorsign") && form.take("abs")) flags |= xors_signs;
    return flags;
}

template <typename Format>
Selection select_format(Form& form, bool pair) {
    const std::string& opcode = form.opcode();
    const unsigned flags = take_flags(form);
    if (opcode == "add" || opcode == "sub" || opcode == "mul") {
        form.take("rn");
        return select_arithmetic_half<Format>(opcode, flags, pair);
    }
    if (opcode == "fma") return form.take("rn") ? select_fma<Format>(flags, pair) : Selection{};
    if (opcode == "abs" || opcode == "neg") return select_sign<Format>(opcode, flags, pair);
    if (opcode == "min" || opcode == "max") return select_extreme<Format>(opcode, flags, pair);
    if (opcode != "ex2" && opcode != "tanh") return {};
    return form.take("approx") ? select_function<Format>(opcode, flags, pair) : Selection{};
}

}  // namespace

Selection select_half(Form& form) {
    if (form.take("f16")) return select_format<Binary16>(form, false);
    if (form.take("f16x2")) return select_format<Binary16>(form, true);
    if (form.take("bf16")) return select_format<Brain16>(form, false);
    return form.take("bf16x2") ? select_format<Brain16>(form, true) : Selection{};
}

}  // namespace lanes::emulator
