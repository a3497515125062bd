#include "ptx_function.hpp"

#include "ptx_expression.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace lanes::emulator::ptx {

namespace {

/// Directives that advise ptxas, or restrict how a correct program launches, and need nothing of an emulator.
bool is_advice(std::string_view name) {
    return name == "maxnreg" || name == "maxnctapersm" || name == "noreturn" || name == "explicitcluster" ||
           name == "maxclusterrank" || name == "abi_preserve" || name == "abi_preserve_control";
}

}  // namespace

FunctionParser::FunctionParser(ParserState& state, Linkage linkage, bool kernel)
    : state_(state), reader_(state.reader), linkage_(linkage), body_(state, function_) {
    function_.kernel = kernel;
}

bool FunctionParser::parse() {
    state_.names.open_scope();
    state_.names.reset_uses();
    state_.lines.start_function();
    Token name;
    if (!header(name)) return false;
    function_.name = std::string(name.text);
    const bool definition = reader_.accept(TokenKind::left_brace);
    std::uint32_t index = 0;
    if (!claim(name, definition, index)) return false;
    if (definition ? !body_.parse(register_parameters_, register_returns_)
                   : !reader_.expect(TokenKind::semicolon, "'{' or ';'"))
        return false;
    state_.names.close_scope();
    if (definition) state_.module.functions[index] = std::move(function_);
    return true;
}

/// The place in the module: a declaration's, or a new one. The body may call the function itself.
bool FunctionParser::claim(const Token& name, bool definition, std::uint32_t& index) {
    std::vector<Function>& functions = state_.module.functions;
    const NameId id = state_.names.intern(name.text);
    const Binding before = state_.names.find(id);
    function_.visible = linkage_.visible;
    function_.weak = linkage_.weak;
    if (before.kind == NameKind::none) {
        index = static_cast<std::uint32_t>(functions.size());
        state_.names.bind_global(id, NameKind::function, index);
        Function& declared = functions.emplace_back();
        declared.name = function_.name;
        declared.kernel = function_.kernel;
        declared.external = true;
        declared.visible = function_.visible;
        declared.weak = function_.weak;
        declared.returns = function_.returns;
        declared.parameters = function_.parameters;
        return true;
    }
    if (before.kind != NameKind::function || (definition && !functions[before.index].external))
        return reader_.fail_at(name, '"' + function_.name + "\" is there twice");
    index = before.index;
    functions[index].visible = function_.visible = function_.visible || functions[index].visible;
    functions[index].weak = function_.weak = function_.weak || functions[index].weak;
    return true;
}

/// "(returned) name (parameters) directives".
bool FunctionParser::header(Token& name) {
    if (!directives()) return false;
    if (reader_.accept(TokenKind::left_parenthesis) && !parameters(function_.returns, register_returns_)) return false;
    if (!reader_.expect_identifier("the name of a function", name)) return false;
    if (reader_.accept(TokenKind::left_parenthesis) && !parameters(function_.parameters, register_parameters_))
        return false;
    return directives();
}

bool FunctionParser::parameters(std::vector<Variable>& list, std::vector<RegisterParameter>& registers) {
    if (reader_.accept(TokenKind::right_parenthesis)) return true;
    do {
        const bool is_register = reader_.accept_directive("reg");
        if (!is_register && !reader_.accept_directive("param")) return reader_.fail_expected("a .param");
        if (!(is_register ? register_parameter(list, registers) : parameter(list))) return false;
    } while (reader_.accept(TokenKind::comma));
    return reader_.expect(TokenKind::right_parenthesis, "',' or ')'");
}

bool FunctionParser::parameter(std::vector<Variable>& list) {
    VariableHead head;
    head.space = Space::param;
    Declarator declarator;
    if (!parse_variable_head(reader_, head) ||
        !parse_declarator(reader_, head, state_.budget.initial_bytes, declarator))
        return false;
    return add_parameter(declarator, list);
}

/// ".reg .u32 name": a register of the function, and a parameter in memory that it is copied from or to.
bool FunctionParser::register_parameter(std::vector<Variable>& list, std::vector<RegisterParameter>& registers) {
    const std::size_t first = function_.registers.size();
    if (!body_.parse_register()) return false;
    for (std::size_t i = first; i < function_.registers.size(); ++i) {
        const Register& declared = function_.registers[i];
        if (declared.type == Type::pred) return reader_.fail("a predicate cannot be a parameter");
        Variable variable;
        variable.name = declared.name;
        variable.space = Space::param;
        variable.element = declared.type;
        variable.bytes = variable.alignment = size_of(declared.type);
        list.push_back(variable);
        registers.push_back({static_cast<std::uint32_t>(i), declared.name, declared.type});
    }
    return true;
}

/// Prototypes may call all parameters "_".
bool FunctionParser::add_parameter(Declarator& declarator, std::vector<Variable>& list) {
    const NameId id = state_.names.intern(declarator.name.text);
    if (declarator.name.text != "_") {
        state_.names.count_use(id);
        if (!state_.names.declare(id, NameKind::parameter, static_cast<std::uint32_t>(list.size()),
                                  size_of(declarator.variable.element)))
            return reader_.fail_at(declarator.name, '"' + declarator.variable.name + "\" is declared twice");
    }
    list.push_back(std::move(declarator.variable));
    return true;
}

bool FunctionParser::directives() {
    while (reader_.at(TokenKind::dotted)) {
        const Token name = reader_.token();
        reader_.advance();
        if (!directive(name)) return false;
    }
    return !reader_.failed();
}

bool FunctionParser::directive(const Token& name) {
    if (name.text == "maxntid") return threads(function_.maximum_threads);
    if (name.text == "reqntid") return threads(function_.required_threads);
    if (name.text == "reqnctapercluster") return threads(function_.required_cluster);
    if (name.text == "minnctapersm") {
        std::uint64_t blocks = 0;
        if (!parse_count(reader_, "a number of blocks", std::numeric_limits<std::uint32_t>::max(), blocks))
            return false;
        function_.minimum_blocks = static_cast<std::uint32_t>(blocks);
        return true;
    }
    if (name.text == "pragma") return skip_pragma();
    if (name.text == "attribute") {
        skip_attribute(reader_, {});
        return !reader_.failed();
    }
    if (is_advice(name.text)) return skip_numbers();
    return reader_.fail_at(name, "\"." + std::string(name.text.substr(0, 40)) + "\" is no directive known here");
}

/// "x", "x, y" or "x, y, z"; what is missing is 1.
bool FunctionParser::threads(std::uint32_t (&counts)[3]) {
    std::fill(std::begin(counts), std::end(counts), 1);
    for (std::uint32_t& count : counts) {
        std::uint64_t value = 0;
        if (!parse_count(reader_, "an extent", std::numeric_limits<std::uint32_t>::max(), value)) return false;
        count = static_cast<std::uint32_t>(value);
        if (!reader_.accept(TokenKind::comma)) break;
    }
    return true;
}

bool FunctionParser::skip_numbers() {
    if (!at_constant(reader_)) return true;
    std::int64_t ignored = 0;
    do {
        if (!parse_integer(reader_, ignored)) return false;
    } while (reader_.accept(TokenKind::comma));
    return true;
}

/// "\"nounroll\", \"...\";": unlike the other directives it has a ';' of its own.
bool FunctionParser::skip_pragma() {
    do {
        if (!reader_.expect(TokenKind::string, "a pragma in quotes")) return false;
    } while (reader_.accept(TokenKind::comma));
    return reader_.expect(TokenKind::semicolon, "';'");
}

}  // namespace lanes::emulator::ptx
