/// Bits, against references that go bit by bit.

#include "arithmetic_reference.hpp"

using namespace lanes::emulator;

namespace {

template <typename T>
constexpr unsigned width = 8 * sizeof(T);

template <typename T>
unsigned bit(T value, unsigned index) {
    return static_cast<unsigned>(static_cast<std::make_unsigned_t<T>>(value) >> index) & 1u;
}

/// The value whose bit i is bits(i).
template <typename T, typename Bits>
T from_bits(const Bits& bits) {
    std::make_unsigned_t<T> value = 0;
    for (unsigned i = 0; i < width<T>; ++i) {
        value = static_cast<std::make_unsigned_t<T>>(value | static_cast<std::make_unsigned_t<T>>(bits(i) & 1u) << i);
    }
    return static_cast<T>(value);
}

const std::vector<std::uint32_t> amounts = {0,  1,  2,  7,  8,  15,  16,  17,          31,
                                            32, 33, 63, 64, 65, 255, 256, 0x80000000u, ~0u};

template <typename T>
void check_logic(const std::string& type) {
    const std::vector<T> values = edge_integers<T>();
    const auto with = [](const auto& function) {
        return
            [function](T a, T b) { return from_bits<T>([&](unsigned i) { return function(bit(a, i), bit(b, i)); }); };
    };
    check_form<T>("and" + type, with([](unsigned a, unsigned b) { return a * b; }), values, values);
    check_form<T>("or" + type, with([](unsigned a, unsigned b) { return a + b - a * b; }), values, values);
    check_form<T>("xor" + type, with([](unsigned a, unsigned b) { return a != b ? 1u : 0u; }), values, values);
    check_form<T>(
        "not" + type, [](T a) { return from_bits<T>([&](unsigned i) { return 1 - bit(a, i); }); }, values);
    check_form<T>(
        "cnot" + type, [](T a) { return static_cast<T>(a == 0); }, values);
}

template <typename T>
void check_shifts(const std::string& left, const std::string& right) {
    const std::vector<T> values = edge_integers<T>();
    check_form<T>(
        left,
        [](T a, std::uint32_t n) { return from_bits<T>([&](unsigned i) { return i >= n ? bit(a, i - n) : 0u; }); },
        values, amounts);
    check_form<T>(
        right,
        [](T a, std::uint32_t n) {
            const unsigned fill = std::is_signed_v<T> ? bit(a, width<T> - 1) : 0u;
            return from_bits<T>([&](unsigned i) {
                const std::uint64_t from = std::uint64_t{i} + n;
                return from < width<T> ? bit(a, static_cast<unsigned>(from)) : fill;
            });
        },
        values, amounts);
}

/// PTX restricts positions and lengths to 255; what is beyond is as on an H200.
template <typename T>
unsigned place(std::uint32_t value) {
    return sizeof(T) == 4 ? value % 256 : std::min(value, 255u);
}

template <typename T>
T extracted(T a, std::uint32_t b, std::uint32_t c) {
    const unsigned position = place<T>(b);
    const unsigned length = place<T>(c);
    const unsigned top = width<T> - 1;
    unsigned sign = 0;
    if (std::is_signed_v<T> && length != 0) sign = bit(a, std::min(position + length - 1, top));
    return from_bits<T>([&](unsigned i) { return i < length && position + i <= top ? bit(a, position + i) : sign; });
}

template <typename T>
T inserted(T a, T b, std::uint32_t c, std::uint32_t d) {
    const unsigned position = place<T>(c);
    const unsigned length = place<T>(d);
    return from_bits<T>(
        [&](unsigned i) { return i >= position && i < position + length ? bit(a, i - position) : bit(b, i); });
}

template <typename T>
void check_fields(const std::string& type) {
    const std::vector<T> all = edge_integers<T>();
    const std::vector<T> values(all.end() - 16, all.end());
    check_form<T>("bfe" + type, extracted<T>, values, amounts, amounts);
    if constexpr (std::is_unsigned_v<T>) {
        check_form<T>("bfi.b" + std::to_string(width<T>), inserted<T>, values, values, amounts, amounts);
    }
}

template <typename T>
std::uint32_t top_bit(T a) {
    const unsigned sign = std::is_signed_v<T> ? bit(a, width<T> - 1) : 0;
    for (unsigned i = width<T>; i-- > 0;) {
        if (bit(a, i) != sign) return i;
    }
    return ~0u;
}

template <typename T>
void check_counts(const std::string& type) {
    const std::vector<T> values = edge_integers<T>();
    check_form<std::uint32_t>("bfind" + type, top_bit<T>, values);
    check_form<std::uint32_t>(
        "bfind.shiftamt" + type, [](T a) { return top_bit(a) == ~0u ? ~0u : width<T> - 1 - top_bit(a); }, values);
    if constexpr (std::is_unsigned_v<T>) {
        const std::string bits = ".b" + std::to_string(width<T>);
        check_form<T>(
            "brev" + bits, [](T a) { return from_bits<T>([&](unsigned i) { return bit(a, width<T> - 1 - i); }); },
            values);
        check_form<std::uint32_t>(
            "popc" + bits,
            [](T a) {
                std::uint32_t count = 0;
                for (unsigned i = 0; i < width<T>; ++i) count += bit(a, i);
                return count;
            },
            values);
        check_form<std::uint32_t>(
            "clz" + bits, [](T a) { return a == 0 ? width<T> : width<T> - 1 - top_bit(a); }, values);
    }
}

using Word = std::uint32_t;

/// PTX ISA, bmsk.
Word mask_of(Word a, Word b, bool clamp) {
    const std::uint64_t start = clamp ? a : a & 31u;
    const std::uint64_t length = clamp ? std::min<std::uint64_t>(b, 32) : b & 31u;
    return from_bits<Word>([&](unsigned i) { return i >= start && i < start + length ? 1u : 0u; });
}

template <typename T>
T extended(T a, Word b, bool clamp) {
    if (clamp && b >= 32) return a;
    const unsigned length = b & 31u;
    const unsigned sign = std::is_signed_v<T> && length > 0 ? bit(a, length - 1) : 0u;
    return from_bits<T>([&](unsigned i) { return i < length ? bit(a, i) : sign; });
}

/// PTX ISA, fns.
Word nth_set(Word mask, Word base, Word offset) {
    const auto n = static_cast<std::int32_t>(offset);
    if (n == 0) return bit(mask, base) != 0 ? base : ~0u;
    int count = std::abs(n) - 1;
    for (int position = static_cast<int>(base); position >= 0 && position<32; position += n> 0 ? 1 : -1) {
        if (bit(mask, static_cast<unsigned>(position)) == 0) continue;
        if (count-- == 0) return static_cast<Word>(position);
    }
    return ~0u;
}

/// The eight bytes of {b, a}.
Word byte_at(Word a, Word b, unsigned index) {
    return (index < 4 ? a >> (8 * index) : b >> (8 * (index - 4))) & 0xffu;
}

Word bytes(Word b3, Word b2, Word b1, Word b0) {
    return b3 << 24 | b2 << 16 | b1 << 8 | b0;
}

}  // namespace

TEST_CASE("logic") {
    check_logic<std::uint16_t>(".b16");
    check_logic<std::uint32_t>(".b32");
    check_logic<std::uint64_t>(".b64");
    const std::vector<bool> both = {false, true};
    check_form<bool>(
        "and.pred", [](bool a, bool b) { return a && b; }, both, both);
    check_form<bool>(
        "or.pred", [](bool a, bool b) { return a || b; }, both, both);
    check_form<bool>(
        "xor.pred", [](bool a, bool b) { return a != b; }, both, both);
    check_form<bool>(
        "not.pred", [](bool a) { return !a; }, both);
}

TEST_CASE("shifts beyond the width shift everything out") {
    check_shifts<std::uint16_t>("shl.b16", "shr.u16");
    check_shifts<std::int16_t>("shl.b16", "shr.s16");
    check_shifts<std::uint32_t>("shl.b32", "shr.u32");
    check_shifts<std::int32_t>("shl.b32", "shr.s32");
    check_shifts<std::uint64_t>("shl.b64", "shr.b64");
    check_shifts<std::int64_t>("shl.b64", "shr.s64");
}

TEST_CASE("funnel shifts") {
    const std::vector<Word> values = edge_integers<Word>();
    const auto left = [](Word low, Word high, Word n) {
        return from_bits<Word>([&](unsigned i) { return i >= n ? bit(high, i - n) : bit(low, i + 32 - n); });
    };
    const auto right = [](Word low, Word high, Word n) {
        return from_bits<Word>([&](unsigned i) { return i + n < 32 ? bit(low, i + n) : bit(high, i + n - 32); });
    };
    check_form<Word>(
        "shf.l.wrap.b32", [&](Word a, Word b, Word c) { return left(a, b, c & 31u); }, values, values, amounts);
    check_form<Word>(
        "shf.l.clamp.b32", [&](Word a, Word b, Word c) { return left(a, b, std::min(c, 32u)); }, values, values,
        amounts);
    check_form<Word>(
        "shf.r.wrap.b32", [&](Word a, Word b, Word c) { return right(a, b, c & 31u); }, values, values, amounts);
    check_form<Word>(
        "shf.r.clamp.b32", [&](Word a, Word b, Word c) { return right(a, b, std::min(c, 32u)); }, values, values,
        amounts);
}

TEST_CASE("bit fields") {
    check_fields<std::uint32_t>(".u32");
    check_fields<std::int32_t>(".s32");
    check_fields<std::uint64_t>(".u64");
    check_fields<std::int64_t>(".s64");
}

TEST_CASE("counts and searches") {
    check_counts<std::uint32_t>(".u32");
    check_counts<std::int32_t>(".s32");
    check_counts<std::uint64_t>(".u64");
    check_counts<std::int64_t>(".s64");
}

TEST_CASE("lop3 looks its result up bit by bit") {
    const std::vector<Word> values = {0, ~0u, 0xf0f0f0f0u, 0xccccccccu, 0xaaaaaaaau, 0x12345678u};
    std::vector<Word> tables;
    for (Word table = 0; table < 256; ++table) tables.push_back(table);
    check_form<Word>(
        "lop3.b32",
        [](Word a, Word b, Word c, Word table) {
            return from_bits<Word>([&](unsigned i) { return bit(table, bit(a, i) * 4 + bit(b, i) * 2 + bit(c, i)); });
        },
        values, values, values, tables);
}

TEST_CASE("masks, extension and the n-th set bit") {
    const std::vector<Word> values = edge_integers<Word>();
    const std::vector<std::int32_t> numbers = edge_integers<std::int32_t>();
    check_form<Word>(
        "bmsk.clamp.b32", [](Word a, Word b) { return mask_of(a, b, true); }, amounts, amounts);
    check_form<Word>(
        "bmsk.wrap.b32", [](Word a, Word b) { return mask_of(a, b, false); }, amounts, amounts);
    check_form<Word>(
        "szext.clamp.u32", [](Word a, Word b) { return extended(a, b, true); }, values, amounts);
    check_form<Word>(
        "szext.wrap.u32", [](Word a, Word b) { return extended(a, b, false); }, values, amounts);
    check_form<std::int32_t>(
        "szext.clamp.s32", [](std::int32_t a, Word b) { return extended(a, b, true); }, numbers, amounts);
    check_form<std::int32_t>(
        "szext.wrap.s32", [](std::int32_t a, Word b) { return extended(a, b, false); }, numbers, amounts);
    const std::vector<Word> bases = {0, 1, 5, 16, 30, 31};
    const std::vector<Word> offsets = {0, 1, 2, 5, 32, 33, ~0u, ~1u, ~6u, ~31u};
    check_form<Word>("fns.b32", nth_set, values, bases, offsets);
}

TEST_CASE("prmt") {
    const std::vector<Word> values = {0x83020180u, 0x7f84fe06u, 0x12345678u, 0xffeeddccu};
    std::vector<Word> selectors;
    std::mt19937 random(7);
    for (int i = 0; i < 500; ++i) selectors.push_back(static_cast<Word>(random()));
    check_form<Word>(
        "prmt.b32",
        [](Word a, Word b, Word c) {
            const auto pick = [&](unsigned place) {
                const unsigned selector = c >> (4 * place) & 15u;
                const Word byte = byte_at(a, b, selector % 8);
                return selector < 8 ? byte : byte >= 0x80 ? 0xffu : 0u;
            };
            return bytes(pick(3), pick(2), pick(1), pick(0));
        },
        values, values, selectors);
    const auto check_mode = [&](const std::string& mode, const auto& place_of) {
        check_form<Word>(
            "prmt.b32." + mode,
            [&](Word a, Word b, Word c) {
                const unsigned n = c % 4;
                return bytes(byte_at(a, b, place_of(n, 3u)), byte_at(a, b, place_of(n, 2u)),
                             byte_at(a, b, place_of(n, 1u)), byte_at(a, b, place_of(n, 0u)));
            },
            values, values, selectors);
    };
    check_mode("f4e", [](unsigned n, unsigned i) { return n + i; });
    check_mode("b4e", [](unsigned n, unsigned i) { return (n + 8 - i) % 8; });
    check_mode("rc8", [](unsigned n, unsigned) { return n; });
    check_mode("ecl", [](unsigned n, unsigned i) { return std::max(n, i); });
    check_mode("ecr", [](unsigned n, unsigned i) { return std::min(n, i); });
    check_mode("rc16", [](unsigned n, unsigned i) { return n % 2 * 2 + i % 2; });
}

namespace {

/// Byte or halfword `index` of a word, as a number.
int piece(Word word, unsigned index, unsigned bits, bool is_signed) {
    const int value = static_cast<int>(word >> (bits * index) & ((1u << bits) - 1));
    return is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

void check_dot_products(bool a_signed, bool b_signed) {
    const std::vector<Word> values = edge_integers<Word>();
    const std::string types = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
    check_form<Word>(
        "dp4a" + types,
        [&](Word a, Word b, Word c) {
            int sum = 0;
            for (unsigned i = 0; i < 4; ++i) sum += piece(a, i, 8, a_signed) * piece(b, i, 8, b_signed);
            return c + static_cast<Word>(sum);
        },
        values, values, values);
    for (const unsigned first : {0u, 2u}) {
        check_form<Word>((first == 0 ? "dp2a.lo" : "dp2a.hi") + types,
                         [&](Word a, Word b, Word c) {
                             const int low = piece(a, 0, 16, a_signed) * piece(b, first, 8, b_signed);
                             const int high = piece(a, 1, 16, a_signed) * piece(b, first + 1, 8, b_signed);
                             return c + static_cast<Word>(low + high);
                         },
                         values, values, values);
    }
}

/// Applies `function` to each piece and keeps the low bits, or clamps, or adds all to c.
template <typename Function>
void check_video(const std::string& opcode, unsigned bits, bool is_signed, const Function& function) {
    const std::vector<Word> values = edge_integers<Word>();
    const std::vector<Word> addends = {0, 1000, ~0u};
    const std::string type = is_signed ? ".s32" : ".u32";
    const std::string form = opcode + (bits == 8 ? "4" : "2") + type + type + type;
    const int low = is_signed ? -(1 << (bits - 1)) : 0;
    const int high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
    const auto each = [&](Word a, Word b, bool clamp) {
        Word result = 0;
        for (unsigned i = 0; i < 32 / bits; ++i) {
            int value = function(piece(a, i, bits, is_signed), piece(b, i, bits, is_signed));
            if (clamp) value = std::min(std::max(value, low), high);
            result |= (static_cast<Word>(value) & ((1u << bits) - 1)) << (bits * i);
        }
        return result;
    };
    check_form<Word>(
        form, [&](Word a, Word b, Word) { return each(a, b, false); }, values, values, addends);
    check_form<Word>(
        form + ".sat", [&](Word a, Word b, Word) { return each(a, b, true); }, values, values, addends);
    check_form<Word>(
        form + ".add",
        [&](Word a, Word b, Word c) {
            for (unsigned i = 0; i < 32 / bits; ++i) {
                c += static_cast<Word>(function(piece(a, i, bits, is_signed), piece(b, i, bits, is_signed)));
            }
            return c;
        },
        values, values, addends);
}

}  // namespace

TEST_CASE("dot products of bytes and halfwords") {
    for (const bool a_signed : {false, true}) {
        for (const bool b_signed : {false, true}) check_dot_products(a_signed, b_signed);
    }
}

TEST_CASE("video instructions on bytes and halfwords") {
    for (const unsigned bits : {8u, 16u}) {
        for (const bool is_signed : {false, true}) {
            check_video("vadd", bits, is_signed, [](int a, int b) { return a + b; });
            check_video("vsub", bits, is_signed, [](int a, int b) { return a - b; });
            check_video("vabsdiff", bits, is_signed, [](int a, int b) { return std::abs(a - b); });
            check_video("vavrg", bits, is_signed, [](int a, int b) {
                const double mean = (a + b) / 2.0;
                return static_cast<int>(mean >= 0 ? std::floor(mean + 0.5) : std::floor(mean));
            });
            check_video("vmin", bits, is_signed, [](int a, int b) { return std::min(a, b); });
            check_video("vmax", bits, is_signed, [](int a, int b) { return std::max(a, b); });
        }
    }
}

TEST_CASE("integer pairs") {
    const std::vector<Word> values = edge_integers<Word>();
    const auto each = [](bool is_signed, const auto& function) {
        return [=](Word a, Word b) {
            const Word low =
                static_cast<Word>(function(piece(a, 0, 16, is_signed), piece(b, 0, 16, is_signed))) & 0xffffu;
            return low | static_cast<Word>(function(piece(a, 1, 16, is_signed), piece(b, 1, 16, is_signed))) << 16;
        };
    };
    const auto sum = [](int a, int b) { return a + b; };
    const auto smaller = [](int a, int b) { return std::min(a, b); };
    const auto larger = [](int a, int b) { return std::max(a, b); };
    check_form<Word>("add.u16x2", each(false, sum), values, values);
    check_form<Word>("add.s16x2", each(true, sum), values, values);
    check_form<Word>("min.u16x2", each(false, smaller), values, values);
    check_form<Word>("min.s16x2", each(true, smaller), values, values);
    check_form<Word>("max.u16x2", each(false, larger), values, values);
    check_form<Word>("max.s16x2", each(true, larger), values, values);
    check_form<Word>("max.relu.s16x2", each(true, [](int a, int b) { return std::max({a, b, 0}); }), values, values);
    check_form<Word>("min.relu.s16x2", each(true, [](int a, int b) { return std::max(std::min(a, b), 0); }), values,
                     values);
}
