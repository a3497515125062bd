#include "ptx_constant.hpp"

#include <cstring>

namespace lanes::emulator::ptx {

namespace {

bool is_unsigned(const Constant& constant) {
    return constant.type == Type::u64;
}

Constant truth(bool value) {
    return constant_of(std::int64_t{value ? 1 : 0});
}

/// 0 or 1, or nothing if the operator is no comparison.
template <typename T>
std::optional<Constant> compare(TokenKind operation, T a, T b) {
    switch (operation) {
        case TokenKind::less:
            return truth(a < b);
        case TokenKind::less_equal:
            return truth(a <= b);
        case TokenKind::greater:
            return truth(a > b);
        case TokenKind::greater_equal:
            return truth(a >= b);
        case TokenKind::equal_equal:
            return truth(a == b);
        case TokenKind::exclamation_equal:
            return truth(a != b);
        default:
            return std::nullopt;
    }
}

std::optional<Constant> fold_fractions(TokenKind operation, double a, double b) {
    switch (operation) {
        case TokenKind::plus:
            return constant_of(a + b);
        case TokenKind::minus:
            return constant_of(a - b);
        case TokenKind::star:
            return constant_of(a * b);
        case TokenKind::slash:
            return constant_of(a / b);
        default:
            return compare(operation, a, b);
    }
}

/// Quotient or remainder; b is not 0. Signed overflow wraps.
std::uint64_t divide(TokenKind operation, bool signed_division, std::uint64_t a, std::uint64_t b) {
    const bool quotient = operation == TokenKind::slash;
    if (!signed_division) return quotient ? a / b : a % b;
    const auto dividend = static_cast<std::int64_t>(a);
    const auto divisor = static_cast<std::int64_t>(b);
    if (divisor == -1) return quotient ? 0 - a : 0;
    return static_cast<std::uint64_t>(quotient ? dividend / divisor : dividend % divisor);
}

std::uint64_t shift(TokenKind operation, bool arithmetic, std::uint64_t value, std::uint64_t count) {
    if (operation == TokenKind::less_less) return count < 64 ? value << count : 0;
    const bool negative = arithmetic && static_cast<std::int64_t>(value) < 0;
    const std::uint64_t fill = negative ? ~std::uint64_t{0} : 0;
    if (count >= 64) return fill;
    return count == 0 ? value : (value >> count) | (fill << (64 - count));
}

/// The types are those of the PTX ISA, section 4.5.6: bitwise operators give unsigned values, shifts keep the left
/// type.
std::optional<Constant> fold_integers(TokenKind operation, const Constant& a, const Constant& b) {
    const Type common = is_unsigned(a) || is_unsigned(b) ? Type::u64 : Type::s64;
    switch (operation) {
        case TokenKind::plus:
            return Constant{common, a.bits + b.bits};
        case TokenKind::minus:
            return Constant{common, a.bits - b.bits};
        case TokenKind::star:
            return Constant{common, a.bits * b.bits};
        case TokenKind::slash:
        case TokenKind::percent:
            return Constant{common, divide(operation, common == Type::s64, a.bits, b.bits)};
        case TokenKind::less_less:
        case TokenKind::greater_greater:
            return Constant{a.type, shift(operation, !is_unsigned(a), a.bits, b.bits)};
        case TokenKind::ampersand:
            return Constant{Type::u64, a.bits & b.bits};
        case TokenKind::caret:
            return Constant{Type::u64, a.bits ^ b.bits};
        case TokenKind::bar:
            return Constant{Type::u64, a.bits | b.bits};
        default:
            return common == Type::u64
                       ? compare(operation, a.bits, b.bits)
                       : compare(operation, static_cast<std::int64_t>(a.bits), static_cast<std::int64_t>(b.bits));
    }
}

}  // namespace

Constant constant_of(std::int64_t value) {
    return {Type::s64, static_cast<std::uint64_t>(value)};
}

Constant constant_of(double value) {
    Constant constant{Type::f64, 0};
    std::memcpy(&constant.bits, &value, sizeof value);
    return constant;
}

bool is_float(const Constant& constant) {
    return constant.type == Type::f32 || constant.type == Type::f64;
}

bool is_true(const Constant& constant) {
    return is_float(constant) ? to_double(constant) != 0.0 : constant.bits != 0;
}

double to_double(const Constant& constant) {
    if (constant.type == Type::f32) {
        const auto bits = static_cast<std::uint32_t>(constant.bits);
        float value = 0.0F;
        std::memcpy(&value, &bits, sizeof value);
        return static_cast<double>(value);
    }
    if (constant.type == Type::f64) {
        double value = 0.0;
        std::memcpy(&value, &constant.bits, sizeof value);
        return value;
    }
    return is_unsigned(constant) ? static_cast<double>(constant.bits)
                                 : static_cast<double>(static_cast<std::int64_t>(constant.bits));
}

std::optional<Constant> fold_constants(TokenKind operation, const Constant& a, const Constant& b) {
    if (operation == TokenKind::ampersand_ampersand) return truth(is_true(a) && is_true(b));
    if (operation == TokenKind::bar_bar) return truth(is_true(a) || is_true(b));
    if (is_float(a) || is_float(b)) return fold_fractions(operation, to_double(a), to_double(b));
    return fold_integers(operation, a, b);
}

}  // namespace lanes::emulator::ptx
