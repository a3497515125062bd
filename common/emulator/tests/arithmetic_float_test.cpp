/// f32 and f64 against the host's own arithmetic, in each of its rounding modes.

#include <cfenv>

#include "arithmetic_exact.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_reference.hpp"

using namespace lanes::emulator;

namespace {

struct Direction {
    const char* modifier;
    int host_mode;
};

constexpr Direction directions[] = {
    {".rn", FE_TONEAREST}, {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};

/// Evaluates with a rounding mode of the host. Operands and results must be volatile, so that nothing is moved out.
template <typename Function>
auto in_mode(int mode, const Function& function) {
    std::fesetround(mode);
    const auto result = function();
    std::fesetround(FE_TONEAREST);
    return result;
}

template <typename T>
T host_add(T a, T b) {
    volatile T x = a;
    volatile T y = b;
    volatile T result = x + y;
    return result;
}

template <typename T>
T host_multiply(T a, T b) {
    volatile T x = a;
    volatile T y = b;
    volatile T result = x * y;
    return result;
}

template <typename T>
T host_divide(T a, T b) {
    volatile T x = a;
    volatile T y = b;
    volatile T result = x / y;
    return result;
}

template <typename T>
T host_fma(T a, T b, T c) {
    volatile T x = a;
    volatile T y = b;
    volatile T z = c;
    volatile T result = std::fma(x, y, z);
    return result;
}

template <typename T>
T host_sqrt(T a) {
    volatile T x = a;
    volatile T result = std::sqrt(x);
    return result;
}

float from_bits(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

float flushed(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// What an f32 instruction makes of its result.
float finished(float value, bool flushes, bool saturates) {
    const float kept = flushes ? flushed(value) : value;
    if (saturates) return std::isnan(kept) ? 0.0f : kept > 1.0f ? 1.0f : kept > 0.0f ? kept : 0.0f;
    return std::isnan(kept) ? from_bits(0x7fffffffu) : kept;
}

/// A product, quotient or fused sum, flushed if it is tiny when rounded with an unlimited exponent: `scaled` is the
/// same result times 2^24, and so never subnormal.
float unlimited(float value, float scaled) {
    const bool small = std::fabs(value) <= std::numeric_limits<float>::min();
    return small && std::fabs(scaled) < 0x1p-102f ? std::copysign(0.0f, value) : value;
}

struct Variant {
    std::string modifiers;
    bool flushes;
    bool saturates;
};

const std::vector<Variant> variants = {
    {"", false, false}, {".ftz", true, false}, {".sat", false, true}, {".ftz.sat", true, true}};

void check_arithmetic_f32(const Direction& direction, const Variant& variant) {
    const std::vector<float> values = edge_floats<float>();
    const std::string suffix = direction.modifier + variant.modifiers + ".f32";
    const auto in = [&](float value) { return variant.flushes ? flushed(value) : value; };
    const auto out = [&](float value) { return finished(value, variant.flushes, variant.saturates); };
    const int mode = direction.host_mode;
    check_form<float>(
        "add" + suffix, [&](float a, float b) { return out(in_mode(mode, [&] { return host_add(in(a), in(b)); })); },
        values, values);
    check_form<float>(
        "sub" + suffix, [&](float a, float b) { return out(in_mode(mode, [&] { return host_add(in(a), -in(b)); })); },
        values, values);
    check_form<float>(
        "mul" + suffix,
        [&](float a, float b) {
            const auto times = [&](float scale) {
                return in_mode(mode, [&] { return host_multiply(in(a)*scale, in(b)); });
            };
            return out(variant.flushes ? unlimited(times(1), times(0x1p24f)) : times(1));
        },
        values, values);
    const std::vector<float> addends = {0.0f,
                                        -0.0f,
                                        1.0f,
                                        -1.0f,
                                        from_bits(1),
                                        from_bits(0x80000001u),
                                        0x1p-100f,
                                        -0x1p-30f,
                                        3.14159265f,
                                        -0x1.fffffep127f,
                                        from_bits(0x00800001u),
                                        0x1.000002p-125f,
                                        std::numeric_limits<float>::infinity(),
                                        from_bits(0xffc12345u),
                                        1e10f};
    check_form<float>(
        "fma" + suffix,
        [&](float a, float b, float c) {
            const auto sum = [&](float scale) {
                return in_mode(mode, [&] { return host_fma(in(a)*scale, in(b), in(c)*scale); });
            };
            return out(variant.flushes ? unlimited(sum(1), sum(0x1p24f)) : sum(1));
        },
        values, values, addends);
}

void check_division_f32(const Direction& direction, const Variant& variant) {
    const std::vector<float> values = edge_floats<float>();
    const std::string suffix = direction.modifier + variant.modifiers + ".f32";
    const auto in = [&](float value) { return variant.flushes ? flushed(value) : value; };
    const auto out = [&](float value) { return finished(value, variant.flushes, false); };
    const int mode = direction.host_mode;
    const auto quotient = [&](float a, float b) {
        const auto of = [&](float scale) { return in_mode(mode, [&] { return host_divide(in(a)*scale, in(b)); }); };
        return out(variant.flushes ? unlimited(of(1), of(0x1p24f)) : of(1));
    };
    check_form<float>("div" + suffix, quotient, values, values);
    check_form<float>(
        "rcp" + suffix, [&](float a) { return quotient(1.0f, a); }, values);
    check_form<float>(
        "sqrt" + suffix, [&](float a) { return out(in_mode(mode, [&] { return host_sqrt(in(a)); })); }, values);
}

/// The NaN of an f64 operation: the first NaN of those given made quiet, or the default one.
template <typename... Operands>
double finished_f64(double result, Operands... operands) {
    if (!std::isnan(result)) return result;
    for (const double operand : {operands...}) {
        if (std::isnan(operand)) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(operand) | 1ull << 51);
    }
    return std::bit_cast<double>(0xfff8000000000000u);
}

void check_f64(const Direction& direction) {
    const std::vector<double> values = edge_floats<double>();
    const std::string suffix = std::string(direction.modifier) + ".f64";
    const int mode = direction.host_mode;
    check_form<double>(
        "add" + suffix,
        [&](double a, double b) { return finished_f64(in_mode(mode, [&] { return host_add(a, b); }), b, a); }, values,
        values);
    check_form<double>(
        "sub" + suffix,
        [&](double a, double b) { return finished_f64(in_mode(mode, [&] { return host_add(a, -b); }), b, a); }, values,
        values);
    check_form<double>(
        "mul" + suffix,
        [&](double a, double b) { return finished_f64(in_mode(mode, [&] { return host_multiply(a, b); }), b, a); },
        values, values);
    check_form<double>(
        "div" + suffix,
        [&](double a, double b) { return finished_f64(in_mode(mode, [&] { return host_divide(a, b); }), a, b); },
        values, values);
    check_form<double>(
        "rcp" + suffix, [&](double a) { return finished_f64(in_mode(mode, [&] { return host_divide(1.0, a); }), a); },
        values);
    check_form<double>(
        "sqrt" + suffix, [&](double a) { return finished_f64(in_mode(mode, [&] { return host_sqrt(a); }), a); },
        values);
    const std::vector<double> addends = {0.0, -0.0, 1.0, -1e-300, 5e-324, -5e-324, 1e300, 3.14159, -0x1p-1060, 2e-308};
    check_form<double>(
        "fma" + suffix,
        [&](double a, double b, double c) {
            return finished_f64(in_mode(mode, [&] { return host_fma(a, b, c); }), b, c, a);
        },
        values, values, addends);
}

/// A float with random sign, exponent in a range and fraction: near enough to others for cancellation to happen.
double random_near(std::mt19937_64& random, int exponent_range) {
    const double fraction = 1.0 + static_cast<double>(random() >> 12) * 0x1p-52;
    const int exponent = static_cast<int>(random() % static_cast<unsigned>(2 * exponent_range)) - exponent_range;
    return std::ldexp(random() % 2 == 0 ? fraction : -fraction, exponent);
}

float minimum(float a, float b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == 0 && b == 0) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

float maximum(float a, float b) {
    if (std::isnan(a)) return b;
    if (std::isnan(b)) return a;
    if (a == 0 && b == 0) return std::signbit(a) ? b : a;
    return a > b ? a : b;
}

using Extreme = float (*)(float, float);

void check_extreme(const std::string& opcode, Extreme choose, bool flushes, bool nan, bool xorsign) {
    const std::vector<float> values = edge_floats<float>();
    const std::string form =
        opcode + (flushes ? ".ftz" : "") + (nan ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "") + ".f32";
    const auto reference = [&](float a, float b) {
        const float x = flushes ? flushed(a) : a;
        const float y = flushes ? flushed(b) : b;
        if ((std::isnan(x) && std::isnan(y)) || (nan && (std::isnan(x) || std::isnan(y))))
            return from_bits(0x7fffffffu);
        if (!xorsign) return choose(x, y);
        return std::copysign(choose(std::fabs(x), std::fabs(y)), std::signbit(a) == std::signbit(b) ? 1.0f : -1.0f);
    };
    check_form<float>(form, reference, values, values);
}

/// Checks a form whose result may differ from the reference by rounding.
void check_approximation(const std::string& form, double (*reference)(double), double relative, double absolute) {
    ArithmeticFixture warp;
    warp.declare("%d", "f32");
    warp.declare("%a", "f32");
    const Operation operation = warp.decode(form + " %d, %a");
    for (const float value : edge_floats<float>()) {
        warp.fill<float>("%a", [&](unsigned) { return value; });
        warp.execute(operation);
        const float actual = warp.row<float>("%d")[17];
        const double expected = reference(static_cast<double>(value));
        if (std::isnan(expected)) {
            CHECK(std::bit_cast<std::uint32_t>(actual) == 0x7fffffffu);
        } else if (std::fabs(expected) > 3.4028235e38) {
            CHECK(std::fabs(actual) > 3.4e38f);
            CHECK(std::signbit(actual) == std::signbit(expected));
        } else {
            const double bound = std::fabs(expected) * relative + absolute;
            CHECK_MESSAGE(std::fabs(actual - expected) <= bound, form << " of " << value << " is " << actual);
        }
    }
}

}  // namespace

TEST_CASE("f32 add, sub, mul and fma round as IEEE 754 says in all directions, with .ftz and .sat") {
    for (const Direction& direction : directions) {
        for (const Variant& variant : variants) check_arithmetic_f32(direction, variant);
    }
}

TEST_CASE("f32 div, rcp and sqrt round as IEEE 754 says in all directions") {
    for (const Direction& direction : directions) {
        for (const Variant& variant : variants) {
            if (!variant.saturates) check_division_f32(direction, variant);
        }
    }
}

TEST_CASE("f64 arithmetic rounds as IEEE 754 says in all directions") {
    for (const Direction& direction : directions) check_f64(direction);
}

TEST_CASE("directed f64 roundings of random numbers that nearly cancel, overflow or underflow") {
    std::mt19937_64 random(64);
    const std::pair<Direction, Rounding> modes[] = {{directions[0], Rounding::nearest_even},
                                                    {directions[1], Rounding::zero},
                                                    {directions[2], Rounding::minus_infinity},
                                                    {directions[3], Rounding::plus_infinity}};
    std::size_t count = 0;
    for (int turn = 0; turn < 100000; ++turn) {
        const double a = random_near(random, turn % 2 == 0 ? 3 : 530);
        const double b = random_near(random, turn % 2 == 0 ? 3 : 545);
        const double product = a * b;
        const double c = turn % 3 == 0 ? -product : random_near(random, turn % 2 == 0 ? 60 : 1070);
        for (const auto& [direction, rounding] : modes) {
            const int mode = direction.host_mode;
            CHECK(exact_add(a, c, rounding) == in_mode(mode, [&] { return host_add(a, c); }));
            CHECK(exact_multiply(a, b, rounding) == in_mode(mode, [&] { return host_multiply(a, b); }));
            CHECK(exact_multiply_add(a, b, c, rounding) == in_mode(mode, [&] { return host_fma(a, b, c); }));
            CHECK(exact_divide(a, c, rounding) == in_mode(mode, [&] { return host_divide(a, c); }));
            CHECK(exact_square_root(std::fabs(c), rounding) == in_mode(mode, [&] { return host_sqrt(std::fabs(c)); }));
            ++count;
        }
    }
    CHECK(count == 400000);
}

TEST_CASE("f32 fma without fused instructions of the host rounds once") {
    std::mt19937_64 random(65);
    std::size_t halfway = 0;
    for (int turn = 0; turn < 400000; ++turn) {
        const auto a = static_cast<float>(random_near(random, turn % 2 == 0 ? 12 : 70));
        const auto b = static_cast<float>(random_near(random, turn % 2 == 0 ? 12 : 70));
        const auto nearby = static_cast<float>(static_cast<double>(a) * b);
        // Half a last digit of the product away: the sum is close to a tie.
        const auto c =
            turn % 3 == 0 ? std::ldexp(nearby, -24 - turn % 30) : static_cast<float>(random_near(random, 60));
        const float expected = host_fma(a, b, c);
        const float separate = host_add(host_multiply(a, b), c);
        halfway += separate != expected ? 1 : 0;
        CHECK(round_sum<Rounding::nearest_even>(static_cast<double>(a) * b, c) == expected);
    }
    CHECK(halfway > 1000);
}

TEST_CASE("min and max of f32: NaN, signed zeros, .NaN and .xorsign.abs") {
    for (const bool flushes : {false, true}) {
        for (const bool nan : {false, true}) {
            for (const bool xorsign : {false, true}) {
                check_extreme("min", minimum, flushes, nan, xorsign);
                check_extreme("max", maximum, flushes, nan, xorsign);
            }
        }
    }
}

TEST_CASE("min, max, abs, neg and copysign") {
    const std::vector<double> doubles = edge_floats<double>();
    const std::vector<float> floats = edge_floats<float>();
    const auto extreme = [](bool largest) {
        return [largest](double a, double b) {
            if (std::isnan(a) && std::isnan(b)) return finished_f64(a, b, a);
            if (std::isnan(a)) return b;
            if (std::isnan(b)) return a;
            if (a == 0 && b == 0) return std::signbit(a) == largest ? b : a;
            return (a < b) == largest ? b : a;
        };
    };
    check_form<double>("min.f64", extreme(false), doubles, doubles);
    check_form<double>("max.f64", extreme(true), doubles, doubles);
    check_form<double>(
        "abs.f64", [](double a) { return std::isnan(a) ? finished_f64(a, a) : std::fabs(a); }, doubles);
    check_form<double>(
        "neg.f64", [](double a) { return std::isnan(a) ? finished_f64(a, a) : -a; }, doubles);
    check_form<double>(
        "copysign.f64", [](double a, double b) { return std::copysign(b, a); }, doubles, doubles);
    check_form<float>(
        "abs.f32", [](float a) { return finished(std::fabs(a), false, false); }, floats);
    check_form<float>(
        "neg.f32", [](float a) { return finished(-a, false, false); }, floats);
    check_form<float>(
        "abs.ftz.f32", [](float a) { return finished(std::fabs(a), true, false); }, floats);
    check_form<float>(
        "neg.ftz.f32", [](float a) { return finished(-a, true, false); }, floats);
    check_form<float>(
        "copysign.f32", [](float a, float b) { return std::copysign(b, a); }, floats, floats);
}

TEST_CASE("div.full is exact here; div.approx loses quotients by numbers beyond 2^126") {
    const std::vector<float> values = edge_floats<float>();
    check_form<float>(
        "div.full.f32", [](float a, float b) { return finished(host_divide(a, b), false, false); }, values, values);
    check_form<float>(
        "div.approx.f32",
        [](float a, float b) {
            const bool lost = std::fabs(b) > 0x1p126f && std::isfinite(b);
            const float quotient = lost ? host_multiply(a, std::copysign(0.0f, b)) : host_divide(a, b);
            return finished(quotient, false, false);
        },
        values, values);
    check_form<float>(
        "rcp.approx.ftz.f32", [](float a) { return finished(host_divide(1.0f, flushed(a)), true, false); }, values);
}

TEST_CASE("approximate functions are within half a unit of the last place, and keep their special values") {
    constexpr double half_unit = 0x1p-24;
    constexpr double tiny = 0x1p-150;
    check_approximation(
        "ex2.approx.f32", [](double a) { return std::exp2(a); }, half_unit, tiny);
    check_approximation(
        "lg2.approx.f32", [](double a) { return std::log2(a); }, half_unit, tiny);
    check_approximation(
        "sin.approx.f32", [](double a) { return std::sin(a); }, half_unit, tiny);
    check_approximation(
        "cos.approx.f32", [](double a) { return std::cos(a); }, half_unit, tiny);
    check_approximation(
        "tanh.approx.f32", [](double a) { return std::tanh(a); }, half_unit, tiny);
    check_approximation(
        "rsqrt.approx.f32", [](double a) { return 1.0 / std::sqrt(a); }, half_unit, tiny);
    const auto single = [](const std::string& form, float value) {
        ArithmeticFixture warp;
        warp.declare("%d", "f32");
        warp.declare("%a", "f32");
        warp.fill<float>("%a", [&](unsigned) { return value; });
        warp.execute(form + " %d, %a");
        return warp.row<float>("%d")[0];
    };
    const float subnormal = from_bits(0x00400000u);
    CHECK(single("ex2.approx.ftz.f32", -127.0f) == 0.0f);
    CHECK(single("ex2.approx.f32", -127.0f) == subnormal);
    CHECK(single("lg2.approx.ftz.f32", subnormal) == -std::numeric_limits<float>::infinity());
    CHECK(single("lg2.approx.f32", subnormal) == -127.0f);
    CHECK(single("rsqrt.approx.ftz.f32", subnormal) == std::numeric_limits<float>::infinity());
    CHECK(single("rsqrt.approx.f32", -0.0f) == -std::numeric_limits<float>::infinity());
}

TEST_CASE("rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 have twenty bits of fraction") {
    const std::vector<double> values = {3.0,    -7.0,    0.1, 1e300,
                                        5e-324, -5e-324, 0.0, std::numeric_limits<double>::infinity()};
    const auto upper = [](double value) {
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) >> 32 << 32);
    };
    const auto no_subnormal = [](double value) {
        return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value;
    };
    check_form<double>(
        "rcp.approx.ftz.f64", [&](double a) { return upper(1.0 / no_subnormal(upper(a))); }, values);
    const std::vector<double> positive = {3.0, 0.1, 1e300, 5e-324, 4.0};
    check_form<double>(
        "rsqrt.approx.ftz.f64", [&](double a) { return upper(1.0 / std::sqrt(no_subnormal(upper(a)))); }, positive);
    check_form<double>(
        "rsqrt.approx.f64", [&](double a) { return 1.0 / std::sqrt(a); }, positive);
}
