/// @file
/// @brief Scopes, declarations and labels. Instructions are in ptx_instruction.cpp.
#include "ptx_body.hpp"

#include "ptx_expression.hpp"

#include <array>

namespace lanes::emulator::ptx {

namespace {

constexpr std::uint32_t deepest_scope = 128;

}  // namespace

bool BodyParser::parse(const std::vector<RegisterParameter>& parameters,
                       const std::vector<RegisterParameter>& returns) {
    returns_ = returns;
    if (!open_scope()) return false;
    Instruction start;
    start.text_line = reader_.token().line;
    for (const RegisterParameter& parameter : parameters)
        if (!copy_parameter(parameter, "ld", start)) return false;
    while (depth_ > 0)
        if (!statement()) return false;
    return state_.labels.finish(reader_);
}

bool BodyParser::statement() {
    switch (reader_.token().kind) {
        case TokenKind::left_brace:
            reader_.advance();
            return open_scope();
        case TokenKind::right_brace:
            reader_.advance();
            return close_scope();
        case TokenKind::semicolon:
            reader_.advance();
            return true;
        case TokenKind::dotted:
            return directive();
        case TokenKind::identifier:
            return label_or_instruction();
        case TokenKind::at: {
            Guard condition;
            Token opcode;
            return guard(condition) && reader_.expect_identifier("an instruction", opcode) &&
                   instruction(opcode, condition);
        }
        default:
            return reader_.fail_expected("an instruction, a label, a directive or '}'");
    }
}

bool BodyParser::open_scope() {
    if (++depth_ > deepest_scope) return reader_.fail("scopes nested too deep");
    state_.names.open_scope();
    state_.labels.open_scope();
    return true;
}

bool BodyParser::close_scope() {
    --depth_;
    state_.names.close_scope();
    return state_.labels.close_scope(reader_, function_);
}

bool BodyParser::directive() {
    const Linkage linkage = parse_linkage(reader_);
    Space space = Space::generic;
    if (at_space(reader_, space)) {
        reader_.advance();
        return variables(space, linkage);
    }
    if (reader_.accept_directive("reg")) return registers();
    if (reader_.accept_directive("loc")) return state_.lines.parse_location(reader_);
    if (reader_.accept_directive("file")) return state_.lines.parse_file(reader_);
    if (reader_.accept_directive("section")) return LineTable::skip_section(reader_);
    if (reader_.accept_directive("pragma")) return skip_statement();
    return reader_.fail("\"." + std::string(reader_.token().text.substr(0, 40)) + "\" is no directive known here");
}

bool BodyParser::variables(Space space, Linkage linkage) {
    VariableHead head;
    head.space = space;
    head.linkage = linkage;
    if (!parse_variable_head(reader_, head)) return false;
    do {
        Declarator declarator;
        if (!parse_declarator(reader_, head, state_.budget.initial_bytes, declarator)) return false;
        if (!declare_variable(declarator)) return false;
    } while (reader_.accept(TokenKind::comma));
    return reader_.expect(TokenKind::semicolon, "',' or ';'");
}

/// A `.global` or `.const` of a function lives as long as the module and joins its variables, under a name of its own.
bool BodyParser::declare_variable(Declarator& declarator) {
    Names& names = state_.names;
    const NameId id = names.intern(declarator.name.text);
    Variable& variable = declarator.variable;
    const bool lasting = variable.space == Space::global || variable.space == Space::constant;
    std::uint32_t use = names.count_use(id);
    if (use == 1 && names.find(id).kind != NameKind::none) use = names.count_use(id);
    if (lasting && !variable.external) variable.name = function_.name + '.' + variable.name;
    if (use > 1 && !(lasting && variable.external)) variable.name += '.' + std::to_string(use);

    std::vector<Variable>& home = lasting ? state_.module.variables : function_.variables;
    const auto index = static_cast<std::uint32_t>(home.size());
    if (!names.declare(id, lasting ? NameKind::global : NameKind::variable, index, size_of(variable.element)))
        return reader_.fail_at(declarator.name, '"' + std::string(declarator.name.text) + "\" is declared twice");
    home.push_back(std::move(variable));
    return true;
}

bool BodyParser::parse_register() {
    std::uint32_t lanes = 1;
    Type type = Type::none;
    return register_type(type, lanes) && register_name(type, lanes);
}

/// After `.reg`: ".v2 .f32 a, b;" or ".b32 %r<12>;".
bool BodyParser::registers() {
    std::uint32_t lanes = 1;
    Type type = Type::none;
    if (!register_type(type, lanes)) return false;
    do {
        if (!register_name(type, lanes)) return false;
    } while (reader_.accept(TokenKind::comma));
    return reader_.expect(TokenKind::semicolon, "',' or ';'");
}

bool BodyParser::register_type(Type& type, std::uint32_t& lanes) {
    while (reader_.at(TokenKind::dotted)) {
        const std::string_view word = reader_.token().text;
        if (word == "v2" || word == "v4" || word == "v8")
            lanes = static_cast<std::uint32_t>(word[1] - '0');
        else if (type = type_from_name(word); type == Type::none)
            return reader_.fail("\"." + std::string(word.substr(0, 40)) + "\" is no type of a register");
        reader_.advance();
    }
    return type != Type::none || reader_.fail_expected("the type of a register");
}

bool BodyParser::register_name(Type type, std::uint32_t lanes) {
    Token name;
    if (!reader_.expect_identifier("the name of a register", name)) return false;
    if (lanes > 1) return vector_register(name, type, lanes);
    if (reader_.accept(TokenKind::less)) return register_range(name, type);
    std::uint32_t index = 0;
    if (!add_register(std::string(name.text), type, index)) return false;
    return state_.names.declare(state_.names.intern(name.text), NameKind::reg, index) ||
           reader_.fail_at(name, '"' + std::string(name.text) + "\" is declared twice");
}

/// After "%r<": "12>".
bool BodyParser::register_range(const Token& base, Type type) {
    const Token number = reader_.token();
    Constant count;
    if (!reader_.expect(TokenKind::number, "a number of registers")) return false;
    if (!read_number(number.text, count) || is_float(count))
        return reader_.fail_at(number, "not a number of registers");
    if (count.bits > state_.budget.registers) return reader_.fail_at(number, "the module has too many registers");
    if (!reader_.expect(TokenKind::greater, "'>'")) return false;
    const auto first = static_cast<std::uint32_t>(function_.registers.size());

    for (std::uint64_t i = 0; i < count.bits; ++i) {
        std::uint32_t index = 0;
        if (!add_register(std::string(base.text) + std::to_string(i), type, index)) return false;
    }
    const NameId id = state_.names.intern(base.text);
    return state_.names.declare_range(id, first, static_cast<std::uint32_t>(count.bits)) ||
           reader_.fail_at(base, "registers \"" + std::string(base.text) + "<...>\" are declared twice");
}

bool BodyParser::vector_register(const Token& name, Type type, std::uint32_t lanes) {
    constexpr std::array<const char*, 8> components{".x", ".y", ".z", ".w", ".4", ".5", ".6", ".7"};
    const auto first = static_cast<std::uint32_t>(function_.registers.size());
    for (std::uint32_t i = 0; i < lanes; ++i) {
        std::uint32_t index = 0;
        if (!add_register(std::string(name.text) + components[i], type, index)) return false;
    }
    return state_.names.declare(state_.names.intern(name.text), NameKind::vector_register, first, lanes) ||
           reader_.fail_at(name, '"' + std::string(name.text) + "\" is declared twice");
}

bool BodyParser::add_register(std::string name, Type type, std::uint32_t& index) {
    if (!Budget::take(state_.budget.registers, 1)) return reader_.fail("the module has too many registers");
    index = static_cast<std::uint32_t>(function_.registers.size());
    function_.registers.push_back({std::move(name), type});
    return true;
}

bool BodyParser::label_or_instruction() {
    const Token name = reader_.token();
    reader_.advance();
    return reader_.accept(TokenKind::colon) ? label(name) : instruction(name, Guard{});
}

bool BodyParser::label(const Token& name) {
    if (reader_.accept_directive("branchtargets")) return branch_targets(name);
    if (reader_.at_directive("callprototype") || reader_.at_directive("calltargets")) {
        state_.labels.define(name, LabelKind::prototype, 0);
        return skip_statement();
    }
    state_.labels.define(name, LabelKind::instruction, static_cast<std::uint32_t>(function_.body.size()));
    return true;
}

/// After "name: .branchtargets": "L1, L2;".
bool BodyParser::branch_targets(const Token& name) {
    const auto table = static_cast<std::uint32_t>(function_.branch_targets.size());
    function_.branch_targets.emplace_back();
    state_.labels.define(name, LabelKind::table, table);
    do {
        Token target;
        if (!reader_.expect_identifier("a label", target)) return false;
        std::vector<std::int32_t>& entries = function_.branch_targets.back();
        state_.labels.refer_from_table(target, table, static_cast<std::uint32_t>(entries.size()));
        entries.push_back(-1);
    } while (reader_.accept(TokenKind::comma));
    return reader_.expect(TokenKind::semicolon, "',' or ';'");
}

/// Goes past the next ';': for what does not change what the function does.
bool BodyParser::skip_statement() {
    while (!reader_.at(TokenKind::semicolon) && !reader_.at(TokenKind::end)) reader_.advance();
    return reader_.expect(TokenKind::semicolon, "';'");
}

}  // namespace lanes::emulator::ptx
