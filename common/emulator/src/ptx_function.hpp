/// @file
/// @brief `.entry` and `.func`: header, directives, body.
#pragma once

#include "ptx_body.hpp"
#include "ptx_declaration.hpp"
#include "ptx_parser_state.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <vector>

namespace lanes::emulator::ptx {

/// Parses one function and adds it to the module.
class FunctionParser {
public:
    FunctionParser(ParserState& state, Linkage linkage, bool kernel);

    /// What follows `.entry` or `.func`, up to the '}' or the ';'.
    bool parse();

private:
    bool header(Token& name);
    bool parameters(std::vector<Variable>& list, std::vector<RegisterParameter>& registers);
    bool parameter(std::vector<Variable>& list);
    bool register_parameter(std::vector<Variable>& list, std::vector<RegisterParameter>& registers);
    bool add_parameter(Declarator& declarator, std::vector<Variable>& list);
    bool directives();
    bool directive(const Token& name);
    bool threads(std::uint32_t (&counts)[3]);
    bool skip_numbers();
    bool skip_pragma();
    bool claim(const Token& name, bool definition, std::uint32_t& index);

    ParserState& state_;
    Reader& reader_;
    Linkage linkage_;
    Function function_;
    BodyParser body_;
    std::vector<RegisterParameter> register_parameters_;
    std::vector<RegisterParameter> register_returns_;
};

}  // namespace lanes::emulator::ptx
