/// f16, bf16 and their pairs, against exact results rounded by table.

#include <map>

#include "arithmetic_reference.hpp"
#include "half_reference.hpp"

using namespace lanes::emulator;

namespace {

using H = std::uint16_t;
using Word = std::uint32_t;

/// A double result cut toward zero, and whether something was cut off.
struct Truncated {
    double value;
    bool more;
};

Truncated truncated_fma(double a, double b, double c) {
    std::feclearexcept(FE_ALL_EXCEPT);
    std::fesetround(FE_TOWARDZERO);
    volatile double x = a;
    volatile double y = b;
    volatile double z = c;
    volatile double result = std::fma(x, y, z);
    const double value = result;
    std::fesetround(FE_TONEAREST);
    return {value, std::fetestexcept(FE_INEXACT) != 0};
}

struct Options {
    bool flushes = false;
    bool saturates = false;
    bool relu = false;
};

/// One of the two formats with its name.
struct Format {
    std::string name;
    int fraction_bits;
    HalfReference reference;

    H in(H half, const Options& options) const {
        return options.flushes && reference.is_subnormal(half) ? static_cast<H>(half & 0x8000u) : half;
    }
    H out(H half, const Options& options) const {
        const H kept = in(half, options);
        if (options.saturates) {
            const double value = reference.decode(kept);
            return std::isnan(value) || value <= 0 ? H{0} : value >= 1 ? reference.round(1.0) : kept;
        }
        return options.relu && kept >= 0x8000u && !reference.is_nan(kept) ? H{0} : kept;
    }
    /// Rounds a result; `.ftz` makes it zero if it is tiny when rounded with an unlimited exponent.
    H out(const Truncated& result, const Options& options) const {
        const double smallest = reference.decode(static_cast<H>(1u << fraction_bits));
        const bool tiny = std::fabs(result.value) < smallest * (1 - std::ldexp(1.0, -fraction_bits - 2));
        const H zero = std::signbit(result.value) ? H{0x8000} : H{0};
        return out(options.flushes && tiny ? zero : reference.round(result.value, result.more), options);
    }
    double value(H half, const Options& options) const { return reference.decode(in(half, options)); }
};

const Format& f16() {
    static const Format format{"f16", 10, HalfReference(10)};
    return format;
}

const Format& bf16() {
    static const Format format{"bf16", 7, HalfReference(7)};
    return format;
}

/// Checks a form on halves, and the same on pairs.
template <typename Reference>
void check_binary(const std::string& form, const Format& format, const Reference& reference) {
    const std::vector<H> values = format.reference.edges();
    check_form<H>(form + "." + format.name, reference, values, values);
    std::vector<Word> pairs;
    for (std::size_t i = 0; i < values.size(); ++i) {
        pairs.push_back(static_cast<Word>(values[(i * 7 + 3) % values.size()]) << 16 | values[i]);
    }
    check_form<Word>(
        form + "." + format.name + "x2",
        [&](Word a, Word b) {
            const Word low = reference(static_cast<H>(a), static_cast<H>(b));
            return static_cast<Word>(reference(static_cast<H>(a >> 16), static_cast<H>(b >> 16))) << 16 | low;
        },
        pairs, pairs);
}

void check_sums(const std::string& modifiers, const Format& format, const Options& options) {
    const auto operation = [&](const auto& function) {
        return [&format, &options, function](H a, H b) {
            return format.out(function(format.value(a, options), format.value(b, options)), options);
        };
    };
    check_binary("add" + modifiers, format, operation([](double a, double b) { return truncated_fma(a, 1.0, b); }));
    check_binary("sub" + modifiers, format, operation([](double a, double b) { return truncated_fma(a, 1.0, -b); }));
    check_binary("mul" + modifiers, format, operation([](double a, double b) { return Truncated{a * b, false}; }));
}

void check_fma(const std::string& modifiers, const Format& format, const Options& options) {
    const std::vector<H> values = format.reference.edges();
    const auto reference = [&](H a, H b, H c) {
        return format.out(truncated_fma(format.value(a, options), format.value(b, options), format.value(c, options)),
                          options);
    };
    const std::string form = "fma.rn" + modifiers + "." + format.name;
    check_form<H>(form, reference, values, values, values);
    std::mt19937 random(3);
    std::vector<Word> words;
    for (int i = 0; i < 40; ++i) words.push_back(static_cast<Word>(random()));
    check_form<Word>(
        form + "x2",
        [&](Word a, Word b, Word c) {
            const auto high = [](Word word) { return static_cast<H>(word >> 16); };
            const auto low = [](Word word) { return static_cast<H>(word); };
            return static_cast<Word>(reference(high(a), high(b), high(c))) << 16 | reference(low(a), low(b), low(c));
        },
        words, words, words);
}

void check_extremes(const Format& format, bool flushes, bool nan, bool xorsign) {
    const Options options{flushes, false, false};
    const auto choose = [&](bool largest) {
        return [&, largest](H x, H y) {
            const H a = format.in(x, options);
            const H b = format.in(y, options);
            const bool a_nan = format.reference.is_nan(a);
            const bool b_nan = format.reference.is_nan(b);
            if ((a_nan && b_nan) || (nan && (a_nan || b_nan))) return H{0x7fff};
            const H first = static_cast<H>(xorsign ? a & 0x7fffu : a);
            const H second = static_cast<H>(xorsign ? b & 0x7fffu : b);
            H chosen = a_nan ? second : first;
            if (!a_nan && !b_nan) {
                const double u = format.reference.decode(first);
                const double v = format.reference.decode(second);
                const bool second_is_larger = u == v ? std::signbit(u) : u < v;
                chosen = second_is_larger == largest ? second : first;
            }
            return xorsign ? static_cast<H>((chosen & 0x7fffu) | ((a ^ b) & 0x8000u)) : chosen;
        };
    };
    const std::string modifiers =
        std::string(flushes ? ".ftz" : "") + (nan ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "");
    check_binary("min" + modifiers, format, choose(false));
    check_binary("max" + modifiers, format, choose(true));
}

std::vector<H> all_halves() {
    std::vector<H> values;
    for (unsigned bits = 0; bits < 0x10000u; ++bits) values.push_back(static_cast<H>(bits));
    return values;
}

}  // namespace

TEST_CASE("f16 add, sub and mul round once") {
    check_sums("", f16(), {});
    check_sums(".rn.ftz", f16(), {true, false, false});
    check_sums(".sat", f16(), {false, true, false});
    check_sums(".rn.ftz.sat", f16(), {true, true, false});
}

TEST_CASE("bf16 add, sub and mul round once") {
    check_sums("", bf16(), {});
    check_sums(".rn", bf16(), {});
}

TEST_CASE("f16 and bf16 fma round once") {
    check_fma("", f16(), {});
    check_fma(".ftz", f16(), {true, false, false});
    check_fma(".sat", f16(), {false, true, false});
    check_fma(".ftz.relu", f16(), {true, false, true});
    check_fma("", bf16(), {});
    check_fma(".relu", bf16(), {false, false, true});
}

TEST_CASE("min and max of halves: NaN, signed zeros, .NaN and .xorsign.abs") {
    for (const bool nan : {false, true}) {
        for (const bool xorsign : {false, true}) {
            check_extremes(f16(), false, nan, xorsign);
            check_extremes(f16(), true, nan, xorsign);
            check_extremes(bf16(), false, nan, xorsign);
        }
    }
}

TEST_CASE("abs and neg of all halves") {
    const std::vector<H> values = all_halves();
    const auto canonical = [](const Format& format, unsigned half) {
        return format.reference.is_nan(static_cast<H>(half)) ? H{0x7fff} : static_cast<H>(half);
    };
    check_form<H>(
        "abs.f16", [&](H a) { return canonical(f16(), a & 0x7fffu); }, values);
    check_form<H>(
        "neg.bf16", [&](H a) { return canonical(bf16(), a ^ 0x8000u); }, values);
    check_form<H>(
        "neg.ftz.f16",
        [&](H a) {
            return canonical(f16(), f16().in(a, {true, false, false}) ^ 0x8000u);
        },
        values);
    check_form<Word>(
        "abs.f16x2", [](Word a) { return a & 0x7fff7fffu; }, std::vector<Word>{0x80018001u, 0xfc000000u});
    check_form<Word>(
        "neg.bf16x2", [](Word a) { return a ^ 0x80008000u; }, std::vector<Word>{0x80018001u, 0xff800000u});
}

TEST_CASE("ex2 and tanh of all halves are the nearest halves") {
    const std::vector<H> values = all_halves();
    check_form<H>(
        "ex2.approx.f16", [](H a) { return f16().reference.round(std::exp2(f16().reference.decode(a))); }, values);
    check_form<H>(
        "tanh.approx.f16", [](H a) { return f16().reference.round(std::tanh(f16().reference.decode(a))); }, values);
    check_form<H>(
        "tanh.approx.bf16", [](H a) { return bf16().reference.round(std::tanh(bf16().reference.decode(a))); }, values);
    const Options flushing{true, false, false};
    check_form<H>(
        "ex2.approx.ftz.bf16",
        [&](H a) { return bf16().out(bf16().reference.round(std::exp2(bf16().value(a, flushing))), flushing); },
        values);
}
