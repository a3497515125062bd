/// @file
/// @brief Operands of instructions (PTX ISA 6).
#pragma once

#include "ptx_parser_state.hpp"

#include <lanes/emulator/ptx.hpp>

#include <string_view>

namespace lanes::emulator::ptx {

/// True if `name`, without a component such as ".x", is a special register of the PTX ISA, section 10.
bool is_special_register(std::string_view name);
/// True if the register has components: "%tid" has, "%laneid" has not.
bool is_vector_special_register(std::string_view name);

/// Parses operands of one function's instructions.
class OperandParser {
public:
    OperandParser(ParserState& state, const Function& function)
        : state_(state), reader_(state.reader), function_(function) {}

    /// One operand. A name that nothing declares becomes a label, `index` still open, for Labels to resolve.
    bool parse(Operand& operand);
    /// One operand that cannot be a label.
    bool parse_value(Operand& operand);
    /// "(a, b)" of a call, after the parenthesis.
    bool parse_call_list(Operand& list_operand);

private:
    bool plain_name(Operand& operand);
    bool name(Operand& operand);
    bool bound_name(const Token& token, const Binding& binding, Operand& operand);
    bool scalar_register(std::uint32_t index, Operand& operand);
    bool vector_register(const Binding& binding, Operand& operand);
    bool special(const Token& token, Operand& operand);
    static void split_special(Operand& operand);
    bool element_index(const Binding& binding, Operand& operand);
    bool offset(Operand& operand);
    bool immediate(Operand& operand);
    bool negated(Operand& operand);
    bool address(Operand& operand);
    bool list(Operand& operand, TokenKind close, std::string_view closing);

    ParserState& state_;
    Reader& reader_;
    const Function& function_;
    unsigned depth_ = 0;
};

}  // namespace lanes::emulator::ptx
