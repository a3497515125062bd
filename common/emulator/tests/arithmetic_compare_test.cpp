/// setp, set, selp, slct and testp.

#include <functional>

#include "arithmetic_reference.hpp"
#include "half_reference.hpp"

using namespace lanes::emulator;

namespace {

using H = std::uint16_t;
using Word = std::uint32_t;

/// A comparison by the order of its operands.
struct Comparison {
    std::string name;
    bool when_less;
    bool when_equal;
    bool when_greater;
    bool when_unordered;
};

const std::vector<Comparison> ordered = {{"eq", false, true, false, false}, {"ne", true, false, true, false},
                                         {"lt", true, false, false, false}, {"le", true, true, false, false},
                                         {"gt", false, false, true, false}, {"ge", false, true, true, false}};
const std::vector<Comparison> unsigned_names = {{"lo", true, false, false, false},
                                                {"ls", true, true, false, false},
                                                {"hi", false, false, true, false},
                                                {"hs", false, true, true, false}};
const std::vector<Comparison> unordered = {{"equ", false, true, false, true}, {"neu", true, false, true, true},
                                           {"ltu", true, false, false, true}, {"leu", true, true, false, true},
                                           {"gtu", false, false, true, true}, {"geu", false, true, true, true},
                                           {"num", true, true, true, false},  {"nan", false, false, false, true}};

template <typename T>
bool holds(const Comparison& comparison, T a, T b) {
    if (a < b) return comparison.when_less;
    if (a > b) return comparison.when_greater;
    return a == b ? comparison.when_equal : comparison.when_unordered;
}

template <typename T>
void check_setp(const std::vector<Comparison>& comparisons, const std::string& type, const std::vector<T>& values) {
    for (const Comparison& comparison : comparisons) {
        check_form<bool>(
            "setp." + comparison.name + type, [&](T a, T b) { return holds(comparison, a, b); }, values, values);
    }
}

float flushed(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// All comparisons of floating-point numbers.
std::vector<Comparison> floating() {
    std::vector<Comparison> all = ordered;
    all.insert(all.end(), unordered.begin(), unordered.end());
    return all;
}

bool combined(const std::string& combination, bool a, bool c) {
    if (combination == ".and") return a && c;
    return combination == ".or" ? a || c : a != c;
}

}  // namespace

TEST_CASE("setp of integers") {
    check_setp(ordered, ".s16", edge_integers<std::int16_t>());
    check_setp(ordered, ".s32", edge_integers<std::int32_t>());
    check_setp(ordered, ".s64", edge_integers<std::int64_t>());
    check_setp(ordered, ".u16", edge_integers<std::uint16_t>());
    check_setp(ordered, ".u32", edge_integers<std::uint32_t>());
    check_setp(ordered, ".u64", edge_integers<std::uint64_t>());
    check_setp(unsigned_names, ".u16", edge_integers<std::uint16_t>());
    check_setp(unsigned_names, ".u32", edge_integers<std::uint32_t>());
    check_setp(unsigned_names, ".u64", edge_integers<std::uint64_t>());
    check_setp({ordered[0], ordered[1]}, ".b16", edge_integers<std::uint16_t>());
    check_setp({ordered[0], ordered[1]}, ".b32", edge_integers<std::uint32_t>());
    check_setp({ordered[0], ordered[1]}, ".b64", edge_integers<std::uint64_t>());
}

TEST_CASE("setp of floating-point numbers, ordered and unordered") {
    check_setp(floating(), ".f32", edge_floats<float>());
    check_setp(floating(), ".f64", edge_floats<double>());
    const std::vector<float> floats = edge_floats<float>();
    const HalfReference f16(10);
    const HalfReference bf16(7);
    for (const Comparison& comparison : floating()) {
        check_form<bool>(
            "setp." + comparison.name + ".ftz.f32",
            [&](float a, float b) { return holds(comparison, flushed(a), flushed(b)); }, floats, floats);
        check_form<bool>(
            "setp." + comparison.name + ".f16",
            [&](H a, H b) { return holds(comparison, f16.decode(a), f16.decode(b)); }, f16.edges(), f16.edges());
        check_form<bool>(
            "setp." + comparison.name + ".bf16",
            [&](H a, H b) { return holds(comparison, bf16.decode(a), bf16.decode(b)); }, bf16.edges(), bf16.edges());
    }
}

TEST_CASE("setp combines with a predicate, and q is the opposite comparison combined") {
    const std::vector<std::int32_t> values = {0, 1, -1, 7};
    for (const std::string combination : {".and", ".or", ".xor"}) {
        for (const bool negated : {false, true}) {
            for (const std::int32_t a : values) {
                for (const std::int32_t b : values) {
                    ArithmeticFixture warp;
                    for (const char* name : {"%a", "%b"}) warp.declare(name, "b32");
                    for (const char* name : {"%p", "%q", "%c"}) warp.declare(name, "pred");
                    warp.fill<std::int32_t>("%a", [&](unsigned) { return a; });
                    warp.fill<std::int32_t>("%b", [&](unsigned) { return b; });
                    warp.predicate("%c") = 0x0f0f0f0fu;
                    const std::string c = negated ? "!%c" : "%c";
                    warp.execute("setp.lt" + combination + ".s32 %p|%q, %a, %b, " + c);
                    for (unsigned lane = 0; lane < warp_size; ++lane) {
                        const bool other = ((0x0f0f0f0fu >> lane & 1u) != 0) != negated;
                        CHECK((warp.predicate("%p") >> lane & 1u) == (combined(combination, a < b, other) ? 1u : 0u));
                        CHECK((warp.predicate("%q") >> lane & 1u) == (combined(combination, a >= b, other) ? 1u : 0u));
                    }
                }
            }
        }
    }
}

TEST_CASE("setp without a combination gives the comparison and its opposite") {
    ArithmeticFixture warp;
    for (const char* name : {"%a", "%b"}) warp.declare(name, "f32");
    for (const char* name : {"%p", "%q"}) warp.declare(name, "pred");
    warp.fill<float>("%a", [](unsigned lane) { return lane == 4 ? std::nanf("") : static_cast<float>(lane); });
    warp.fill<float>("%b", [](unsigned) { return 10.0f; });
    warp.execute("setp.lt.f32 %p|%q, %a, %b");
    CHECK(warp.predicate("%p") == (0x3ffu & ~0x10u));
    CHECK(warp.predicate("%q") == ~(0x3ffu & ~0x10u));
    warp.predicate("%p") = 0;
    warp.execute("setp.lt.f32 _|%p, %a, %b", 0x0000ffffu);
    CHECK(warp.predicate("%p") == 0x0000fc10u);
}

TEST_CASE("setp of pairs: d from the lower halves, p from the upper ones") {
    const HalfReference f16(10);
    ArithmeticFixture warp;
    for (const char* name : {"%a", "%b"}) warp.declare(name, "b32");
    for (const char* name : {"%p", "%q", "%c"}) warp.declare(name, "pred");
    std::mt19937 random(2);
    const std::vector<H> values = f16.edges();
    for (int turn = 0; turn < 200; ++turn) {
        const auto pick = [&](unsigned) {
            const Word high = values[random() % values.size()];
            return high << 16 | values[random() % values.size()];
        };
        warp.fill<Word>("%a", pick);
        warp.fill<Word>("%b", pick);
        warp.predicate("%c") = static_cast<LaneMask>(random());
        warp.execute("setp.le.f16x2 %p|%q, %a, %b");
        const LaneMask low = warp.predicate("%p");
        const LaneMask high = warp.predicate("%q");
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const Word a = warp.row<Word>("%a")[lane];
            const Word b = warp.row<Word>("%b")[lane];
            const auto value = [&](Word word) { return f16.decode(static_cast<H>(word)); };
            CHECK((low >> lane & 1u) == (value(a) <= value(b) ? 1u : 0u));
            CHECK((high >> lane & 1u) == (value(a >> 16) <= value(b >> 16) ? 1u : 0u));
        }
        warp.execute("setp.le.and.f16x2 %p|%q, %a, %b, %c");
        CHECK(warp.predicate("%p") == (low & warp.predicate("%c")));
        CHECK(warp.predicate("%q") == (high & warp.predicate("%c")));
    }
}

TEST_CASE("set writes all ones, or one") {
    const std::vector<std::int32_t> values = edge_integers<std::int32_t>();
    const std::vector<float> floats = edge_floats<float>();
    const std::vector<bool> both = {false, true};
    using S = std::int32_t;
    check_form<Word>(
        "set.lt.u32.s32", [](S a, S b) { return a < b ? ~0u : 0u; }, values, values);
    check_form<float>(
        "set.lt.f32.s32", [](S a, S b) { return a < b ? 1.0f : 0.0f; }, values, values);
    check_form<Word>(
        "set.lt.and.u32.s32", [](S a, S b, bool c) { return a < b && c ? ~0u : 0u; }, values, values, both);
    check_form<Word>(
        "set.geu.s32.f32", [](float a, float b) { return !(a < b) ? ~0u : 0u; }, floats, floats);
    check_form<float>(
        "set.eq.ftz.f32.f32", [](float a, float b) { return flushed(a) == flushed(b) ? 1.0f : 0.0f; }, floats, floats);
    const HalfReference f16(10);
    const HalfReference bf16(7);
    check_form<H>(
        "set.gt.f16.f16", [&](H a, H b) { return f16.decode(a) > f16.decode(b) ? H{0x3c00} : H{0}; }, f16.edges(),
        f16.edges());
    check_form<H>(
        "set.gt.bf16.bf16", [&](H a, H b) { return bf16.decode(a) > bf16.decode(b) ? H{0x3f80} : H{0}; }, bf16.edges(),
        bf16.edges());
    check_form<H>(
        "set.gt.u16.f16", [&](H a, H b) { return f16.decode(a) > f16.decode(b) ? H{0xffff} : H{0}; }, f16.edges(),
        f16.edges());
    check_form<Word>(
        "set.gt.u32.f16", [&](H a, H b) { return f16.decode(a) > f16.decode(b) ? ~0u : 0u; }, f16.edges(), f16.edges());
    const std::vector<Word> pairs = {0x3c004000u, 0x40003c00u, 0x7e003c00u, 0x00000000u, 0x80003c00u};
    check_form<Word>(
        "set.lt.f16x2.f16x2",
        [&](Word a, Word b) {
            const auto less = [&](unsigned shift) {
                const auto value = [&](Word word) { return f16.decode(static_cast<H>(word >> shift)); };
                return value(a) < value(b) ? 0x3c00u << shift : 0u;
            };
            return less(0) | less(16);
        },
        pairs, pairs);
}

TEST_CASE("selp and slct") {
    const std::vector<bool> both = {false, true};
    const std::vector<Word> words = {0, 1, ~0u, 77};
    check_form<Word>(
        "selp.b32", [](Word a, Word b, bool c) { return c ? a : b; }, words, words, both);
    const std::vector<std::uint64_t> longs = {0, ~0ull, 1ull << 40};
    check_form<std::uint64_t>(
        "selp.u64", [](std::uint64_t a, std::uint64_t b, bool c) { return c ? a : b; }, longs, longs, both);
    const std::vector<H> halves = {0, 1, 0xffff};
    check_form<H>(
        "selp.s16", [](H a, H b, bool c) { return c ? a : b; }, halves, halves, both);
    check_form<float>(
        "selp.f32", [](float a, float b, bool c) { return c ? a : b; }, edge_floats<float>(),
        std::vector<float>{1.0f, std::nanf("3")}, both);
    check_form<double>(
        "selp.f64", [](double a, double b, bool c) { return c ? a : b; }, edge_floats<double>(),
        std::vector<double>{1.0, -0.0}, both);
    const std::vector<std::int32_t> signs = edge_integers<std::int32_t>();
    check_form<Word>(
        "slct.u32.s32", [](Word a, Word b, std::int32_t c) { return c >= 0 ? a : b; }, words, words, signs);
    check_form<double>(
        "slct.f64.s32", [](double a, double b, std::int32_t c) { return c >= 0 ? a : b; }, std::vector<double>{2.0},
        std::vector<double>{3.0}, signs);
    check_form<Word>(
        "slct.b32.f32", [](Word a, Word b, float c) { return c >= 0 ? a : b; }, words, words, edge_floats<float>());
    check_form<Word>(
        "slct.ftz.b32.f32", [](Word a, Word b, float c) { return flushed(c) >= 0 ? a : b; }, words, words,
        edge_floats<float>());
}

TEST_CASE("testp") {
    const auto check = [](auto zero, const std::string& type) {
        using T = decltype(zero);
        const std::vector<T> values = edge_floats<T>();
        check_form<bool>(
            "testp.finite" + type, [](T a) { return std::isfinite(a); }, values);
        check_form<bool>(
            "testp.infinite" + type, [](T a) { return std::isinf(a); }, values);
        check_form<bool>(
            "testp.number" + type, [](T a) { return !std::isnan(a); }, values);
        check_form<bool>(
            "testp.notanumber" + type, [](T a) { return std::isnan(a); }, values);
        check_form<bool>(
            "testp.normal" + type, [](T a) { return std::isnormal(a) || a == 0; }, values);
        check_form<bool>(
            "testp.subnormal" + type, [](T a) { return std::fpclassify(a) == FP_SUBNORMAL; }, values);
    };
    check(0.0f, ".f32");
    check(0.0, ".f64");
}
