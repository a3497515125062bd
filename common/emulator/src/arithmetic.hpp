/// @file
/// @brief Inside the choice of arithmetic handlers: one form of an instruction, and who knows which opcodes.
///
/// Where things are: arithmetic.cpp maps an opcode to the function below that knows it; the handlers stand beside it.
///   arithmetic_integer.cpp   add sub mul mad div rem min max ...; arithmetic_carry.cpp: add.cc addc madc ...
///   arithmetic_bits.cpp      and or xor shl shr bfe bfi lop3 popc ...
///   arithmetic_packed.cpp    prmt dp4a dp2a vabsdiff4 and other operations on bytes and halfwords of a register
///   arithmetic_float.cpp     f32 and f64; arithmetic_approximate.cpp: ex2 lg2 sin cos ...
///   arithmetic_half.cpp      f16, bf16 and their pairs
///   arithmetic_compare.cpp   setp set selp slct testp
///   arithmetic_convert.cpp   cvt; arithmetic_convert_packed.cpp: cvt of pairs and to tf32, cvt.pack;
///                            arithmetic_convert_bytes.cpp: cvt of 8-bit floating-point numbers
///   arithmetic_move.cpp      mov cvta isspacep
///   exchange.cpp             shfl vote match redux activemask elect
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// Directions of rounding of a floating-point result.
enum class Rounding : std::uint8_t { nearest_even, zero, minus_infinity, plus_infinity, nearest_away };

/// One instruction's form while a handler is chosen for it. Modifiers are taken one by one; a form is supported only if
/// all of them were taken, so a modifier nobody knows is never silently ignored.
class Form {
public:
    Form(const ptx::Instruction& instruction, const std::vector<ptx::Register>& registers)
        : instruction_(instruction), registers_(registers) {}

    /// Takes a modifier; false if the form does not have it (any more).
    bool take(std::string_view modifier);
    /// True if the form has the modifier, taken or not.
    bool has(std::string_view modifier) const { return instruction_.has(modifier); }
    /// True if the form has both modifiers, `first` before `second`.
    bool comes_before(std::string_view first, std::string_view second) const;
    /// Takes the first modifier left that names a type; Type::none if there is none.
    ptx::Type take_type();
    /// Takes rn, rz, rm or rp; `otherwise` if the form has none of them.
    Rounding take_rounding(Rounding otherwise = Rounding::nearest_even);
    /// Takes the `!` in front of operand `index`; false if there is none.
    bool take_negation(std::size_t index);
    /// True if every modifier and every negation was taken.
    bool complete() const;

    const std::string& opcode() const { return instruction_.opcode; }
    const std::vector<ptx::Operand>& operands() const { return instruction_.operands; }
    bool dual() const { return instruction_.dual; }
    /// Type of the register that the operand is; Type::none if it is no register.
    ptx::Type register_type(const ptx::Operand& operand) const;
    /// "setp.lt.and.f32"
    std::string name() const;

private:
    const ptx::Instruction& instruction_;
    const std::vector<ptx::Register>& registers_;
    std::uint64_t taken_ = 0;
    std::size_t negations_taken_ = 0;
};

// Each returns the handler of the form and its row types; a Selection without a handler if it does not know the form.
Selection select_integer(Form& form);
Selection select_carry(Form& form);
Selection select_bits(Form& form);
Selection select_packed(Form& form);
Selection select_float(Form& form);
Selection select_approximate(Form& form);
Selection select_half(Form& form);
Selection select_compare(Form& form);
Selection select_convert(Form& form);
/// cvt of pairs, of tf32, with .satfinite, and cvt.pack.
Selection select_packed_conversion(Form& form);
bool is_packed_conversion(const Form& form);
/// cvt from and to 8-bit floating-point numbers.
Selection select_byte_conversion(Form& form);
bool is_byte_conversion(const Form& form);
Selection select_move(Form& form);
Selection select_exchange(Form& form);

}  // namespace lanes::emulator
