#include "ptx_declaration.hpp"

#include "ptx_expression.hpp"

#include <string>

namespace lanes::emulator::ptx {

namespace {

constexpr std::uint64_t largest_alignment = 1 << 20;
constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;
constexpr std::size_t most_dimensions = 16;

bool parse_alignment(Reader& reader, std::uint32_t& alignment) {
    const Token start = reader.token();
    std::uint64_t value = 0;
    if (!parse_count(reader, "an alignment", largest_alignment, value)) return false;
    if (value == 0 || (value & (value - 1)) != 0) return reader.fail_at(start, "an alignment must be a power of two");
    alignment = static_cast<std::uint32_t>(value);
    return true;
}

/// After `.ptr`: what the pointer parameter points to, which is advice that the emulator does not need.
bool skip_pointer_advice(Reader& reader) {
    Space space = Space::generic;
    if (at_space(reader, space)) reader.advance();
    std::uint32_t alignment = 0;
    return !reader.accept_directive("align") || parse_alignment(reader, alignment);
}

/// 2, 4 or 8 for ".v2", ".v4", ".v8"; 0 for anything else.
std::uint32_t lanes_of(std::string_view directive) {
    if (directive == "v2") return 2;
    if (directive == "v4") return 4;
    return directive == "v8" ? 8 : 0;
}

/// References to textures, samplers and surfaces are opaque 64-bit handles.
bool is_opaque(std::string_view directive) {
    return directive == "texref" || directive == "samplerref" || directive == "surfref";
}

bool parse_head_directive(Reader& reader, VariableHead& head) {
    const Token directive = reader.token();
    reader.advance();
    if (directive.text == "attribute") {
        head.managed = skip_attribute(reader, "managed") || head.managed;
        return !reader.failed();
    }
    if (directive.text == "align") return parse_alignment(reader, head.alignment);
    if (directive.text == "ptr") return skip_pointer_advice(reader);
    if (const std::uint32_t lanes = lanes_of(directive.text); lanes != 0) {
        head.lanes = lanes;
        return true;
    }
    head.opaque = head.opaque || is_opaque(directive.text);
    const Type type = head.opaque ? Type::b64 : type_from_name(directive.text);
    if (type == Type::none || type == Type::pred || head.element != Type::none)
        return reader.fail_at(directive, "\"." + std::string(directive.text) + "\" has no place in a declaration");
    head.element = type;
    return true;
}

/// "[2][3]"; an empty first pair of brackets gives 0.
bool parse_dimensions(Reader& reader, std::vector<std::uint64_t>& extents) {
    while (reader.accept(TokenKind::left_bracket)) {
        if (extents.size() == most_dimensions) return reader.fail("too many dimensions");
        std::uint64_t extent = 0;
        const bool unspecified = extents.empty() && reader.at(TokenKind::right_bracket);
        if (!unspecified && !parse_count(reader, "a dimension", largest_variable, extent)) return false;
        if (!reader.expect(TokenKind::right_bracket, "']'")) return false;
        extents.push_back(extent);
    }
    return true;
}

/// Bytes of the whole variable, 0 if a dimension is 0; false if they are absurdly many.
bool total_bytes(const std::vector<std::uint64_t>& extents, std::uint64_t element_bytes, std::uint64_t& bytes) {
    bool empty = false;
    bytes = element_bytes;
    for (const std::uint64_t extent : extents) {
        empty = empty || extent == 0;
        const std::uint64_t factor = extent == 0 ? 1 : extent;
        if (bytes > largest_variable / factor) return false;
        bytes *= factor;
    }
    if (empty) bytes = 0;
    return true;
}

/// After the '=' of a sampler: "{ addr_mode_0 = clamp_to_border, ... }".
bool skip_properties(Reader& reader) {
    return reader.expect(TokenKind::left_brace, "'{' of properties") &&
           reader.skip_to_closing(TokenKind::left_brace, TokenKind::right_brace);
}

}  // namespace

Linkage parse_linkage(Reader& reader) {
    Linkage linkage;
    while (true) {
        if (reader.accept_directive("extern"))
            linkage.external = true;
        else if (reader.accept_directive("visible"))
            linkage.visible = true;
        else if (reader.accept_directive("weak") || reader.accept_directive("common"))
            linkage.visible = linkage.weak = true;
        else
            return linkage;
    }
}

bool at_space(const Reader& reader, Space& space) {
    if (!reader.at(TokenKind::dotted)) return false;
    const std::string_view name = reader.token().text;
    if (name == "global")
        space = Space::global;
    else if (name == "const")
        space = Space::constant;
    else if (name == "shared" || name == "shared::cta")
        space = Space::shared;
    else if (name == "local")
        space = Space::local;
    else if (name == "param")
        space = Space::param;
    else
        return false;
    return true;
}

bool skip_attribute(Reader& reader, std::string_view wanted) {
    if (!reader.accept(TokenKind::left_parenthesis)) return false;
    bool found = false;
    std::size_t depth = 1;
    while (depth > 0 && !reader.at(TokenKind::end)) {
        found = found || reader.at_directive(wanted);
        if (reader.at(TokenKind::left_parenthesis)) ++depth;
        if (reader.at(TokenKind::right_parenthesis)) --depth;
        reader.advance();
    }
    if (depth > 0) reader.fail_expected("')' of an attribute");
    return found;
}

bool parse_variable_head(Reader& reader, VariableHead& head) {
    while (reader.at(TokenKind::dotted))
        if (!parse_head_directive(reader, head)) return false;
    return head.element != Type::none || reader.fail_expected("a type such as .b32");
}

bool parse_declarator(Reader& reader, const VariableHead& head, std::uint64_t& initial_budget, Declarator& declarator) {
    if (!reader.expect_identifier("the name of a variable", declarator.name)) return false;
    Variable& variable = declarator.variable;
    variable = Variable{};
    variable.name = std::string(declarator.name.text);
    variable.space = head.space;
    variable.element = head.element;
    variable.external = head.linkage.external;
    variable.visible = head.linkage.visible;
    variable.weak = head.linkage.weak;
    variable.managed = head.managed;
    const std::uint32_t natural = size_of(head.element) * head.lanes;
    variable.alignment = head.alignment != 0 ? head.alignment : natural;

    std::vector<std::uint64_t> extents;
    if (!parse_dimensions(reader, extents)) return false;
    if (head.lanes > 1) extents.push_back(head.lanes);
    if (!total_bytes(extents, size_of(head.element), variable.bytes))
        return reader.fail_at(declarator.name, "a variable of more than 2^40 bytes");
    if (!reader.accept(TokenKind::equal)) return true;
    return head.opaque ? skip_properties(reader) : parse_initial_value(reader, extents, initial_budget, variable);
}

}  // namespace lanes::emulator::ptx
