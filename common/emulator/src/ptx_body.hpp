/// @file
/// @brief The body of a function: scopes, declarations, labels, instructions.
#pragma once

#include "ptx_declaration.hpp"
#include "ptx_operand.hpp"
#include "ptx_parser_state.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::emulator::ptx {

/// A parameter or returned value that is declared as a register: it is copied from or to `.param` memory.
struct RegisterParameter {
    std::uint32_t index = 0;  ///< into Function::registers
    std::string name;         ///< of the `.param` variable
    Type type = Type::none;
};

/// Parses bodies into a Function whose header is complete.
class BodyParser {
public:
    BodyParser(ParserState& state, Function& function)
        : state_(state), reader_(state.reader), function_(function), operand_parser_(state, function) {}

    /// Everything up to the '}' that ends the function; its '{' has been read.
    bool parse(const std::vector<RegisterParameter>& parameters, const std::vector<RegisterParameter>& returns);

    /// Declares the register of a parameter: what follows `.reg`.
    bool parse_register();

private:
    struct Guard {
        std::int32_t index = -1;
        bool negated = false;
    };

    bool statement();
    bool open_scope();
    bool close_scope();
    bool directive();
    bool variables(Space space, Linkage linkage);
    bool declare_variable(Declarator& declarator);
    bool registers();
    bool register_type(Type& type, std::uint32_t& lanes);
    bool register_name(Type type, std::uint32_t lanes);
    bool register_range(const Token& base, Type type);
    bool add_register(std::string name, Type type, std::uint32_t& index);
    bool vector_register(const Token& name, Type type, std::uint32_t lanes);
    bool label_or_instruction();
    bool label(const Token& name);
    bool branch_targets(const Token& name);
    bool skip_statement();

    bool guard(Guard& guard);
    bool instruction(const Token& opcode, const Guard& guard);
    bool operands(Instruction& instruction);
    bool operand(Instruction& instruction);
    bool call_operands();
    bool append(Instruction&& instruction);
    bool copy_parameter(const RegisterParameter& parameter, const char* opcode, const Instruction& like);

    ParserState& state_;
    Reader& reader_;
    Function& function_;
    OperandParser operand_parser_;
    std::vector<Operand> operands_;  ///< of the instruction being read
    std::vector<RegisterParameter> returns_;
    std::uint32_t depth_ = 0;
};

}  // namespace lanes::emulator::ptx
