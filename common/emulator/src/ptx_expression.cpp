#include "ptx_expression.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <string>

namespace lanes::emulator::ptx {

namespace {

constexpr unsigned deepest_expression = 64;
constexpr std::int64_t warp_size = 32;

/// How tightly each binary operator binds, as in C; 0 for all other tokens.
constexpr auto precedences = [] {
    std::array<int, static_cast<std::size_t>(TokenKind::invalid) + 1> table{};
    const auto set = [&table](int level, std::initializer_list<TokenKind> kinds) {
        for (const TokenKind kind : kinds) table[static_cast<std::size_t>(kind)] = level;
    };
    set(10, {TokenKind::star, TokenKind::slash, TokenKind::percent});
    set(9, {TokenKind::plus, TokenKind::minus});
    set(8, {TokenKind::less_less, TokenKind::greater_greater});
    set(7, {TokenKind::less, TokenKind::less_equal, TokenKind::greater, TokenKind::greater_equal});
    set(6, {TokenKind::equal_equal, TokenKind::exclamation_equal});
    set(5, {TokenKind::ampersand});
    set(4, {TokenKind::caret});
    set(3, {TokenKind::bar});
    set(2, {TokenKind::ampersand_ampersand});
    set(1, {TokenKind::bar_bar});
    return table;
}();

/// Folds as it goes. Depth is bounded, for text that nests without end.
class ConstantParser {
public:
    explicit ConstantParser(Reader& reader) : reader_(reader) {}

    bool conditional(Constant& value) {
        if (++depth_ > deepest_expression) return reader_.fail("a constant expression nested too deep");
        if (!binary(value, 1)) return false;
        if (reader_.accept(TokenKind::question)) {
            Constant first;
            Constant second;
            if (!conditional(first) || !reader_.expect(TokenKind::colon, "':' of '?:'") || !conditional(second))
                return false;
            value = is_true(value) ? first : second;
        }
        --depth_;
        return true;
    }

private:
    /// Operators that bind at least as tightly as `minimum`.
    bool binary(Constant& value, int minimum) {
        if (!unary(value)) return false;
        while (true) {
            const Token operation = reader_.token();
            const int level = precedences[static_cast<std::size_t>(operation.kind)];
            if (level == 0 || level < minimum) return true;
            reader_.advance();
            Constant right;
            if (!binary(right, level + 1) || !fold(operation, right, value)) return false;
        }
    }

    bool fold(const Token& operation, const Constant& right, Constant& value) {
        const TokenKind kind = operation.kind;
        const bool divides = kind == TokenKind::slash || kind == TokenKind::percent;
        if (divides && !is_float(value) && !is_float(right) && right.bits == 0)
            return reader_.fail_at(operation, "a constant expression divides by zero");
        const std::optional<Constant> folded = fold_constants(kind, value, right);
        if (!folded) return reader_.fail_at(operation, "an operator that needs integers has a fraction");
        value = *folded;
        return true;
    }

    bool unary(Constant& value) {
        if (++depth_ > deepest_expression) return reader_.fail("a constant expression nested too deep");
        const Token operation = reader_.token();
        bool good = false;
        switch (operation.kind) {
            case TokenKind::plus:
            case TokenKind::minus:
            case TokenKind::tilde:
            case TokenKind::exclamation:
                reader_.advance();
                good = unary(value) && apply(operation, value);
                break;
            case TokenKind::left_parenthesis:
                reader_.advance();
                good = reader_.at(TokenKind::dotted) ? cast(value) : parenthesis(value);
                break;
            default:
                good = primary(value);
        }
        --depth_;
        return good;
    }

    bool apply(const Token& operation, Constant& value) {
        if (operation.kind == TokenKind::exclamation) {
            value = constant_of(std::int64_t{is_true(value) ? 0 : 1});
        } else if (operation.kind == TokenKind::tilde) {
            if (is_float(value)) return reader_.fail_at(operation, "'~' needs an integer");
            value = {Type::u64, ~value.bits};
        } else if (operation.kind == TokenKind::minus) {
            if (value.type == Type::f32)
                value.bits ^= std::uint64_t{1} << 31;
            else if (value.type == Type::f64)
                value.bits ^= std::uint64_t{1} << 63;
            else
                value.bits = 0 - value.bits;
        }
        return true;
    }

    bool parenthesis(Constant& value) {
        return conditional(value) && reader_.expect(TokenKind::right_parenthesis, "')'");
    }

    /// After "(": ".s64) value" or ".u64) value".
    bool cast(Constant& value) {
        const Type type = type_from_name(reader_.token().text);
        if (type != Type::s64 && type != Type::u64) return reader_.fail_expected("a cast to .s64 or .u64");
        reader_.advance();
        if (!reader_.expect(TokenKind::right_parenthesis, "')'") || !unary(value)) return false;
        if (is_float(value)) return reader_.fail("a cast of a fraction");
        value.type = type;
        return true;
    }

    bool primary(Constant& value) {
        if (reader_.at_word("WARP_SZ")) {
            value = constant_of(warp_size);
        } else if (!reader_.at(TokenKind::number)) {
            return reader_.fail_expected("a number");
        } else if (!read_number(reader_.token().text, value)) {
            return reader_.fail("not a number: \"" + std::string(reader_.token().text.substr(0, 40)) + '"');
        }
        reader_.advance();
        return true;
    }

    Reader& reader_;
    unsigned depth_ = 0;
};

}  // namespace

bool at_constant(const Reader& reader) {
    switch (reader.token().kind) {
        case TokenKind::number:
        case TokenKind::plus:
        case TokenKind::minus:
        case TokenKind::tilde:
        case TokenKind::exclamation:
        case TokenKind::left_parenthesis:
            return true;
        default:
            return reader.at_word("WARP_SZ");
    }
}

bool parse_constant(Reader& reader, Constant& value) {
    return ConstantParser(reader).conditional(value);
}

bool parse_integer(Reader& reader, std::int64_t& value) {
    Constant constant;
    const Token start = reader.token();
    if (!parse_constant(reader, constant)) return false;
    if (is_float(constant)) return reader.fail_at(start, "expected an integer");
    value = static_cast<std::int64_t>(constant.bits);
    return true;
}

bool parse_count(Reader& reader, std::string_view what, std::uint64_t limit, std::uint64_t& value) {
    const Token start = reader.token();
    Constant constant;
    if (!parse_constant(reader, constant)) return false;
    const bool negative = constant.type == Type::s64 && static_cast<std::int64_t>(constant.bits) < 0;
    if (is_float(constant) || negative || constant.bits > limit)
        return reader.fail_at(start, std::string(what) + " must be an integer from 0 to " + std::to_string(limit));
    value = constant.bits;
    return true;
}

}  // namespace lanes::emulator::ptx
