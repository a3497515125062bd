/// Logic, shifts, bit fields and bit counts.

#include "arithmetic.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

template <typename T>
constexpr unsigned bits_of = 8 * sizeof(T);

template <typename T>
T bit_and(T a, T b) {
    return static_cast<T>(a & b);
}

template <typename T>
T bit_or(T a, T b) {
    return static_cast<T>(a | b);
}

template <typename T>
T bit_xor(T a, T b) {
    return static_cast<T>(a ^ b);
}

template <typename T>
T bit_not(T a) {
    return static_cast<T>(~a);
}

/// C's `!`: 1 for 0, else 0.
template <typename T>
T logical_not(T a) {
    return a == 0 ? T{1} : T{0};
}

/// Amounts beyond the width shift everything out.
template <typename T>
T shift_left(T a, std::uint32_t amount) {
    using Unsigned = std::common_type_t<T, std::uint32_t>;
    const Unsigned shifted = static_cast<Unsigned>(a) << (amount & (bits_of<T> - 1));
    return amount < bits_of<T> ? static_cast<T>(shifted) : T{0};
}

/// Amounts beyond the width fill with zeros, or with the sign of a signed type.
template <typename T>
T shift_right(T a, std::uint32_t amount) {
    const T shifted = static_cast<T>(a >> (amount & (bits_of<T> - 1)));
    if constexpr (std::is_signed_v<T>) {
        return amount < bits_of<T> ? shifted : static_cast<T>(a >> (bits_of<T> - 1));
    } else {
        return amount < bits_of<T> ? shifted : T{0};
    }
}

/// The upper word of {high, low} shifted left by amount < 32.
std::uint32_t funnel_left(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    return static_cast<std::uint32_t>((both << amount) >> 32);
}

/// The lower word of {high, low} shifted right by amount.
std::uint32_t funnel_right(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    return static_cast<std::uint32_t>(both >> amount);
}

std::uint32_t funnel_left_wrap(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    return funnel_left(low, high, amount & 31u);
}

std::uint32_t funnel_left_clamp(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    return funnel_left(low, high, amount < 32 ? amount : 32);
}

std::uint32_t funnel_right_wrap(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    return funnel_right(low, high, amount & 31u);
}

std::uint32_t funnel_right_clamp(std::uint32_t low, std::uint32_t high, std::uint32_t amount) {
    return funnel_right(low, high, amount < 32 ? amount : 32);
}

/// `length` ones from bit 0 on, all ones from the type's width on.
template <typename T>
T low_ones(unsigned length) {
    return length >= bits_of<T> ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
}

/// A position or length of bfe and bfi. PTX restricts it to 255; hardware takes the low byte for 32-bit fields, and a
/// larger value for 255 in 64-bit ones.
template <typename T>
unsigned field_place(std::uint32_t value) {
    if constexpr (sizeof(T) == 4) return value & 0xffu;
    return value < 0xffu ? value : 0xffu;
}

/// Bits [position, position + length) of a, extended with zeros, or with the field's top bit for a signed type.
template <typename T>
T extract_field(T a, std::uint32_t b, std::uint32_t c) {
    using Unsigned = std::make_unsigned_t<T>;
    constexpr unsigned top = bits_of<T> - 1;
    const unsigned position = field_place<T>(b);
    const unsigned length = field_place<T>(c);
    if (length == 0) return 0;
    const unsigned last = position + length - 1 < top ? position + length - 1 : top;
    const bool negative = std::is_signed_v<T> && (static_cast<Unsigned>(a) >> last & 1u) != 0;
    const Unsigned shifted = position > top ? Unsigned{0} : static_cast<Unsigned>(a) >> position;
    const unsigned present = position > top ? 0 : last - position + 1;
    const Unsigned field = shifted & low_ones<Unsigned>(present);
    const Unsigned fill = negative ? static_cast<Unsigned>(~low_ones<Unsigned>(present)) : Unsigned{0};
    return static_cast<T>(field | fill);
}

/// b with a's low bits in place of [position, position + length).
template <typename T>
T insert_field(T a, T b, std::uint32_t c, std::uint32_t d) {
    const unsigned position = field_place<T>(c);
    const unsigned length = field_place<T>(d);
    if (position >= bits_of<T>) return b;
    const T mask = static_cast<T>(low_ones<T>(length) << position);
    return static_cast<T>((b & ~mask) | ((a << position) & mask));
}

/// Position of the most significant bit that differs from the sign; all ones if there is none.
template <typename T>
std::uint32_t find_top_bit(T a) {
    using Unsigned = std::make_unsigned_t<T>;
    const auto bits = static_cast<Unsigned>(a < 0 ? ~a : a);
    return bits == 0 ? ~0u : static_cast<std::uint32_t>(bits_of<T> - 1 - std::countl_zero(bits));
}

/// By how much a must be shifted left to bring that bit to the top.
template <typename T>
std::uint32_t find_top_bit_shift(T a) {
    const std::uint32_t position = find_top_bit(a);
    return position == ~0u ? position : bits_of<T> - 1 - position;
}

template <typename T>
T reverse_bits(T a) {
    T result = a;
    T mask = static_cast<T>(~T{0});
    for (unsigned half = bits_of<T> / 2; half > 0; half /= 2) {
        mask = static_cast<T>(mask ^ (mask << half));
        result = static_cast<T>(((result >> half) & mask) | ((result << half) & ~mask));
    }
    return result;
}

template <typename T>
std::uint32_t count_ones(T a) {
    return static_cast<std::uint32_t>(std::popcount(a));
}

template <typename T>
std::uint32_t count_leading_zeros(T a) {
    return static_cast<std::uint32_t>(std::countl_zero(a));
}

/// Bit by bit the function whose truth table is `table`: its index has a's bit at 2, b's at 1, c's at 0.
std::uint32_t logic_of_three(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
    std::uint32_t result = 0;
    for (unsigned index = 0; index < 8; ++index) {
        const std::uint32_t chosen = (table >> index & 1u) != 0 ? ~0u : 0u;
        result |= chosen & ((index & 4u) != 0 ? a : ~a) & ((index & 2u) != 0 ? b : ~b) & ((index & 1u) != 0 ? c : ~c);
    }
    return result;
}

/// `width` ones from bit `start` on; both at most 32.
std::uint32_t ones_at(std::uint32_t start, std::uint32_t width) {
    return static_cast<std::uint32_t>(low_ones<std::uint64_t>(width) << start);
}

std::uint32_t bit_mask_clamp(std::uint32_t start, std::uint32_t width) {
    return ones_at(start < 32 ? start : 32, width < 32 ? width : 32);
}

std::uint32_t bit_mask_wrap(std::uint32_t start, std::uint32_t width) {
    return ones_at(start & 31u, width & 31u);
}

/// The low `width` bits of a, extended to 32; width 0 gives 0.
template <typename T>
T extend_low_bits(T a, std::uint32_t width) {
    if (width == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
        return static_cast<T>(static_cast<std::uint32_t>(a) << (32 - width)) >> (32 - width);
    } else {
        return a & low_ones<T>(width);
    }
}

template <typename T>
T extend_clamp(T a, std::uint32_t width) {
    return width < 32 ? extend_low_bits(a, width) : a;
}

template <typename T>
T extend_wrap(T a, std::uint32_t width) {
    return extend_low_bits(a, width & 31u);
}

/// The n-th set bit of `mask` from `base` on: upwards for n > 0, downwards for n < 0, `base` itself for n = 0.
std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
    if (base > 31) return ~0u;
    if (n == 0) return (mask >> base & 1u) != 0 ? base : ~0u;
    const int step = n > 0 ? 1 : -1;
    std::int64_t left = n > 0 ? std::int64_t{n} : -std::int64_t{n};
    for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
        if ((mask >> position & 1u) != 0 && --left == 0) return static_cast<std::uint32_t>(position);
    }
    return ~0u;
}

// A predicate row is a mask: 32 lanes of logic are one operation on it.

LaneMask mask_and(LaneMask a, LaneMask b) {
    return a & b;
}
LaneMask mask_or(LaneMask a, LaneMask b) {
    return a | b;
}
LaneMask mask_xor(LaneMask a, LaneMask b) {
    return a ^ b;
}
LaneMask mask_not(LaneMask a) {
    return ~a;
}

template <LaneMask (*function)(LaneMask, LaneMask)>
void execute_mask_logic(Warp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask value = function(warp.predicate(operation.source[0]), warp.predicate(operation.source[1]));
    write_predicate(warp, operation.destination, value, lanes);
}

void execute_mask_not(Warp& warp, const Operation& operation, LaneMask lanes) {
    write_predicate(warp, operation.destination, mask_not(warp.predicate(operation.source[0])), lanes);
}

Selection select_predicate_logic(const std::string& opcode) {
    using ptx::Type;
    Selection selection;
    selection.destination = Type::pred;
    selection.source = {Type::pred, Type::pred};
    if (opcode == "and") selection.execute = execute_mask_logic<mask_and>;
    if (opcode == "or") selection.execute = execute_mask_logic<mask_or>;
    if (opcode == "xor") selection.execute = execute_mask_logic<mask_xor>;
    if (opcode == "not") {
        selection.execute = execute_mask_not;
        selection.source = {Type::pred};
    }
    return selection;
}

Selection select_logic(Form& form) {
    const std::string& opcode = form.opcode();
    if (form.take("pred")) return select_predicate_logic(opcode);
    return for_bits(form.take_type(), [&]<typename T>(std::type_identity<T>) {
        if (opcode == "and") return on_rows<bit_and<T>>();
        if (opcode == "or") return on_rows<bit_or<T>>();
        if (opcode == "xor") return on_rows<bit_xor<T>>();
        if (opcode == "not") return on_rows<bit_not<T>>();
        return on_rows<logical_not<T>>();
    });
}

Selection select_shift_left(Form& form) {
    return for_bits(form.take_type(), []<typename T>(std::type_identity<T>) { return on_rows<shift_left<T>>(); });
}

Selection select_shift_right(Form& form) {
    return for_integer(form.take_type(), []<typename T>(std::type_identity<T>) { return on_rows<shift_right<T>>(); });
}

Selection select_funnel_shift(Form& form) {
    const bool left = form.take("l");
    if (!left && !form.take("r")) return {};
    const bool wrap = form.take("wrap");
    if ((!wrap && !form.take("clamp")) || !form.take("b32")) return {};
    if (left) return wrap ? on_rows<funnel_left_wrap>() : on_rows<funnel_left_clamp>();
    return wrap ? on_rows<funnel_right_wrap>() : on_rows<funnel_right_clamp>();
}

Selection select_extract_field(Form& form) {
    return for_integer(form.take_type(), []<typename T>(std::type_identity<T>) {
        if constexpr (sizeof(T) >= 4) return on_rows<extract_field<T>>();
        return Selection{};
    });
}

Selection select_insert_field(Form& form) {
    return for_bits(form.take_type(), []<typename T>(std::type_identity<T>) {
        if constexpr (sizeof(T) >= 4) return on_rows<insert_field<T>>();
        return Selection{};
    });
}

Selection select_find_top_bit(Form& form) {
    const bool shift = form.take("shiftamt");
    return for_integer(form.take_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (sizeof(T) < 4) return Selection{};
        return shift ? on_rows<find_top_bit_shift<T>>() : on_rows<find_top_bit<T>>();
    });
}

Selection select_count(Form& form) {
    const std::string& opcode = form.opcode();
    return for_bits(form.take_type(), [&]<typename T>(std::type_identity<T>) {
        if constexpr (sizeof(T) < 4) return Selection{};
        if (opcode == "popc") return on_rows<count_ones<T>>();
        if (opcode == "clz") return on_rows<count_leading_zeros<T>>();
        return on_rows<reverse_bits<T>>();
    });
}

Selection select_bit_mask(Form& form) {
    if (!form.take("b32")) return {};
    if (form.take("clamp")) return on_rows<bit_mask_clamp>();
    return form.take("wrap") ? on_rows<bit_mask_wrap>() : Selection{};
}

Selection select_extend(Form& form) {
    const bool is_signed = form.take("s32");
    if (!is_signed && !form.take("u32")) return {};
    if (form.take("clamp")) {
        return is_signed ? on_rows<extend_clamp<std::int32_t>>() : on_rows<extend_clamp<std::uint32_t>>();
    }
    if (!form.take("wrap")) return {};
    return is_signed ? on_rows<extend_wrap<std::int32_t>>() : on_rows<extend_wrap<std::uint32_t>>();
}

}  // namespace

Selection select_bits(Form& form) {
    const std::string& opcode = form.opcode();
    if (opcode == "and" || opcode == "or" || opcode == "xor" || opcode == "not" || opcode == "cnot") {
        return select_logic(form);
    }
    if (opcode == "shl") return select_shift_left(form);
    if (opcode == "shr") return select_shift_right(form);
    if (opcode == "shf") return select_funnel_shift(form);
    if (opcode == "bfe") return select_extract_field(form);
    if (opcode == "bfi") return select_insert_field(form);
    if (opcode == "bfind") return select_find_top_bit(form);
    if (opcode == "brev" || opcode == "popc" || opcode == "clz") return select_count(form);
    if (opcode == "lop3") return form.take("b32") ? on_rows<logic_of_three>() : Selection{};
    if (opcode == "bmsk") return select_bit_mask(form);
    if (opcode == "szext") return select_extend(form);
    if (opcode == "fns") return form.take("b32") ? on_lanes<find_nth_set>() : Selection{};
    return {};
}

}  // namespace lanes::emulator
