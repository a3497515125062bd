/// @file
/// @brief Constant expressions, folded while parsing (PTX ISA 4.5).
#pragma once

#include "ptx_constant.hpp"
#include "ptx_reader.hpp"

#include <cstdint>
#include <string_view>

namespace lanes::emulator::ptx {

/// True if an expression can start at the reader's token (names other than WARP_SZ do not).
bool at_constant(const Reader& reader);

/// Parses an expression and folds it.
bool parse_constant(Reader& reader, Constant& value);
/// Parses an expression that must be an integer.
bool parse_integer(Reader& reader, std::int64_t& value);
/// Parses an expression that must be an integer in [0, limit].
/// @param what  for the message: "an alignment"
bool parse_count(Reader& reader, std::string_view what, std::uint64_t limit, std::uint64_t& value);

}  // namespace lanes::emulator::ptx
