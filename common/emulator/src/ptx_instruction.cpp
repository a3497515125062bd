/// @file
/// @brief Instructions: guard, opcode, modifiers, operands. Any opcode is read; the decoder knows which it can run.
#include "ptx_body.hpp"

#include <iterator>
#include <utility>

namespace lanes::emulator::ptx {

/// "@%p1" or "@!%p1".
bool BodyParser::guard(Guard& guard) {
    reader_.advance();
    guard.negated = reader_.accept(TokenKind::exclamation);
    Token name;
    if (!reader_.expect_identifier("a predicate register", name)) return false;
    const Binding binding = state_.names.find(state_.names.intern(name.text));
    if (binding.kind != NameKind::reg || function_.registers[binding.index].type != Type::pred)
        return reader_.fail_at(name, '"' + std::string(name.text.substr(0, 80)) + "\" is no predicate register");
    guard.index = static_cast<std::int32_t>(binding.index);
    return true;
}

bool BodyParser::instruction(const Token& opcode, const Guard& guard) {
    Instruction instruction;
    instruction.opcode = std::string(opcode.text);
    instruction.text_line = opcode.line;
    instruction.guard = guard.index;
    instruction.guard_negated = guard.negated;
    while (reader_.at(TokenKind::dotted)) {
        if (instruction.modifiers.empty()) instruction.modifiers.reserve(4);
        instruction.modifiers.emplace_back(reader_.token().text);
        reader_.advance();
    }
    operands_.clear();
    if (!(instruction.opcode == "call" ? call_operands() : operands(instruction))) return false;
    if (!reader_.expect(TokenKind::semicolon, "',' or ';'")) return false;
    instruction.operands.assign(std::make_move_iterator(operands_.begin()), std::make_move_iterator(operands_.end()));
    if (instruction.opcode == "ret")
        for (const RegisterParameter& result : returns_)
            if (!copy_parameter(result, "st", instruction)) return false;
    return append(std::move(instruction));
}

bool BodyParser::operands(Instruction& instruction) {
    if (reader_.at(TokenKind::semicolon)) return true;
    do {
        if (!operand(instruction)) return false;
        if (operands_.size() == 1 && reader_.accept(TokenKind::bar)) {
            instruction.dual = true;
            if (!operand(instruction)) return false;
        }
    } while (reader_.accept(TokenKind::comma));
    return true;
}

/// An operand at its place in `operands_`. What `bra` names is a label even if a variable has that name too.
bool BodyParser::operand(Instruction& instruction) {
    const Token start = reader_.token();
    const auto place = static_cast<std::uint32_t>(operands_.size());
    Operand& operand = operands_.emplace_back();
    const bool table = instruction.opcode == "brx" && place == 1;
    if ((instruction.opcode == "bra" || table) && start.kind == TokenKind::identifier) {
        operand.kind = OperandKind::label;
        operand.name = std::string(start.text);
        reader_.advance();
    } else if (!operand_parser_.parse(operand)) {
        return false;
    }
    // "a[3]" is memory to all instructions but mov, which takes its address.
    if (start.kind == TokenKind::identifier && operand.kind == OperandKind::address && instruction.opcode == "mov")
        operand.kind = OperandKind::symbol;
    if (operand.kind == OperandKind::label)
        state_.labels.refer(start, table ? LabelKind::table : LabelKind::instruction,
                            static_cast<std::uint32_t>(function_.body.size()), place);
    return true;
}

/// "(returned), target, (arguments), prototype": all but the target may be missing. The prototype of an indirect call
/// says nothing that the arguments do not.
bool BodyParser::call_operands() {
    operands_.resize(3);
    operands_[0].kind = operands_[2].kind = OperandKind::vector;
    if (reader_.accept(TokenKind::left_parenthesis) &&
        !(operand_parser_.parse_call_list(operands_[0]) && reader_.expect(TokenKind::comma, "','")))
        return false;
    if (!operand_parser_.parse_value(operands_[1])) return false;
    if (!reader_.accept(TokenKind::comma)) return true;
    if (reader_.accept(TokenKind::left_parenthesis)) {
        if (!operand_parser_.parse_call_list(operands_[2])) return false;
        if (!reader_.accept(TokenKind::comma)) return true;
    }
    Token prototype;
    return reader_.expect_identifier("a prototype or a list of call targets", prototype);
}

bool BodyParser::append(Instruction&& instruction) {
    if (!Budget::take(state_.budget.instructions, 1)) return reader_.fail("the module has too many instructions");
    instruction.location = state_.lines.current();
    function_.body.push_back(std::move(instruction));
    return true;
}

/// Adds "ld.param.TYPE register, [name]" or "st.param.TYPE [name], register", guarded like another instruction.
bool BodyParser::copy_parameter(const RegisterParameter& parameter, const char* opcode, const Instruction& like) {
    Instruction copy;
    copy.opcode = opcode;
    copy.modifiers = {"param", std::string(name_of(parameter.type))};
    copy.guard = like.guard;
    copy.guard_negated = like.guard_negated;
    copy.text_line = like.text_line;
    Operand value;
    value.kind = OperandKind::reg;
    value.index = static_cast<std::int32_t>(parameter.index);
    Operand memory;
    memory.kind = OperandKind::address;
    memory.name = parameter.name;
    const bool load = copy.opcode == "ld";
    copy.operands = load ? std::vector<Operand>{value, memory} : std::vector<Operand>{memory, value};
    return append(std::move(copy));
}

}  // namespace lanes::emulator::ptx
