#include "ptx_operand.hpp"

#include "ptx_expression.hpp"

#include <string>

namespace lanes::emulator::ptx {

namespace {

constexpr unsigned deepest_operand = 8;

/// Component of a vector register: 0 for x or r, ... 3 for w or a; -1 for anything else.
int component_of(std::string_view selector) {
    constexpr std::string_view positions = "xyzw";
    constexpr std::string_view colours = "rgba";
    if (selector.size() != 1) return -1;
    const std::size_t position = positions.find(selector);
    const std::size_t component = position != std::string_view::npos ? position : colours.find(selector);
    return component == std::string_view::npos ? -1 : static_cast<int>(component);
}

/// Byte and half selectors of the video instructions.
bool is_part_selector(std::string_view selector) {
    return selector == "b0" || selector == "b1" || selector == "b2" || selector == "b3" || selector == "h0" ||
           selector == "h1";
}

std::string not_declared(std::string_view name) {
    return '"' + std::string(name.substr(0, 80)) + "\" is not declared" +
           (name.front() == '%' ? " and no special register known here" : "");
}

}  // namespace

bool OperandParser::parse(Operand& operand) {
    if (!Budget::take(state_.budget.operands, 1)) return reader_.fail("the module has too many operands");
    switch (reader_.token().kind) {
        case TokenKind::left_bracket:
            return address(operand);
        case TokenKind::left_brace:
            reader_.advance();
            return list(operand, TokenKind::right_brace, "',' or '}'");
        case TokenKind::identifier:
            return reader_.at_word("WARP_SZ") ? immediate(operand) : plain_name(operand);
        case TokenKind::exclamation:
        case TokenKind::minus:
            return negated(operand);
        default:
            return at_constant(reader_) ? immediate(operand) : reader_.fail_expected("an operand");
    }
}

bool OperandParser::parse_value(Operand& operand) {
    const Token start = reader_.token();
    if (!parse(operand)) return false;
    return operand.kind != OperandKind::label || reader_.fail_at(start, not_declared(start.text));
}

bool OperandParser::parse_call_list(Operand& list_operand) {
    return list(list_operand, TokenKind::right_parenthesis, "',' or ')'");
}

bool OperandParser::list(Operand& operand, TokenKind close, std::string_view closing) {
    if (++depth_ > deepest_operand) return reader_.fail("operands nested too deep");
    operand.kind = OperandKind::vector;
    if (!reader_.at(close)) {
        do {
            operand.elements.emplace_back();
            if (!parse_value(operand.elements.back())) return false;
        } while (reader_.accept(TokenKind::comma));
    }
    --depth_;
    return reader_.expect(close, closing);
}

/// A name outside of an address. ptxas also takes "%r1+4" here, which nvcc never writes.
bool OperandParser::plain_name(Operand& operand) {
    if (!name(operand)) return false;
    const bool has_offset = reader_.at(TokenKind::plus) || reader_.at(TokenKind::minus);
    return operand.kind != OperandKind::reg || !has_offset ||
           reader_.fail("a register plus a constant is supported in an address only");
}

bool OperandParser::name(Operand& operand) {
    const Token token = reader_.token();
    reader_.advance();
    if (token.text == "_") {
        operand.kind = OperandKind::discard;
        return true;
    }
    const Binding binding = state_.names.find(state_.names.intern(token.text));
    if (binding.kind != NameKind::none) return bound_name(token, binding, operand);
    if (token.text.front() == '%') return special(token, operand);
    operand.kind = OperandKind::label;
    operand.name = std::string(token.text);
    return true;
}

bool OperandParser::bound_name(const Token& token, const Binding& binding, Operand& operand) {
    if (binding.kind == NameKind::reg) return scalar_register(binding.index, operand);
    if (binding.kind == NameKind::vector_register) return vector_register(binding, operand);
    operand.kind = OperandKind::symbol;
    if (binding.kind == NameKind::variable)
        operand.name = function_.variables[binding.index].name;
    else if (binding.kind == NameKind::global)
        operand.name = state_.module.variables[binding.index].name;
    else
        operand.name = std::string(token.text);
    return reader_.accept(TokenKind::left_bracket) ? element_index(binding, operand) : offset(operand);
}

/// After "a[": "3]" is the address of the fourth element.
bool OperandParser::element_index(const Binding& binding, Operand& operand) {
    if (!at_constant(reader_)) return reader_.fail_expected("a constant index");
    std::int64_t index = 0;
    if (!parse_integer(reader_, index)) return false;
    operand.kind = OperandKind::address;
    operand.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(index) * binding.count);
    return reader_.expect(TokenKind::right_bracket, "']'");
}

bool OperandParser::scalar_register(std::uint32_t index, Operand& operand) {
    operand.kind = OperandKind::reg;
    operand.index = static_cast<std::int32_t>(index);
    const Token selector = reader_.token();
    if (selector.kind != TokenKind::dotted || !selector.glued) return true;
    if (!is_part_selector(selector.text)) return reader_.fail("not a part of a register");
    operand.name = std::string(selector.text);
    reader_.advance();
    return true;
}

/// "v.x" is one register, "v" is all of them.
bool OperandParser::vector_register(const Binding& binding, Operand& operand) {
    const Token selector = reader_.token();
    if (selector.kind == TokenKind::dotted && selector.glued) {
        const int component = component_of(selector.text);
        if (component < 0 || static_cast<std::uint32_t>(component) >= binding.count)
            return reader_.fail("not a component of this vector register");
        reader_.advance();
        return scalar_register(binding.index + static_cast<std::uint32_t>(component), operand);
    }
    operand.kind = OperandKind::vector;
    operand.elements.resize(binding.count);
    for (std::uint32_t i = 0; i < binding.count; ++i) {
        operand.elements[i].kind = OperandKind::reg;
        operand.elements[i].index = static_cast<std::int32_t>(binding.index + i);
    }
    return true;
}

bool OperandParser::special(const Token& token, Operand& operand) {
    if (!is_special_register(token.text)) return reader_.fail_at(token, not_declared(token.text));
    operand.kind = OperandKind::special;
    operand.name = std::string(token.text);
    const Token component = reader_.token();
    const bool has_component = component.kind == TokenKind::dotted && component.glued;
    if (!is_vector_special_register(token.text))
        return !has_component || reader_.fail("this register has no components");
    if (!has_component) {
        split_special(operand);
        return true;
    }
    if (component_of(component.text) < 0) return reader_.fail("not a component of a special register");
    operand.name += '.';
    operand.name += component.text;
    reader_.advance();
    return true;
}

/// "%tid" alone is the vector {%tid.x, %tid.y, %tid.z, %tid.w}.
void OperandParser::split_special(Operand& operand) {
    operand.elements.resize(4);
    for (std::size_t i = 0; i < 4; ++i) {
        operand.elements[i].kind = OperandKind::special;
        operand.elements[i].name = operand.name + '.' + "xyzw"[i];
    }
    operand.kind = OperandKind::vector;
    operand.name.clear();
}

bool OperandParser::immediate(Operand& operand) {
    Constant value;
    if (!parse_constant(reader_, value)) return false;
    operand.kind = OperandKind::immediate;
    operand.bits = value.bits;
    operand.literal_type = value.type;
    operand.is_float = is_float(value);
    return true;
}

/// "!%p", "-%r", or a number with a sign.
bool OperandParser::negated(Operand& operand) {
    const Token next = reader_.ahead();
    if (next.kind != TokenKind::identifier || next.text == "WARP_SZ") return immediate(operand);
    reader_.advance();
    operand.negated = true;
    if (!name(operand)) return false;
    return operand.kind == OperandKind::reg || reader_.fail_at(next, "only a register can be negated");
}

/// "[%rd1+16]", "[symbol]", "[64]", "[tensor, {%r1, %r2}]".
bool OperandParser::address(Operand& operand) {
    reader_.advance();
    if (reader_.at(TokenKind::identifier) && !reader_.at_word("WARP_SZ")) {
        const Token base = reader_.token();
        if (!name(operand)) return false;
        if (operand.kind == OperandKind::label) return reader_.fail_at(base, not_declared(base.text));
        if (operand.kind != OperandKind::reg && operand.kind != OperandKind::symbol)
            return reader_.fail_at(base, "the base of an address must be a register or a variable");
        if (operand.kind == OperandKind::reg && !offset(operand)) return false;
    } else if (!parse_integer(reader_, operand.offset)) {
        return false;
    }
    operand.kind = OperandKind::address;
    if (!reader_.accept(TokenKind::comma)) return reader_.expect(TokenKind::right_bracket, "']'");
    Operand rest;
    if (!list(rest, TokenKind::right_bracket, "',' or ']'")) return false;
    operand.elements = std::move(rest.elements);
    return true;
}

/// "+16", "-4" or "+-4" after the base.
bool OperandParser::offset(Operand& operand) {
    if (!reader_.at(TokenKind::plus) && !reader_.at(TokenKind::minus)) return true;
    return parse_integer(reader_, operand.offset);
}

}  // namespace lanes::emulator::ptx
