/// @file
/// @brief The module: version, target, and everything at its top level.
#include "ptx_declaration.hpp"
#include "ptx_expression.hpp"
#include "ptx_function.hpp"
#include "ptx_parser_state.hpp"

#include <lanes/emulator/ptx.hpp>

#include <charconv>
#include <string>
#include <utility>

namespace lanes::emulator::ptx {

namespace {

constexpr std::size_t longest_text = std::size_t{1} << 30;

/// "9.0" gives 9 and 0.
bool read_version(std::string_view text, std::uint32_t& major, std::uint32_t& minor) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return false;
    const char* end = text.data() + text.size();
    return std::from_chars(text.data(), end, major).ptr == text.data() + dot &&
           std::from_chars(text.data() + dot + 1, end, minor).ptr == end && dot + 1 < text.size();
}

/// 90 for "sm_90" and "sm_90a"; 0 for what names no architecture.
std::uint32_t architecture(std::string_view target) {
    constexpr std::string_view prefix = "sm_";
    if (target.substr(0, prefix.size()) != prefix) return 0;
    std::uint32_t number = 0;
    std::from_chars(target.data() + prefix.size(), target.data() + target.size(), number);
    return number;
}

class ModuleParser {
public:
    explicit ModuleParser(std::string_view text) : state_(text), reader_(state_.reader) {}

    Result<Module> parse() {
        if (!version() || !statements()) return reader_.error();
        state_.lines.finish();
        return std::move(state_.module);
    }

private:
    bool version() {
        if (!reader_.accept_directive("version"))
            return reader_.fail_expected("a PTX module, which starts with .version");
        const Token number = reader_.token();
        if (!reader_.expect(TokenKind::number, "a version such as 8.7")) return false;
        return read_version(number.text, state_.module.version_major, state_.module.version_minor) ||
               reader_.fail_at(number, "expected a version such as 8.7");
    }

    bool statements() {
        while (!reader_.at(TokenKind::end))
            if (!statement()) return false;
        if (reader_.failed()) return false;
        return state_.module.target != 0 || reader_.fail("the module has no .target such as sm_89");
    }

    bool statement() {
        if (reader_.accept(TokenKind::semicolon)) return true;
        if (reader_.accept_directive("target")) return target();
        if (reader_.accept_directive("address_size")) return address_size();
        if (reader_.accept_directive("file")) return state_.lines.parse_file(reader_);
        if (reader_.accept_directive("loc")) return state_.lines.parse_location(reader_);
        if (reader_.accept_directive("section")) return LineTable::skip_section(reader_);
        if (reader_.accept_directive("pragma")) return pragma();
        if (reader_.accept_directive("alias")) return alias();
        return declaration();
    }

    /// "sm_90a, debug"
    bool target() {
        do {
            Token name;
            if (!reader_.expect_identifier("a target such as sm_89", name)) return false;
            if (const std::uint32_t number = architecture(name.text); number != 0) state_.module.target = number;
            if (name.text == "map_f64_to_f32") return reader_.fail_at(name, "map_f64_to_f32 is not supported");
        } while (reader_.accept(TokenKind::comma));
        return true;
    }

    bool address_size() {
        const Token start = reader_.token();
        std::int64_t bits = 0;
        if (!parse_integer(reader_, bits)) return false;
        return bits == 64 || reader_.fail_at(start, "only 64-bit addresses are supported");
    }

    bool pragma() {
        while (reader_.at(TokenKind::string) || reader_.at(TokenKind::comma)) reader_.advance();
        return reader_.expect(TokenKind::semicolon, "';'");
    }

    bool declaration() {
        const Linkage linkage = parse_linkage(reader_);
        if (reader_.accept_directive("entry")) return FunctionParser(state_, linkage, true).parse();
        if (reader_.accept_directive("func")) return FunctionParser(state_, linkage, false).parse();
        VariableHead head;
        head.linkage = linkage;
        if (at_space(reader_, head.space)) {
            reader_.advance();
            return variables(head);
        }
        if (reader_.at_directive("reg")) return reader_.fail("registers can only be declared in a function");
        if (reader_.at(TokenKind::dotted))
            return reader_.fail("\"." + std::string(reader_.token().text.substr(0, 40)) +
                                "\" is no directive known here");
        return reader_.fail_expected("a directive");
    }

    bool variables(VariableHead& head) {
        if (!parse_variable_head(reader_, head)) return false;
        do {
            Declarator declarator;
            if (!parse_declarator(reader_, head, state_.budget.initial_bytes, declarator)) return false;
            if (!add_variable(declarator)) return false;
        } while (reader_.accept(TokenKind::comma));
        return reader_.expect(TokenKind::semicolon, "',' or ';'");
    }

    /// A definition takes the place of the declarations before it.
    bool add_variable(Declarator& declarator) {
        std::vector<Variable>& variables = state_.module.variables;
        const NameId id = state_.names.intern(declarator.name.text);
        const Binding before = state_.names.find(id);
        if (before.kind == NameKind::none) {
            state_.names.bind_global(id, NameKind::global, static_cast<std::uint32_t>(variables.size()),
                                     size_of(declarator.variable.element));
            variables.push_back(std::move(declarator.variable));
            return true;
        }
        const bool declared =
            before.kind == NameKind::global && (variables[before.index].external || declarator.variable.external);
        if (!declared) return reader_.fail_at(declarator.name, '"' + declarator.variable.name + "\" is declared twice");
        if (!declarator.variable.external) variables[before.index] = std::move(declarator.variable);
        return true;
    }

    /// "f, g;": f, declared before, does what g does. It becomes a copy of it.
    bool alias() {
        Token name;
        Token original;
        if (!reader_.expect_identifier("the name of a function", name) || !reader_.expect(TokenKind::comma, "','") ||
            !reader_.expect_identifier("the name of a function", original))
            return false;
        const Binding to = state_.names.find(state_.names.intern(name.text));
        const Binding from = state_.names.find(state_.names.intern(original.text));
        if (to.kind != NameKind::function || from.kind != NameKind::function)
            return reader_.fail_at(name, "an .alias needs two functions declared before");
        std::vector<Function>& functions = state_.module.functions;
        if (!Budget::take(state_.budget.instructions, functions[from.index].body.size()))
            return reader_.fail_at(name, "the module has too many instructions");
        Function copy = functions[from.index];
        copy.name = functions[to.index].name;
        copy.visible = functions[to.index].visible;
        copy.weak = functions[to.index].weak;
        functions[to.index] = std::move(copy);
        return reader_.expect(TokenKind::semicolon, "';'");
    }

    ParserState state_;
    Reader& reader_;
};

}  // namespace

Result<Module> parse(std::string_view text) {
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    if (text.size() > longest_text) return Error{"the PTX module is longer than 1 GiB"};
    return ModuleParser(text).parse();
}

}  // namespace lanes::emulator::ptx
