#include "swap_guesses.hpp"

#include <cstdint>

namespace lanes::emulator {

namespace {

bool is_register(const ptx::Instruction& instruction, std::size_t operand) {
    return instruction.operands.size() > operand && instruction.operands[operand].kind == ptx::OperandKind::reg;
}

bool is_swap(const ptx::Instruction& instruction) {
    return instruction.opcode == "atom" && instruction.has("cas") && is_register(instruction, 2);
}

bool is_move(const ptx::Instruction& instruction) {
    return instruction.opcode == "mov" && is_register(instruction, 0) && is_register(instruction, 1);
}

/// By register: whether its value may be what a compare-and-swap expects.
std::vector<bool> expected_registers(const ptx::Function& function) {
    std::vector<bool> expected(function.registers.size());
    const auto mark = [&](const ptx::Operand& operand) {
        const bool is_new = !expected[static_cast<std::size_t>(operand.index)];
        expected[static_cast<std::size_t>(operand.index)] = true;
        return is_new;
    };
    bool found = false;
    for (const ptx::Instruction& instruction : function.body)
        if (is_swap(instruction)) found = mark(instruction.operands[2]) || found;
    while (found) {
        found = false;
        for (const ptx::Instruction& instruction : function.body) {
            if (!is_move(instruction) || !expected[static_cast<std::size_t>(instruction.operands[0].index)]) continue;
            found = mark(instruction.operands[1]) || found;
        }
    }
    return expected;
}

}  // namespace

std::vector<std::size_t> swap_guesses(const ptx::Function& function) {
    const std::vector<bool> expected = expected_registers(function);
    std::vector<std::size_t> guesses;
    for (std::size_t i = 0; i < function.body.size(); ++i) {
        const ptx::Instruction& instruction = function.body[i];
        if (instruction.opcode != "ld" || !is_register(instruction, 0)) continue;
        if (expected[static_cast<std::size_t>(instruction.operands[0].index)]) guesses.push_back(i);
    }
    return guesses;
}

}  // namespace lanes::emulator
