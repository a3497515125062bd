/// Integer arithmetic against 128-bit integers.

#include "arithmetic_reference.hpp"

using namespace lanes::emulator;

namespace {

__extension__ using Int128 = __int128;

template <typename T>
Int128 exact(T value) {
    return static_cast<Int128>(value);
}

template <typename T>
std::string name_of_integer() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

template <typename T>
void check_sums_and_products() {
    const std::string type = "." + name_of_integer<T>();
    const std::vector<T> values = edge_integers<T>();
    check_form<T>(
        "add" + type, [](T a, T b) { return static_cast<T>(exact(a) + exact(b)); }, values, values);
    check_form<T>(
        "sub" + type, [](T a, T b) { return static_cast<T>(exact(a) - exact(b)); }, values, values);
    // The low half of a 128-bit product is right even where an unsigned one overflows.
    const auto product = [](T a, T b) {
        __extension__ using Unsigned = unsigned __int128;
        return static_cast<Unsigned>(exact(a)) * static_cast<Unsigned>(exact(b));
    };
    check_form<T>(
        "mul.lo" + type, [&](T a, T b) { return static_cast<T>(product(a, b)); }, values, values);
    check_form<T>(
        "mul.hi" + type, [&](T a, T b) { return static_cast<T>(product(a, b) >> (8 * sizeof(T))); }, values, values);
    const std::vector<T> addends(values.begin(), values.begin() + 30);
    check_form<T>(
        "mad.lo" + type, [&](T a, T b, T c) { return static_cast<T>(product(a, b) + static_cast<T>(c)); }, values,
        values, addends);
    check_form<T>(
        "mad.hi" + type,
        [&](T a, T b, T c) { return static_cast<T>((product(a, b) >> (8 * sizeof(T))) + static_cast<T>(c)); }, values,
        values, addends);
    check_form<T>(
        "sad" + type,
        [](T a, T b, T c) { return static_cast<T>(exact(c) + (a < b ? exact(b) - exact(a) : exact(a) - exact(b))); },
        values, values, addends);
}

template <typename T>
void check_division_and_order() {
    const std::string type = "." + name_of_integer<T>();
    const std::vector<T> values = edge_integers<T>();
    const auto quotient = [](T a, T b) { return b == 0 ? static_cast<T>(-1) : static_cast<T>(exact(a) / exact(b)); };
    const auto rest = [](T a, T b) { return b == 0 ? static_cast<T>(-1) : static_cast<T>(exact(a) % exact(b)); };
    check_form<T>("div" + type, quotient, values, values);
    check_form<T>("rem" + type, rest, values, values);
    check_form<T>(
        "min" + type, [](T a, T b) { return std::min(a, b); }, values, values);
    check_form<T>(
        "max" + type, [](T a, T b) { return std::max(a, b); }, values, values);
}

template <typename T>
void check_signs() {
    const std::string type = "." + name_of_integer<T>();
    const std::vector<T> values = edge_integers<T>();
    check_form<T>(
        "neg" + type, [](T a) { return static_cast<T>(-exact(a)); }, values);
    check_form<T>(
        "abs" + type, [](T a) { return static_cast<T>(a < 0 ? -exact(a) : exact(a)); }, values);
}

template <typename T, typename Wide>
void check_wide() {
    const std::string type = ".wide." + name_of_integer<T>();
    const std::vector<T> values = edge_integers<T>();
    const std::vector<Wide> addends = edge_integers<Wide>();
    check_form<Wide>(
        "mul" + type, [](T a, T b) { return static_cast<Wide>(exact(a) * exact(b)); }, values, values);
    check_form<Wide>(
        "mad" + type, [](T a, T b, Wide c) { return static_cast<Wide>(exact(a) * exact(b) + exact(c)); }, values,
        values, addends);
}

std::int32_t clamped(Int128 value) {
    constexpr Int128 low = std::numeric_limits<std::int32_t>::min();
    constexpr Int128 high = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(value < low ? low : value > high ? high : value);
}

/// Bits 23..0 as a number.
template <typename T>
Int128 low_24(T value) {
    const auto bits = static_cast<std::int32_t>(static_cast<std::uint32_t>(value) % (1u << 24));
    return std::is_signed_v<T> && bits >= 1 << 23 ? bits - (1 << 24) : bits;
}

template <typename T>
void check_24_bits() {
    const std::string type = name_of_integer<T>();
    const std::vector<T> values = edge_integers<T>();
    check_form<T>(
        "mul24.lo." + type, [](T a, T b) { return static_cast<T>(low_24(a) * low_24(b)); }, values, values);
    check_form<T>(
        "mul24.hi." + type, [](T a, T b) { return static_cast<T>(low_24(a) * low_24(b) >> 16); }, values, values);
    check_form<T>(
        "mad24.lo." + type, [](T a, T b, T c) { return static_cast<T>(low_24(a) * low_24(b) + exact(c)); }, values,
        values, values);
    check_form<T>(
        "mad24.hi." + type, [](T a, T b, T c) { return static_cast<T>((low_24(a) * low_24(b) >> 16) + exact(c)); },
        values, values, values);
}

/// A number of two words, computed with a carry chain and as one.
struct Pair {
    std::uint64_t low;
    std::uint64_t high;
};

std::vector<Pair> edge_pairs() {
    const std::uint64_t ones = ~std::uint64_t{0};
    return {{0, 0},
            {1, 0},
            {ones, 0},
            {0, 1},
            {ones, ones},
            {1, ones},
            {ones - 1, ones},
            {ones, 1234},
            {5, ones},
            {1ull << 63, 1ull << 63},
            {0xffffffffu, 0xffffffffu},
            {0x123456789abcdefu, 77}};
}

__extension__ using Uint128 = unsigned __int128;

/// Runs `low` then `high` on 64-bit words of every pair of pairs.
template <typename Reference>
void check_chain(const std::string& low, const std::string& high, const Reference& reference) {
    ArithmeticFixture warp;
    for (const char* name : {"%d", "%h", "%a", "%b", "%x", "%y"}) warp.declare(name, "b64");
    for (const Pair& x : edge_pairs()) {
        for (const Pair& y : edge_pairs()) {
            warp.fill<std::uint64_t>("%a", [&](unsigned) { return x.low; });
            warp.fill<std::uint64_t>("%x", [&](unsigned) { return x.high; });
            warp.fill<std::uint64_t>("%b", [&](unsigned) { return y.low; });
            warp.fill<std::uint64_t>("%y", [&](unsigned) { return y.high; });
            warp.execute(low + " %d, %a, %b");
            warp.execute(high + " %h, %x, %y");
            const Uint128 result = reference(Uint128{x.high} << 64 | x.low, Uint128{y.high} << 64 | y.low);
            CHECK(warp.row<std::uint64_t>("%d")[31] == static_cast<std::uint64_t>(result));
            CHECK(warp.row<std::uint64_t>("%h")[31] == static_cast<std::uint64_t>(result >> 64));
        }
    }
}

}  // namespace

TEST_CASE_TEMPLATE("sums and products wrap around", T, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                   std::uint64_t, std::int64_t) {
    check_sums_and_products<T>();
}

TEST_CASE_TEMPLATE("division by zero is all ones, the most negative number divides by -1", T, std::uint16_t,
                   std::int16_t, std::uint32_t, std::int32_t, std::uint64_t, std::int64_t) {
    check_division_and_order<T>();
}

TEST_CASE("neg and abs") {
    check_signs<std::int16_t>();
    check_signs<std::int32_t>();
    check_signs<std::int64_t>();
}

TEST_CASE("wide products are exact") {
    check_wide<std::uint16_t, std::uint32_t>();
    check_wide<std::int16_t, std::int32_t>();
    check_wide<std::uint32_t, std::uint64_t>();
    check_wide<std::int32_t, std::int64_t>();
}

TEST_CASE("products of 24 bits") {
    check_24_bits<std::uint32_t>();
    check_24_bits<std::int32_t>();
}

TEST_CASE("saturating forms clamp to 32 bits") {
    using T = std::int32_t;
    const std::vector<T> values = edge_integers<T>();
    check_form<T>(
        "add.sat.s32", [](T a, T b) { return clamped(exact(a) + exact(b)); }, values, values);
    check_form<T>(
        "sub.sat.s32", [](T a, T b) { return clamped(exact(a) - exact(b)); }, values, values);
    check_form<T>(
        "mad.hi.sat.s32", [](T a, T b, T c) { return clamped((exact(a) * exact(b) >> 32) + exact(c)); }, values, values,
        values);
    check_form<T>(
        "mad24.hi.sat.s32",
        [](T a, T b, T c) {
            const auto high = static_cast<T>(low_24(a) * low_24(b) >> 16);
            return clamped(exact(high) + exact(c));
        },
        values, values, values);
    check_form<T>(
        "min.relu.s32", [](T a, T b) { return std::max(std::min(a, b), 0); }, values, values);
    check_form<T>(
        "max.relu.s32", [](T a, T b) { return std::max(std::max(a, b), 0); }, values, values);
}

TEST_CASE("carry chains compute 128-bit sums and differences") {
    check_chain("add.cc.u64", "addc.u64", [](Uint128 a, Uint128 b) { return a + b; });
    check_chain("add.cc.s64", "addc.cc.s64", [](Uint128 a, Uint128 b) { return a + b; });
    check_chain("sub.cc.u64", "subc.u64", [](Uint128 a, Uint128 b) { return a - b; });
    check_chain("sub.cc.s64", "subc.cc.s64", [](Uint128 a, Uint128 b) { return a - b; });
}

TEST_CASE("the carry out of the middle of a chain") {
    ArithmeticFixture warp;
    for (const char* name : {"%d", "%a", "%b", "%c"}) warp.declare(name, "b32");
    const std::vector<std::uint32_t> values = edge_integers<std::uint32_t>();
    for (const bool carry : {false, true}) {
        for (const std::uint32_t a : values) {
            for (const std::uint32_t b : values) {
                warp.fill<std::uint32_t>("%a", [&](unsigned) { return a; });
                warp.fill<std::uint32_t>("%b", [&](unsigned) { return b; });
                const std::uint64_t sum = std::uint64_t{a} + b + (carry ? 1 : 0);
                warp.predicate("carry") = carry ? all_lanes : 0;
                warp.execute("addc.cc.u32 %d, %a, %b");
                CHECK(warp.row<std::uint32_t>("%d")[7] == static_cast<std::uint32_t>(sum));
                CHECK(warp.predicate("carry") == (sum >> 32 != 0 ? all_lanes : 0));
                const std::uint64_t difference = std::uint64_t{a} - b - (carry ? 0 : 1);
                warp.predicate("carry") = carry ? all_lanes : 0;
                warp.execute("subc.cc.u32 %d, %a, %b");
                CHECK(warp.row<std::uint32_t>("%d")[7] == static_cast<std::uint32_t>(difference));
                CHECK(warp.predicate("carry") == (difference >> 32 == 0 ? all_lanes : 0));
            }
        }
    }
}

TEST_CASE("a subtraction that borrows nothing leaves a carry, which addc adds") {
    ArithmeticFixture warp;
    for (const char* name : {"%d", "%a", "%b"}) warp.declare(name, "b32");
    for (const std::uint32_t a : {4U, 5U, 6U}) {
        warp.fill<std::uint32_t>("%a", [&](unsigned) { return a; });
        warp.fill<std::uint32_t>("%b", [](unsigned) { return 5; });
        warp.execute("sub.cc.u32 %d, %a, %b");
        warp.execute("addc.u32 %d, 0, 0");
        CHECK(warp.row<std::uint32_t>("%d")[7] == (a >= 5 ? 1 : 0));
    }
}

TEST_CASE("mad.cc and madc compute 64-bit products from 32-bit words") {
    ArithmeticFixture warp;
    for (const char* name : {"%d", "%h", "%a", "%b", "%c", "%e"}) warp.declare(name, "b32");
    const std::vector<std::uint32_t> values = edge_integers<std::uint32_t>();
    for (const std::string sign : {"u32", "s32"}) {
        for (const std::uint32_t a : values) {
            for (const std::uint32_t b : values) {
                const std::uint64_t addend = 0xfedcba98'87654321u;
                warp.fill<std::uint32_t>("%a", [&](unsigned) { return a; });
                warp.fill<std::uint32_t>("%b", [&](unsigned) { return b; });
                warp.fill<std::uint32_t>("%c", [&](unsigned) { return static_cast<std::uint32_t>(addend); });
                warp.fill<std::uint32_t>("%e", [&](unsigned) { return addend >> 32; });
                warp.execute("mad.lo.cc." + sign + " %d, %a, %b, %c");
                warp.execute("madc.hi.cc." + sign + " %h, %a, %b, %e");
                const Int128 product = sign == "u32"
                                           ? exact(a) * exact(b)
                                           : exact(static_cast<std::int32_t>(a)) * exact(static_cast<std::int32_t>(b));
                const std::uint64_t result = static_cast<std::uint64_t>(product) + addend;
                CHECK(warp.row<std::uint32_t>("%d")[3] == static_cast<std::uint32_t>(result));
                CHECK(warp.row<std::uint32_t>("%h")[3] == static_cast<std::uint32_t>(result >> 32));
                CHECK(warp.predicate("carry") == (result < addend ? all_lanes : 0));
            }
        }
    }
}
