/// cvt between all types, against the host's conversions in its rounding modes and exact halves.

#include <cfenv>

#include "arithmetic_reference.hpp"
#include "half_reference.hpp"

using namespace lanes::emulator;

namespace {

__extension__ using Int128 = __int128;
using H = std::uint16_t;
using Word = std::uint32_t;

template <typename T>
std::string integer_name() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

/// A type that a register of cvt can hold: 8-bit integers lie in 16-bit registers.
template <typename T>
using Register = std::conditional_t<sizeof(T) == 1, std::uint16_t, std::make_unsigned_t<T>>;

template <typename T>
constexpr Int128 clamped(Int128 value) {
    const auto low = static_cast<Int128>(std::numeric_limits<T>::min());
    const auto high = static_cast<Int128>(std::numeric_limits<T>::max());
    return value < low ? low : value > high ? high : value;
}

/// Some value of S is none of D. PTX has `.sat` only then.
template <typename D, typename S>
constexpr bool exceeds = clamped<D>(std::numeric_limits<S>::min()) != std::numeric_limits<S>::min() ||
                         clamped<D>(std::numeric_limits<S>::max()) != std::numeric_limits<S>::max();

/// Checks D from S with operands in registers of given types.
template <typename D, typename S, typename ToRegister, typename FromRegister>
void check_integer_pair() {
    const std::vector<FromRegister> values = edge_integers<FromRegister>();
    const std::string types = "." + integer_name<D>() + "." + integer_name<S>();
    check_form<ToRegister>(
        "cvt" + types, [](FromRegister a) { return static_cast<ToRegister>(static_cast<D>(static_cast<S>(a))); },
        values);
    if constexpr (exceeds<D, S>) {
        check_form<ToRegister>(
            "cvt.sat" + types,
            [](FromRegister a) { return static_cast<ToRegister>(static_cast<D>(clamped<D>(static_cast<S>(a)))); },
            values);
    }
}

template <typename D, typename S>
void check_integers() {
    check_integer_pair<D, S, Register<D>, Register<S>>();
    check_integer_pair<D, S, std::uint64_t, std::uint64_t>();
    if constexpr (sizeof(D) <= 4) check_integer_pair<D, S, std::uint32_t, Register<S>>();
    if constexpr (sizeof(S) <= 4) check_integer_pair<D, S, Register<D>, std::uint32_t>();
}

template <typename D>
void check_integers_to() {
    check_integers<D, std::uint8_t>();
    check_integers<D, std::int8_t>();
    check_integers<D, std::uint16_t>();
    check_integers<D, std::int16_t>();
    check_integers<D, std::uint32_t>();
    check_integers<D, std::int32_t>();
    check_integers<D, std::uint64_t>();
    check_integers<D, std::int64_t>();
}

struct Direction {
    const char* to_float;
    const char* to_integral;
    int mode;
};

constexpr Direction directions[] = {{".rn", ".rni", FE_TONEAREST},
                                    {".rz", ".rzi", FE_TOWARDZERO},
                                    {".rm", ".rmi", FE_DOWNWARD},
                                    {".rp", ".rpi", FE_UPWARD}};

template <typename Function>
auto in_mode(int mode, const Function& function) {
    std::fesetround(mode);
    const auto result = function();
    std::fesetround(FE_TONEAREST);
    return result;
}

/// The exact value rounded to an integer, clamped; NaN as the PTX ISA says.
template <typename D>
D integer_of(double value, int mode, bool source_is_f64) {
    if (std::isnan(value)) {
        return source_is_f64 || sizeof(D) == 8 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
    }
    const double integral = in_mode(mode, [&] {
        volatile double x = value;
        volatile double result = std::nearbyint(x);
        return static_cast<double>(result);
    });
    if (integral >= 0x1p64) return std::numeric_limits<D>::max();
    if (integral <= -0x1p64) return std::numeric_limits<D>::min();
    return static_cast<D>(clamped<D>(static_cast<Int128>(integral)));
}

float flushed(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

const HalfReference& f16() {
    static const HalfReference reference(10);
    return reference;
}

const HalfReference& bf16() {
    static const HalfReference reference(7);
    return reference;
}

std::vector<H> all_halves() {
    std::vector<H> values;
    for (unsigned bits = 0; bits < 0x10000u; ++bits) values.push_back(static_cast<H>(bits));
    return values;
}

template <typename T>
std::vector<T> and_ties(std::vector<T> values) {
    for (int i = -300; i < 300; ++i) values.push_back(static_cast<T>(i) / 4);
    return values;
}

template <typename D>
void check_to_integer(const Direction& direction) {
    using R = Register<D>;
    const std::string prefix = std::string("cvt") + direction.to_integral;
    const std::string type = "." + integer_name<D>();
    const int mode = direction.mode;
    const auto as_register = [](D value) { return static_cast<R>(value); };
    const std::vector<float> floats = and_ties(edge_floats<float>());
    check_form<R>(
        prefix + type + ".f32", [&](float a) { return as_register(integer_of<D>(a, mode, false)); }, floats);
    check_form<R>(
        prefix + ".ftz" + type + ".f32", [&](float a) { return as_register(integer_of<D>(flushed(a), mode, false)); },
        floats);
    check_form<R>(
        prefix + type + ".f64", [&](double a) { return as_register(integer_of<D>(a, mode, true)); },
        and_ties(edge_floats<double>()));
    check_form<R>(
        prefix + type + ".f16", [&](H a) { return as_register(integer_of<D>(f16().decode(a), mode, false)); },
        f16().edges());
    if constexpr (sizeof(D) > 1) {
        check_form<R>(
            prefix + type + ".bf16", [&](H a) { return as_register(integer_of<D>(bf16().decode(a), mode, false)); },
            bf16().edges());
    }
    check_form<std::uint64_t>(
        prefix + type + ".f32", [&](float a) { return static_cast<std::uint64_t>(integer_of<D>(a, mode, false)); },
        floats);
}

template <typename F, typename S>
F host_float(S value, int mode) {
    return in_mode(mode, [&] {
        volatile S x = value;
        volatile F result = static_cast<F>(x);
        return static_cast<F>(result);
    });
}

/// A 64-bit integer as a double cut toward zero, and whether something was cut off.
template <typename S>
std::pair<double, bool> truncated(S value) {
    const double cut = host_float<double>(value, FE_TOWARDZERO);
    return {cut, static_cast<Int128>(cut) != static_cast<Int128>(value)};
}

template <typename S>
void check_from_integer(const Direction& direction) {
    using R = Register<S>;
    const std::string prefix = std::string("cvt") + direction.to_float;
    const std::string type = "." + integer_name<S>();
    const int mode = direction.mode;
    std::vector<R> values = edge_integers<R>();
    std::mt19937_64 random(5);
    for (int i = 0; i < 400; ++i) values.push_back(static_cast<R>(random() >> (i % 60)));
    check_form<float>(
        prefix + ".f32" + type, [&](R a) { return host_float<float>(static_cast<S>(a), mode); }, values);
    check_form<double>(
        prefix + ".f64" + type, [&](R a) { return host_float<double>(static_cast<S>(a), mode); }, values);
    check_form<float>(
        prefix + ".sat.f32" + type, [](R a) { return static_cast<S>(a) > 0 ? 1.0f : 0.0f; }, values);
    for (const HalfReference* format : {&f16(), &bf16()}) {
        if (sizeof(S) == 1 && format == &bf16()) continue;
        check_form<H>(
            prefix + (format == &f16() ? ".f16" : ".bf16") + type,
            [&](R a) {
                const auto [cut, more] = truncated(static_cast<S>(a));
                return format->round(cut, more, mode);
            },
            values);
    }
}

/// Floats that lie on, and next to, halves and the middles between them.
std::vector<float> around_halves(const HalfReference& format) {
    std::vector<float> values = edge_floats<float>();
    for (unsigned bits = 0; bits + 1 < format.infinity(); bits += 1 + bits % 5) {
        const auto low = static_cast<float>(format.decode(static_cast<H>(bits)));
        const auto high = static_cast<float>(format.decode(static_cast<H>(bits + 1)));
        const float middle = (low + high) / 2;
        for (const float value : {low, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, high)}) {
            values.push_back(value);
            values.push_back(-value);
        }
    }
    return values;
}

float canonical(float value) {
    return std::isnan(value) ? std::bit_cast<float>(0x7fffffffu) : value;
}

/// A NaN as one of fewer digits: quiet, with its sign and the upper bits of its payload.
float narrow_nan(double nan) {
    const auto bits = std::bit_cast<std::uint64_t>(nan);
    return std::bit_cast<float>(static_cast<Word>((bits >> 63 << 31) | 0x7fc00000u | (bits >> 29 & 0x3fffffu)));
}

H narrow_nan_f16(double nan) {
    const auto bits = std::bit_cast<std::uint64_t>(nan);
    return static_cast<H>((bits >> 63 << 15) | 0x7e00u | (bits >> 42 & 0x1ffu));
}

H satfinite(const HalfReference& format, H half) {
    return (half & 0x7fffu) == format.infinity() ? static_cast<H>(half - 1) : half;
}

H relu(const HalfReference& format, H half) {
    return half >= 0x8000u && !format.is_nan(half) ? H{0} : half;
}

}  // namespace

TEST_CASE("integers to integers, also from and to wider registers") {
    check_integers_to<std::uint8_t>();
    check_integers_to<std::int8_t>();
    check_integers_to<std::uint16_t>();
    check_integers_to<std::int16_t>();
    check_integers_to<std::uint32_t>();
    check_integers_to<std::int32_t>();
    check_integers_to<std::uint64_t>();
    check_integers_to<std::int64_t>();
}

TEST_CASE_TEMPLATE("floating point to integers saturates, and NaN is what the ISA says", D, std::uint8_t, std::int8_t,
                   std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t) {
    for (const Direction& direction : directions) check_to_integer<D>(direction);
}

TEST_CASE_TEMPLATE("integers to floating point round once in all directions", S, std::uint8_t, std::int8_t,
                   std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t) {
    for (const Direction& direction : directions) check_from_integer<S>(direction);
}

TEST_CASE("f64 to f32 rounds in all directions; f32 to f64 is exact") {
    std::vector<double> values = edge_floats<double>();
    for (const float value : edge_floats<float>()) {
        values.push_back(value);
        values.push_back(static_cast<double>(value) * (1 + 0x1p-25));
        values.push_back(static_cast<double>(value) * (1 + 0x1p-24));
        values.push_back(static_cast<double>(value) * (1 - 0x1p-50));
    }
    for (const Direction& direction : directions) {
        const std::string prefix = std::string("cvt") + direction.to_float;
        check_form<float>(
            prefix + ".f32.f64",
            [&](double a) { return std::isnan(a) ? narrow_nan(a) : host_float<float>(a, direction.mode); }, values);
        check_form<float>(
            prefix + ".ftz.f32.f64",
            [&](double a) {
                if (std::isnan(a)) return narrow_nan(a);
                // Times 2^24 the result is not subnormal: so it is rounded with an unlimited exponent.
                const bool tiny = std::fabs(host_float<float>(a * 0x1p24, direction.mode)) < 0x1p-102f;
                return tiny ? std::copysign(0.0f, static_cast<float>(a)) : host_float<float>(a, direction.mode);
            },
            values);
    }
    check_form<double>(
        "cvt.f64.f32", [](float a) { return static_cast<double>(a); }, edge_floats<float>());
    check_form<double>(
        "cvt.ftz.f64.f32", [](float a) { return static_cast<double>(canonical(flushed(a))); }, edge_floats<float>());
}

TEST_CASE("f32 and f64 to integral values of the same type") {
    for (const Direction& direction : directions) {
        const std::string prefix = std::string("cvt") + direction.to_integral;
        const auto integral = [&](auto value) {
            using T = decltype(value);
            return in_mode(direction.mode, [&] {
                volatile T x = value;
                volatile T result = std::nearbyint(x);
                return static_cast<T>(result);
            });
        };
        check_form<float>(
            prefix + ".f32.f32", [&](float a) { return canonical(integral(a)); }, and_ties(edge_floats<float>()));
        check_form<float>(
            prefix + ".ftz.f32.f32", [&](float a) { return canonical(integral(flushed(a))); },
            and_ties(edge_floats<float>()));
        check_form<double>(prefix + ".f64.f64", integral, and_ties(edge_floats<double>()));
        check_form<H>(
            prefix + ".f16.f16", [&](H a) { return f16().round(integral(f16().decode(a))); }, f16().edges());
        check_form<H>(
            prefix + ".bf16.bf16", [&](H a) { return bf16().round(integral(bf16().decode(a))); }, bf16().edges());
    }
}

TEST_CASE("saturation and flushing of f32") {
    const auto saturated = [](float a) { return std::isnan(a) || !(a > 0) ? 0.0f : std::min(a, 1.0f); };
    check_form<float>("cvt.sat.f32.f32", saturated, edge_floats<float>());
    check_form<float>(
        "cvt.ftz.sat.f32.f32", [&](float a) { return saturated(flushed(a)); }, edge_floats<float>());
    check_form<float>(
        "cvt.ftz.f32.f32", [](float a) { return canonical(flushed(a)); }, edge_floats<float>());
    check_form<double>(
        "cvt.sat.f64.f64", [](double a) { return std::isnan(a) || !(a > 0) ? 0.0 : std::min(a, 1.0); },
        edge_floats<double>());
    check_form<float>(
        "cvt.rn.sat.f32.f64", [&](double a) { return saturated(static_cast<float>(a)); }, edge_floats<double>());
}

TEST_CASE("all halves to f32 and f64") {
    const std::vector<H> values = all_halves();
    check_form<float>(
        "cvt.f32.f16", [](H a) { return canonical(static_cast<float>(f16().decode(a))); }, values);
    check_form<float>(
        "cvt.f32.bf16", [](H a) { return std::bit_cast<float>(static_cast<Word>(a) << 16); }, values);
    std::vector<H> numbers;
    for (const H value : values) {
        if (!f16().is_nan(value)) numbers.push_back(value);
    }
    check_form<double>(
        "cvt.f64.f16", [](H a) { return f16().decode(a); }, numbers);
    check_form<float>(
        "cvt.sat.f32.f16",
        [](H a) {
            const double value = f16().decode(a);
            return std::isnan(value) || !(value > 0) ? 0.0f : std::min(static_cast<float>(value), 1.0f);
        },
        values);
}

TEST_CASE("f32 and f64 to halves, next to every middle, in all directions") {
    for (const Direction& direction : directions) {
        const std::string prefix = std::string("cvt") + direction.to_float;
        const int mode = direction.mode;
        check_form<H>(
            prefix + ".f16.f32", [&](float a) { return f16().round(a, false, mode); }, around_halves(f16()));
        check_form<H>(
            prefix + ".bf16.f32", [&](float a) { return bf16().round(a, false, mode); }, around_halves(bf16()));
        check_form<H>(
            prefix + ".ftz.f16.f32", [&](float a) { return f16().round(a, false, mode); }, edge_floats<float>());
        std::vector<double> doubles = edge_floats<double>();
        for (const float value : around_halves(f16())) {
            doubles.push_back(static_cast<double>(value));
            doubles.push_back(std::nextafter(static_cast<double>(value), 0.0));
            doubles.push_back(std::nextafter(static_cast<double>(value), HUGE_VAL));
        }
        check_form<H>(
            prefix + ".f16.f64",
            [&](double a) { return std::isnan(a) ? narrow_nan_f16(a) : f16().round(a, false, mode); }, doubles);
    }
}

TEST_CASE("relu and satfinite of halves, one or two at a time") {
    const std::vector<float> values = edge_floats<float>();
    for (const HalfReference* format : {&f16(), &bf16()}) {
        const std::string type = format == &f16() ? ".f16" : ".bf16";
        for (const Direction& direction : {directions[0], directions[1]}) {
            const std::string prefix = std::string("cvt") + direction.to_float;
            const auto rounded = [&](float a) { return format->round(a, false, direction.mode); };
            check_form<H>(
                prefix + ".relu" + type + ".f32", [&](float a) { return relu(*format, rounded(a)); }, values);
            check_form<H>(
                prefix + ".satfinite" + type + ".f32", [&](float a) { return satfinite(*format, rounded(a)); }, values);
            check_form<Word>(
                prefix + type + "x2.f32",
                [&](float a, float b) { return static_cast<Word>(rounded(a)) << 16 | rounded(b); }, values, values);
            check_form<Word>(
                prefix + ".relu.satfinite" + type + "x2.f32",
                [&](float a, float b) {
                    const auto finish = [&](float value) { return relu(*format, satfinite(*format, rounded(value))); };
                    return static_cast<Word>(finish(a)) << 16 | finish(b);
                },
                values, values);
        }
    }
}

TEST_CASE("tf32 has ten bits of fraction") {
    const auto bits = [](float value) { return std::bit_cast<Word>(value); };
    const std::vector<float> values = {1.0f,
                                       1.0f + 0x1p-10f,
                                       1.0f + 0x1p-11f,
                                       1.0f + 0x1.8p-10f,
                                       1.0f + 0x1.01p-11f,
                                       -1.0f - 0x1p-11f,
                                       0x1.fffffep127f,
                                       std::numeric_limits<float>::infinity(),
                                       0x1p-149f};
    const auto of = [&](const std::string& form, std::size_t index) {
        ArithmeticFixture warp;
        warp.declare("%d", "b32");
        warp.declare("%a", "f32");
        warp.fill<float>("%a", [&](unsigned) { return values[index]; });
        warp.execute(form + " %d, %a");
        return warp.row<Word>("%d")[0];
    };
    CHECK(of("cvt.rna.tf32.f32", 0) == bits(1.0f));
    CHECK(of("cvt.rna.tf32.f32", 1) == bits(1.0f + 0x1p-10f));
    CHECK(of("cvt.rna.tf32.f32", 2) == bits(1.0f + 0x1p-10f));
    CHECK(of("cvt.rn.tf32.f32", 2) == bits(1.0f));
    CHECK(of("cvt.rn.tf32.f32", 3) == bits(1.0f + 0x1p-9f));
    CHECK(of("cvt.rn.tf32.f32", 4) == bits(1.0f + 0x1p-10f));
    CHECK(of("cvt.rz.tf32.f32", 4) == bits(1.0f));
    CHECK(of("cvt.rna.tf32.f32", 5) == bits(-1.0f - 0x1p-10f));
    CHECK(of("cvt.rn.relu.tf32.f32", 5) == 0);
    CHECK(of("cvt.rna.tf32.f32", 6) == 0x7f800000u);
    CHECK(of("cvt.rna.satfinite.tf32.f32", 6) == 0x7f7fe000u);
    CHECK(of("cvt.rz.tf32.f32", 6) == 0x7f7fe000u);
    CHECK(of("cvt.rna.tf32.f32", 7) == 0x7f800000u);
    CHECK(of("cvt.rna.tf32.f32", 8) == 0);
}

TEST_CASE("cvt.pack saturates") {
    const std::vector<std::int32_t> values = edge_integers<std::int32_t>();
    const std::vector<Word> words = edge_integers<Word>();
    const auto clamp = [](std::int32_t value, int low, int high) {
        return static_cast<Word>(std::min(std::max(value, low), high));
    };
    check_form<Word>(
        "cvt.pack.sat.s16.s32",
        [&](std::int32_t a, std::int32_t b) {
            return clamp(a, -32768, 32767) << 16 | (clamp(b, -32768, 32767) & 0xffffu);
        },
        values, values);
    check_form<Word>(
        "cvt.pack.sat.u16.s32",
        [&](std::int32_t a, std::int32_t b) { return clamp(a, 0, 65535) << 16 | clamp(b, 0, 65535); }, values, values);
    check_form<Word>(
        "cvt.pack.sat.u8.s32.b32",
        [&](std::int32_t a, std::int32_t b, Word c) { return c << 16 | clamp(a, 0, 255) << 8 | clamp(b, 0, 255); },
        values, values, words);
    check_form<Word>(
        "cvt.pack.sat.s8.s32.b32",
        [&](std::int32_t a, std::int32_t b, Word c) {
            return c << 16 | (clamp(a, -128, 127) & 0xffu) << 8 | (clamp(b, -128, 127) & 0xffu);
        },
        values, values, words);
}

namespace {

/// The value of an 8-bit float, NaN apart; e4m3 has no infinity.
double byte_value(unsigned byte, int fraction_bits) {
    const int bias = fraction_bits == 3 ? 7 : 15;
    const int exponent = static_cast<int>(byte & 0x7fu) >> fraction_bits;
    const double fraction = (byte & ((1u << fraction_bits) - 1)) / std::ldexp(1.0, fraction_bits);
    const double value = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
    return byte >= 0x80 ? -value : value;
}

/// Nearest finite byte by trying them all; a tie goes to the even one.
unsigned nearest_byte(double value, int fraction_bits) {
    if (std::isnan(value)) return 0x7f;
    const unsigned largest = fraction_bits == 3 ? 0x7e : 0x7b;
    const double size = std::fmin(std::fabs(value), byte_value(largest, fraction_bits));
    unsigned best = 0;
    for (unsigned byte = 0; byte <= largest; ++byte) {
        const double distance = std::fabs(size - byte_value(byte, fraction_bits));
        const double shortest = std::fabs(size - byte_value(best, fraction_bits));
        if (distance < shortest || (distance == shortest && byte % 2 == 0)) best = byte;
    }
    return best | (std::signbit(value) ? 0x80u : 0u);
}

void check_bytes(const std::string& type, int fraction_bits) {
    std::vector<float> values = edge_floats<float>();
    for (unsigned byte = 0; byte < 0x7b; ++byte) {
        const double middle = (byte_value(byte, fraction_bits) + byte_value(byte + 1, fraction_bits)) / 2;
        for (const double value : {middle, middle * (1 + 0x1p-20), middle * (1 - 0x1p-20), -middle}) {
            values.push_back(static_cast<float>(value));
        }
    }
    const std::vector<float> others = {1.0f, -2.5f, 1000.0f, 0.0f};
    const auto encode = [&](float value) { return nearest_byte(value, fraction_bits); };
    check_form<H>(
        "cvt.rn.satfinite." + type + ".f32",
        [&](float a, float b) { return static_cast<H>(encode(a) << 8 | encode(b)); }, values, others);
    check_form<H>(
        "cvt.rn.relu.satfinite." + type + ".f32",
        [&](float a, float b) {
            const auto clamp = [&](float value) { return encode(value) >= 0x80 ? 0u : encode(value); };
            return static_cast<H>(clamp(a) << 8 | clamp(b));
        },
        values, others);
    std::vector<Word> pairs;
    for (const H half : f16().edges()) pairs.push_back(static_cast<Word>(half) << 16 | 0x3c00u);
    check_form<H>(
        "cvt.rn.satfinite." + type + ".f16x2",
        [&](Word a) {
            return static_cast<H>(nearest_byte(f16().decode(static_cast<H>(a >> 16)), fraction_bits) << 8 |
                                  nearest_byte(f16().decode(static_cast<H>(a)), fraction_bits));
        },
        pairs);
    const auto decode = [&](unsigned byte) {
        const unsigned magnitude = byte & 0x7fu;
        if (fraction_bits == 3 ? magnitude == 0x7f : magnitude > 0x7c) return H{0x7fff};
        return f16().round(fraction_bits == 2 && magnitude == 0x7c ? (byte >= 0x80 ? -HUGE_VAL : HUGE_VAL)
                                                                   : byte_value(byte, fraction_bits));
    };
    check_form<Word>(
        "cvt.rn.f16x2." + type, [&](H a) { return static_cast<Word>(decode(a >> 8)) << 16 | decode(a & 0xffu); },
        all_halves());
}

}  // namespace

TEST_CASE("e4m3x2 and e5m2x2") {
    check_bytes("e4m3x2", 3);
    check_bytes("e5m2x2", 2);
}
