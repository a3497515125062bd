/// @file
/// @brief What a decoder relies on in a parsed module.
#pragma once

#include <lanes/emulator/ptx.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes::emulator::ptx {

/// True if every index of an operand points at something.
inline bool is_consistent(const Operand& operand, const Function& function) {
    const auto index = static_cast<std::size_t>(operand.index);
    if (operand.kind == OperandKind::reg && index >= function.registers.size()) return false;
    if (operand.kind == OperandKind::address && operand.index >= 0 && index >= function.registers.size()) return false;
    if (operand.kind == OperandKind::label && index > function.body.size() && index >= function.branch_targets.size())
        return false;
    for (const Operand& element : operand.elements)
        if (!is_consistent(element, function)) return false;
    return true;
}

/// True if every index of a module points at something: what a decoder relies on.
inline bool is_consistent(const Module& module) {
    for (const Function& function : module.functions) {
        for (const Instruction& instruction : function.body) {
            if (instruction.guard >= static_cast<std::int32_t>(function.registers.size())) return false;
            if (instruction.location >= static_cast<std::int32_t>(module.locations.size())) return false;
            for (const Operand& operand : instruction.operands)
                if (!is_consistent(operand, function)) return false;
        }
        for (const std::vector<std::int32_t>& table : function.branch_targets)
            for (const std::int32_t target : table)
                if (target < 0 || static_cast<std::size_t>(target) > function.body.size()) return false;
    }
    for (std::size_t i = 0; i < module.locations.size(); ++i)
        if (module.locations[i].inlined_at >= static_cast<std::int32_t>(i)) return false;
    for (const Variable& variable : module.variables)
        if (!variable.initial.empty() && variable.initial.size() != variable.bytes) return false;
    return true;
}

}  // namespace lanes::emulator::ptx
