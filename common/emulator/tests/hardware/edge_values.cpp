#include "edge_values.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace lanes::emulator::hardware {
namespace {

using Values = std::vector<std::uint64_t>;

Values integers(int bits, Richness richness) {
    const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits);
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    const std::uint64_t half = (std::uint64_t{1} << (bits / 2)) - 1;
    const std::uint64_t mixed = 0x9abcdef112345678u >> (64 - bits);
    Values values = {0, 1, top - 1, top, ones, mixed, half};
    if (richness == Richness::few) return values;
    for (const std::uint64_t value : {std::uint64_t{2}, std::uint64_t{7}, half >> 1, half + 1, top + 1, ones - 1,
                                      ones - 6, ~mixed & ones, ones / 3, ones / 5 * 3}) {
        values.push_back(value);
    }
    if (richness == Richness::some) return values;
    for (const std::uint64_t value : {0x1fu, 0x20u, 0x21u, 0x3fu, 0x40u, 0x41u, 0x7eu, 0x7fu, 0x80u, 0x81u, 0xfeu,
                                      0xffu, 0x100u, 0x101u, 0x7fffu, 0x8000u, 0x8001u, 0xff7fu, 0xff80u}) {
        values.push_back(value);
        values.push_back((0 - value) & ones);
    }
    // Halfway between floats of 8, 11, 24 and 53 digits, and next to it.
    for (const int digits : {8, 11, 24, 53}) {
        if (digits + 2 > bits) continue;
        for (const std::uint64_t fraction : {1u, 2u, 3u, 5u, 6u, 7u}) {
            values.push_back((std::uint64_t{1} << (digits + 1)) + fraction);
            values.push_back((0 - ((std::uint64_t{1} << (digits + 1)) + fraction)) & ones);
            values.push_back(top - (std::uint64_t{1} << (bits - 1 - digits)) / 4 * fraction);
        }
    }
    return values;
}

Values shifts() {
    return {0, 1, 5, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0x80000000u, 0xffffffffu};
}

Values few_shifts() {
    return {0, 1, 5, 31, 32, 33, 63, 64, 255, 0x80000001u};
}

Values selectors() {
    return {0x3210u, 0x7654u, 0x0123u, 0x89abu, 0xfedcu, 0x8888u, 0x0000u, 0xffffu,     0x4040u,     0xc5a3u,
            0x1111u, 0x2222u, 0x3333u, 0x0001u, 0x0002u, 0x0003u, 0x0004u, 0x12345678u, 0xffff0000u, 0x7u};
}

Values byte_groups(Richness richness) {
    if (richness == Richness::few) return {0, 0x80000001u, 0x7ffffff0u};
    return {0,           0x01020304u, 0x7f80ff01u, 0x80808080u, 0xffffffffu, 0x7f7f7f7fu,
            0x00ff00ffu, 0xfe01807fu, 0x8000ffffu, 0x80017fffu, 0x12f4c68bu};
}

/// Every 8-bit code in the lower byte, another one in the upper.
Values float_pairs() {
    Values values;
    for (std::uint32_t code = 0; code < 256; ++code) values.push_back((code * 37 + 11) % 256 << 8 | code);
    return values;
}

/// Halves in the format with that many bits of fraction.
Values halves(int fraction_bits, Richness richness) {
    const std::uint32_t normal = 1u << fraction_bits;
    const std::uint32_t infinity = 0x7fffu >> fraction_bits << fraction_bits;
    const std::uint32_t one = 0x3fffu >> fraction_bits << fraction_bits;
    // 2^-(digits): one plus it is a tie.
    const std::uint32_t tie = one - (static_cast<std::uint32_t>(fraction_bits) + 1) * normal;
    // For products of the fifth to the eighth see floats().
    Values values = {0,          0x8000u, 1,       normal - 1 + 0x8000u, normal,   one - 1,
                     normal + 1, one - 2, one + 1, infinity - 1,         infinity, infinity + normal / 2 + 5};
    if (richness == Richness::few) return values;
    for (const std::uint32_t value : {0x8001u, one, tie, one + normal + normal / 2 + 0x8000u, infinity - 1 + 0x8000u,
                                      infinity + 0x8000u, infinity + 3 + 0x8000u}) {
        values.push_back(value);
    }
    if (richness == Richness::some) return values;
    for (const std::uint32_t value : {2u,
                                      3u,
                                      normal / 2,
                                      normal - 1,
                                      one - normal,
                                      one - normal - 1,
                                      one - normal + 1,
                                      one + normal / 2,
                                      one + normal,
                                      one + normal + 1,
                                      one + normal + normal / 4,
                                      one + 2 * normal,
                                      one + 5 * normal + normal / 32 * 3,
                                      one + 7 * normal - 1,
                                      one + 8 * normal + 1,
                                      infinity - normal,
                                      infinity - 2 * normal,
                                      infinity - 2 * normal + 3,
                                      infinity + 1,
                                      0x7fffu,
                                      0x2e66u,
                                      0x4248u}) {
        values.push_back(value);
        values.push_back(value | 0x8000u);
    }
    return values;
}

Values pairs(const Values& halves) {
    Values values;
    for (std::size_t i = 0; i < halves.size(); ++i) {
        values.push_back(halves[(7 * i + 3) % halves.size()] << 16 | halves[i]);
    }
    return values;
}

template <typename T>
std::uint64_t bits_of(T value) {
    if constexpr (sizeof value == 4) {
        return std::bit_cast<std::uint32_t>(value);
    } else {
        return std::bit_cast<std::uint64_t>(value);
    }
}

/// Numbers halfway between two of a format with `digits` digits whose smallest number is 2^smallest and whose largest
/// is below 2^limit, and their neighbours in T.
template <typename T>
void add_halfway(std::vector<T>& numbers, int digits, int smallest, int limit) {
    const T half_unit = std::ldexp(T(1), -digits);
    const T least = std::ldexp(T(1), smallest);
    for (const T tie : {T(1) + half_unit, T(1) + 3 * half_unit, least / 2, least + least / 2,
                        std::ldexp(T(1) - half_unit / 2, limit)}) {
        numbers.push_back(tie);
        numbers.push_back(std::nextafter(tie, T(0)));
        numbers.push_back(std::nextafter(tie, std::numeric_limits<T>::infinity()));
    }
    numbers.push_back(std::ldexp(T(1) - half_unit, limit));
}

template <typename T>
std::vector<T> many_numbers() {
    std::vector<T> numbers = {T(0.5),
                              T(1.5),
                              T(2.5),
                              T(126.5),
                              T(127.5),
                              T(128),
                              T(128.5),
                              T(129),
                              T(254.5),
                              T(255.5),
                              T(256),
                              T(32767.5),
                              T(32768),
                              T(32768.5),
                              T(65535),
                              T(65535.5),
                              T(65536),
                              T(8388607.5),
                              T(2147483648.0),
                              T(4294967296.0),
                              T(9223372036854775808.0),
                              T(18446744073709551616.0),
                              T(1e-3),
                              T(0.7853981633974483),
                              T(3.141592653589793),
                              T(10),
                              T(88.75),
                              T(-126.25),
                              T(1e10)};
    for (const T limit :
         {T(2147483648.0), T(4294967296.0), T(9223372036854775808.0), T(18446744073709551616.0), T(0.5), T(1)}) {
        numbers.push_back(std::nextafter(limit, T(0)));
    }
    add_halfway(numbers, 11, -24, 16);    // f16
    add_halfway(numbers, 8, -133, 128);   // bf16
    add_halfway(numbers, 11, -136, 128);  // tf32
    add_halfway(numbers, 4, -9, 9);       // e4m3
    add_halfway(numbers, 3, -16, 16);     // e5m2
    if constexpr (sizeof(T) == 8) {
        for (const T value : {T(2147483647.5), T(4294967295.5), T(2147483648.5), T(9007199254740993.0)}) {
            numbers.push_back(value);
        }
        add_halfway(numbers, 24, -149, 128);  // f32
        // Rounded to f32, its smallest normal number, or just below.
        for (const int digit : {24, 25, 26}) numbers.push_back(std::ldexp(T(1) - std::ldexp(T(1), -digit), -126));
    }
    return numbers;
}

/// Patterns of NaN: quiet with a payload, signalling with a sign, the canonical one, quiet with a sign.
template <typename T>
Values nans(Richness richness) {
    if constexpr (sizeof(T) == 4) {
        if (richness == Richness::few) return {0x7fc12345u};
        if (richness == Richness::some) return {0x7fc12345u, 0xff812345u};
        return {0x7fc12345u, 0xff812345u, 0x7f800001u, 0x7fffffffu, 0xffc00000u, 0xffffffffu};
    } else {
        // Which NaN of several comes out is to be seen.
        if (richness != Richness::many) return {0x7ff8123456789abcu, 0xfff0000012345678u};
        return {0x7ff8123456789abcu, 0xfff0000012345678u, 0x7ff0000000000001u,
                0x7fffffffffffffffu, 0xfff8000000000000u, 0xffffffffffffffffu};
    }
}

template <typename T>
Values floats(Richness richness) {
    using Limits = std::numeric_limits<T>;
    const T largest_subnormal = Limits::min() - Limits::denorm_min();
    std::vector<T> numbers = {T(0),
                              -T(0),
                              -largest_subnormal,
                              T(1) + Limits::epsilon(),
                              Limits::max(),
                              -Limits::infinity(),
                              Limits::epsilon() / 2};
    // Products of the first or of the second two are below the smallest normal number, but round to it. The first is
    // one of the numbers of 24 digits with an unlimited exponent, the second is not and would round to it there too.
    if (sizeof(T) == 4) {
        numbers.insert(numbers.end(), {-Limits::min(), T(1) - Limits::epsilon() / 2});
        numbers.insert(numbers.end(), {Limits::min() + Limits::denorm_min(), T(1) - Limits::epsilon()});
    }
    if (richness != Richness::few) {
        for (const T value : {Limits::denorm_min(), T(1), T(-1.5), T(0.1), T(3), -Limits::max(), Limits::infinity(),
                              std::ldexp(T(1), Limits::max_exponent - 1)}) {
            numbers.push_back(value);
        }
    }
    if (richness == Richness::many) {
        for (const T value : many_numbers<T>()) {
            numbers.push_back(value);
            numbers.push_back(-value);
        }
    }
    Values values;
    for (const T number : numbers) values.push_back(bits_of(number));
    for (const std::uint64_t nan : nans<T>(richness)) values.push_back(nan);
    return values;
}

}  // namespace

std::vector<std::uint64_t> edge_values(ValueKind kind, Richness richness) {
    switch (kind) {
        case ValueKind::integer16:
            return integers(16, richness);
        case ValueKind::integer32:
            return integers(32, richness);
        case ValueKind::integer64:
            return integers(64, richness);
        case ValueKind::f16:
            return halves(10, richness);
        case ValueKind::bf16:
            return halves(7, richness);
        case ValueKind::f32:
            return floats<float>(richness);
        case ValueKind::f64:
            return floats<double>(richness);
        case ValueKind::s16_pair:
            return pairs(integers(16, richness));
        case ValueKind::f16_pair:
            return pairs(halves(10, richness));
        case ValueKind::bf16_pair:
            return pairs(halves(7, richness));
        case ValueKind::bytes:
            return byte_groups(richness);
        case ValueKind::float_pair:
            return float_pairs();
        case ValueKind::shift:
            return richness == Richness::few ? few_shifts() : shifts();
        case ValueKind::selector:
            return selectors();
        case ValueKind::predicate:
            break;
    }
    return {0, 1};
}

}  // namespace lanes::emulator::hardware
