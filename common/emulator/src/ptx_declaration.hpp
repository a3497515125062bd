/// @file
/// @brief Declarations of variables: space, alignment, type, name, dimensions, initial value (PTX ISA 5.4).
#pragma once

#include "ptx_reader.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <vector>

namespace lanes::emulator::ptx {

/// What precedes a declaration: `.extern`, `.visible`, `.weak`, `.common`.
struct Linkage {
    bool external = false;
    bool visible = false;
    bool weak = false;
};

/// Takes any number of linkage directives.
Linkage parse_linkage(Reader& reader);

/// The part of a declaration that its variables share.
struct VariableHead {
    Space space = Space::global;
    Linkage linkage;
    bool managed = false;
    std::uint32_t alignment = 0;  ///< 0: that of the type
    std::uint32_t lanes = 1;      ///< 2 for .v2
    Type element = Type::none;
    bool opaque = false;  ///< .texref, .samplerref, .surfref: a 64-bit handle
};

/// A variable and where its name stands in the text.
struct Declarator {
    Token name;
    Variable variable;
};

/// True if the token is a directive of a state space of variables; sets the space.
bool at_space(const Reader& reader, Space& space);

/// What stands between the space and the name: `.attribute(...) .align 8 .ptr .global .v2 .f32`.
bool parse_variable_head(Reader& reader, VariableHead& head);

/// Name, dimensions and initial value.
/// @param initial_budget  bytes of initial values the module may still have; is reduced
bool parse_declarator(Reader& reader, const VariableHead& head, std::uint64_t& initial_budget, Declarator& declarator);

/// The initial value after '='.
/// @param extents  dimensions of the variable, outermost first, the lanes of a vector last; a leading 0 is unspecified
///                 and set to what the value needs
bool parse_initial_value(Reader& reader, std::vector<std::uint64_t>& extents, std::uint64_t& budget,
                         Variable& variable);

/// Goes past `(...)` if it is there; true if it has the directive `wanted` in it.
bool skip_attribute(Reader& reader, std::string_view wanted);

}  // namespace lanes::emulator::ptx
