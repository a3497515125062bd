/// @file
/// @brief Which registers a PTX instruction reads and writes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <lanes/emulator/ptx.hpp>

namespace lanes::emulator {

/// True for an instruction that writes its first operand; false if it only reads, or if that is not certain.
inline bool has_destination(const ptx::Instruction& instruction) {
    constexpr std::array<std::string_view, 4> readers{"bar", "barrier", "brx", "nanosleep"};
    if (instruction.operands.empty()) return false;
    const ptx::OperandKind first = instruction.operands[0].kind;
    const bool can_be_written =
        first == ptx::OperandKind::reg || first == ptx::OperandKind::vector || first == ptx::OperandKind::discard;
    return can_be_written && std::find(readers.begin(), readers.end(), instruction.opcode) == readers.end();
}

/// Calls `visit(index)` for each register that an operand names.
template <typename Visit>
void for_each_register(const ptx::Operand& operand, const Visit& visit) {
    const bool names = operand.kind == ptx::OperandKind::reg || operand.kind == ptx::OperandKind::address;
    if (names && operand.index >= 0) visit(operand.index);
    for (const ptx::Operand& element : operand.elements) for_each_register(element, visit);
}

/// Calls `visit(index)` for each register that an instruction reads, its guard too.
template <typename Visit>
void for_each_source(const ptx::Instruction& instruction, const Visit& visit) {
    if (instruction.guard >= 0) visit(instruction.guard);
    const std::size_t first = has_destination(instruction) ? (instruction.dual ? 2 : 1) : 0;
    for (std::size_t i = first; i < instruction.operands.size(); ++i) for_each_register(instruction.operands[i], visit);
}

/// Calls `visit(index)` for each register that an instruction writes.
template <typename Visit>
void for_each_destination(const ptx::Instruction& instruction, const Visit& visit) {
    if (!has_destination(instruction)) return;
    for_each_register(instruction.operands[0], visit);
    if (instruction.dual) for_each_register(instruction.operands[1], visit);
}

}  // namespace lanes::emulator
