/// Integer add, sub, mul, mad, div, rem, abs, neg, min, max, sad, mul24, mad24 and the carry chains.

#include <limits>

#include "arithmetic.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

/// The type in which operations on T wrap around without undefined behaviour (16-bit operands would promote to int).
template <typename T>
using Modular = std::common_type_t<std::make_unsigned_t<T>, std::uint32_t>;

/// The integer twice as wide.
template <typename T>
struct Doubled;
template <>
struct Doubled<std::int16_t> {
    using type = std::int32_t;
};
template <>
struct Doubled<std::uint16_t> {
    using type = std::uint32_t;
};
template <>
struct Doubled<std::int32_t> {
    using type = std::int64_t;
};
template <>
struct Doubled<std::uint32_t> {
    using type = std::uint64_t;
};
template <>
struct Doubled<std::int64_t> {
    using type = Int128;
};
template <>
struct Doubled<std::uint64_t> {
    using type = Uint128;
};
template <typename T>
using Wide = typename Doubled<T>::type;

template <typename T>
constexpr unsigned bits_of = 8 * sizeof(T);

template <typename T>
T add(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b));
}

template <typename T>
T subtract(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) - static_cast<Modular<T>>(b));
}

std::int32_t clamp_to_s32(std::int64_t value) {
    constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(value < low ? low : value > high ? high : value);
}

std::int32_t add_saturated(std::int32_t a, std::int32_t b) {
    return clamp_to_s32(std::int64_t{a} + b);
}

std::int32_t subtract_saturated(std::int32_t a, std::int32_t b) {
    return clamp_to_s32(std::int64_t{a} - b);
}

template <typename T>
T multiply_low(T a, T b) {
    return static_cast<T>(static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b));
}

template <typename T>
Wide<T> multiply_wide(T a, T b) {
    return static_cast<Wide<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b));
}

template <typename T>
T multiply_high(T a, T b) {
    return static_cast<T>(multiply_wide(a, b) >> bits_of<T>);
}

template <typename T>
T multiply_add_low(T a, T b, T c) {
    return add(multiply_low(a, b), c);
}

template <typename T>
T multiply_add_high(T a, T b, T c) {
    return add(multiply_high(a, b), c);
}

template <typename T>
Wide<T> multiply_add_wide(T a, T b, Wide<T> c) {
    return add(multiply_wide(a, b), c);
}

std::int32_t multiply_add_high_saturated(std::int32_t a, std::int32_t b, std::int32_t c) {
    return add_saturated(multiply_high(a, b), c);
}

/// The low 24 bits as a number, signed if T is.
template <typename T>
std::int64_t low_24_bits(T value) {
    const std::uint32_t bits = static_cast<std::uint32_t>(value) & 0xffffffu;
    if constexpr (std::is_signed_v<T>) {
        return static_cast<std::int32_t>(bits << 8) >> 8;
    } else {
        return bits;
    }
}

/// Bits 31..0 of the 48-bit product.
template <typename T>
T multiply_24_low(T a, T b) {
    return static_cast<T>(low_24_bits(a) * low_24_bits(b));
}

/// Bits 47..16 of the 48-bit product.
template <typename T>
T multiply_24_high(T a, T b) {
    return static_cast<T>((low_24_bits(a) * low_24_bits(b)) >> 16);
}

template <typename T>
T multiply_24_add_low(T a, T b, T c) {
    return add(multiply_24_low(a, b), c);
}

template <typename T>
T multiply_24_add_high(T a, T b, T c) {
    return add(multiply_24_high(a, b), c);
}

std::int32_t multiply_24_add_high_saturated(std::int32_t a, std::int32_t b, std::int32_t c) {
    return add_saturated(multiply_24_high(a, b), c);
}

/// PTX leaves division by zero open; the code ptxas makes for it yields all ones, for div as for rem.
template <typename T>
T divide(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
        if (b == -1) return subtract(T{0}, a);
    }
    return static_cast<T>(a / b);
}

template <typename T>
T remainder(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
}

template <typename T>
T negate(T a) {
    return subtract(T{0}, a);
}

template <typename T>
T absolute(T a) {
    return a < 0 ? negate(a) : a;
}

template <typename T>
T minimum(T a, T b) {
    return a < b ? a : b;
}

template <typename T>
T maximum(T a, T b) {
    return a > b ? a : b;
}

std::int32_t minimum_relu(std::int32_t a, std::int32_t b) {
    return maximum(minimum(a, b), 0);
}

std::int32_t maximum_relu(std::int32_t a, std::int32_t b) {
    return maximum(maximum(a, b), 0);
}

template <typename T>
T sum_of_absolute_difference(T a, T b, T c) {
    return add(a < b ? subtract(b, a) : subtract(a, b), c);
}

Selection select_add(Form& form) {
    const bool saturate = form.take("sat");
    const ptx::Type type = form.take_type();
    if (saturate) return type == ptx::Type::s32 ? on_rows<add_saturated>() : Selection{};
    return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<add<T>>(); });
}

Selection select_subtract(Form& form) {
    const bool saturate = form.take("sat");
    const ptx::Type type = form.take_type();
    if (saturate) return type == ptx::Type::s32 ? on_rows<subtract_saturated>() : Selection{};
    return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<subtract<T>>(); });
}

Selection select_multiply(Form& form) {
    const ptx::Type type = form.take_type();
    if (form.take("wide")) {
        return for_integer(type, []<typename T>(std::type_identity<T>) {
            if constexpr (sizeof(T) < 8) return on_rows<multiply_wide<T>>();
            return Selection{};
        });
    }
    if (form.take("hi")) {
        return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<multiply_high<T>>(); });
    }
    if (!form.take("lo")) return {};
    return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<multiply_low<T>>(); });
}

Selection select_multiply_add(Form& form) {
    const ptx::Type type = form.take_type();
    if (form.take("wide")) {
        return for_integer(type, []<typename T>(std::type_identity<T>) {
            if constexpr (sizeof(T) < 8) return on_rows<multiply_add_wide<T>>();
            return Selection{};
        });
    }
    if (form.take("hi")) {
        if (form.take("sat")) return type == ptx::Type::s32 ? on_rows<multiply_add_high_saturated>() : Selection{};
        return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<multiply_add_high<T>>(); });
    }
    if (!form.take("lo")) return {};
    return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<multiply_add_low<T>>(); });
}

Selection select_multiply_24(Form& form) {
    const bool is_signed = form.take("s32");
    if (!is_signed && !form.take("u32")) return {};
    if (form.take("hi")) {
        return is_signed ? on_rows<multiply_24_high<std::int32_t>>() : on_rows<multiply_24_high<std::uint32_t>>();
    }
    if (!form.take("lo")) return {};
    return is_signed ? on_rows<multiply_24_low<std::int32_t>>() : on_rows<multiply_24_low<std::uint32_t>>();
}

Selection select_multiply_24_add(Form& form) {
    const bool is_signed = form.take("s32");
    if (!is_signed && !form.take("u32")) return {};
    if (form.take("hi")) {
        if (form.take("sat")) return is_signed ? on_rows<multiply_24_add_high_saturated>() : Selection{};
        return is_signed ? on_rows<multiply_24_add_high<std::int32_t>>()
                         : on_rows<multiply_24_add_high<std::uint32_t>>();
    }
    if (!form.take("lo")) return {};
    return is_signed ? on_rows<multiply_24_add_low<std::int32_t>>() : on_rows<multiply_24_add_low<std::uint32_t>>();
}

Selection select_divide(Form& form) {
    return for_integer(form.take_type(), []<typename T>(std::type_identity<T>) { return on_lanes<divide<T>>(); });
}

Selection select_remainder(Form& form) {
    return for_integer(form.take_type(), []<typename T>(std::type_identity<T>) { return on_lanes<remainder<T>>(); });
}

Selection select_absolute(Form& form) {
    return for_integer(form.take_type(), []<typename T>(std::type_identity<T>) {
        if constexpr (std::is_signed_v<T>) return on_rows<absolute<T>>();
        return Selection{};
    });
}

Selection select_negate(Form& form) {
    return for_integer(form.take_type(), []<typename T>(std::type_identity<T>) {
        if constexpr (std::is_signed_v<T>) return on_rows<negate<T>>();
        return Selection{};
    });
}

Selection select_minimum(Form& form) {
    const bool relu = form.take("relu");
    const ptx::Type type = form.take_type();
    if (relu) return type == ptx::Type::s32 ? on_rows<minimum_relu>() : Selection{};
    return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<minimum<T>>(); });
}

Selection select_maximum(Form& form) {
    const bool relu = form.take("relu");
    const ptx::Type type = form.take_type();
    if (relu) return type == ptx::Type::s32 ? on_rows<maximum_relu>() : Selection{};
    return for_integer(type, []<typename T>(std::type_identity<T>) { return on_rows<maximum<T>>(); });
}

Selection select_sad(Form& form) {
    return for_integer(form.take_type(),
                       []<typename T>(std::type_identity<T>) { return on_rows<sum_of_absolute_difference<T>>(); });
}

bool is_packed(const Form& form) {
    return form.has("u16x2") || form.has("s16x2");
}

}  // namespace

Selection select_integer(Form& form) {
    if (form.has("cc")) return select_carry(form);
    if (is_packed(form)) return select_packed(form);
    const std::string& opcode = form.opcode();
    if (opcode == "add") return select_add(form);
    if (opcode == "sub") return select_subtract(form);
    if (opcode == "mul") return select_multiply(form);
    if (opcode == "mad") return select_multiply_add(form);
    if (opcode == "mul24") return select_multiply_24(form);
    if (opcode == "mad24") return select_multiply_24_add(form);
    if (opcode == "div") return select_divide(form);
    if (opcode == "rem") return select_remainder(form);
    if (opcode == "abs") return select_absolute(form);
    if (opcode == "neg") return select_negate(form);
    if (opcode == "min") return select_minimum(form);
    if (opcode == "max") return select_maximum(form);
    if (opcode == "sad") return select_sad(form);
    return {};
}

}  // namespace lanes::emulator
