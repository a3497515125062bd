/// @file
/// @brief Values of constant expressions and what operators make of them (PTX ISA 4.5).
#pragma once

#include "ptx_lexer.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanes::emulator::ptx {

/// The value of a constant expression.
struct Constant {
    Type type = Type::s64;   ///< s64, u64, f64, or f32 for a 0f... literal
    std::uint64_t bits = 0;  ///< the integer, or the bit pattern of the type
};

Constant constant_of(std::int64_t value);
Constant constant_of(double value);

/// True for constants whose bits are those of a floating-point number.
bool is_float(const Constant& constant);
/// The value as a double.
double to_double(const Constant& constant);
/// True if it is not zero.
bool is_true(const Constant& constant);

/// The result of a binary operator; nothing if it does not exist for these types. The right side of an integer
/// division must not be 0.
std::optional<Constant> fold_constants(TokenKind operation, const Constant& a, const Constant& b);

/// Reads a number token; false if it is none.
bool read_number(std::string_view text, Constant& value);

}  // namespace lanes::emulator::ptx
