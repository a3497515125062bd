/// Branches, calls, barriers, and ways to leave.

#include <algorithm>
#include <array>
#include <string_view>

#include "barrier.hpp"
#include "control_form.hpp"
#include "decode_function.hpp"

namespace lanes::emulator {

namespace {

struct BuiltinName {
    std::string_view name;
    Builtin builtin;
};

constexpr std::array<BuiltinName, 4> builtins{{{"vprintf", Builtin::vprintf},
                                               {"__assertfail", Builtin::assertfail},
                                               {"malloc", Builtin::malloc},
                                               {"free", Builtin::free}}};

Builtin builtin_named(std::string_view name) {
    const auto* const found =
        std::find_if(builtins.begin(), builtins.end(), [&](const BuiltinName& b) { return b.name == name; });
    return found == builtins.end() ? Builtin::none : found->builtin;
}

BarrierKind kind_of(const ptx::Instruction& instruction) {
    if (instruction.has("arrive")) return BarrierKind::arrive;
    if (!instruction.has("red")) return BarrierKind::sync;
    if (instruction.has("popc")) return BarrierKind::reduce_count;
    return instruction.has("and") ? BarrierKind::reduce_and : BarrierKind::reduce_or;
}

}  // namespace

bool FunctionDecoder::decode_control(const ptx::Instruction& instruction, Operation& operation) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "bra") {
        decode_branch(instruction, operation);
    } else if (opcode == "brx") {
        decode_indexed_branch(instruction, operation);
    } else if (opcode == "call") {
        decode_call(instruction, operation);
    } else if (opcode == "ret") {
        decode_end(instruction, operation, is_kernel() ? Flow::exit : Flow::call_return);
    } else if (opcode == "exit") {
        decode_end(instruction, operation, Flow::exit);
    } else if (opcode == "trap" || opcode == "brkpt") {
        decode_end(instruction, operation, Flow::trap);
    } else if (opcode == "bar" && instruction.has("warp")) {
        decode_warp_barrier(instruction, operation);
    } else if (opcode == "bar" || opcode == "barrier") {
        decode_barrier(instruction, operation);
    } else {
        return false;
    }
    if (!is_control_form(instruction)) problem_ = "PTX instruction " + text_of(instruction);
    return true;
}

void FunctionDecoder::decode_end(const ptx::Instruction& instruction, Operation& operation, Flow flow) {
    if (has_operands(instruction, {})) operation.flow = flow;
}

/// Refuses an instruction unless its operands are as many as `rows`, and registers among them as wide.
bool FunctionDecoder::has_operands(const ptx::Instruction& instruction, const std::vector<ptx::Type>& rows) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    if (operands.size() != rows.size()) {
        problem_ = "PTX instruction " + text_of(instruction) + " with " + std::to_string(operands.size()) + " operands";
        return false;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (fits(operands[i], rows[i])) continue;
        problem_ = "PTX instruction " + text_of(instruction) + " whose operand " + std::to_string(i + 1) +
                   " is a register of another width";
        return false;
    }
    return true;
}

void FunctionDecoder::decode_branch(const ptx::Instruction& instruction, Operation& operation) {
    if (instruction.operands.size() != 1 || instruction.operands[0].kind != ptx::OperandKind::label) {
        problem_ = "PTX instruction " + text_of(instruction) + " without one label";
        return;
    }
    operation.flow = Flow::branch;
    operation.target = place().begin + static_cast<std::uint32_t>(instruction.operands[0].index);
}

void FunctionDecoder::decode_indexed_branch(const ptx::Instruction& instruction, Operation& operation) {
    if (!has_operands(instruction, {ptx::Type::u32, ptx::Type::none})) return;
    if (instruction.operands[1].kind != ptx::OperandKind::label) {
        problem_ = "PTX instruction " + text_of(instruction) + " without a list of labels";
        return;
    }
    operation.flow = Flow::branch_index;
    operation.source[0] = source_row(instruction.operands[0], ptx::Type::u32);
    std::vector<std::uint32_t> targets;
    for (const std::int32_t label : function_.branch_targets[static_cast<std::size_t>(instruction.operands[1].index)]) {
        targets.push_back(place().begin + static_cast<std::uint32_t>(label));
    }
    operation.extra = static_cast<std::uint32_t>(context_.program.branch_lists.size());
    context_.program.branch_lists.push_back(std::move(targets));
}

void FunctionDecoder::decode_call(const ptx::Instruction& instruction, Operation& operation) {
    operation.flow = Flow::call;
    operation.extra = static_cast<std::uint32_t>(context_.program.calls.size());
    CallSite call;
    call.caller = index_;
    const ptx::Operand& target = instruction.operands[1];
    if (target.kind == ptx::OperandKind::reg) {
        if (!is_wide(target)) {
            problem_ = "call of a function whose address is not a register of 64 bits";
            return;
        }
        call.target = read_register(target.index);
    } else {
        call.function = function_index(target.name);
        if (call.function < 0) call.builtin = builtin_named(target.name);
        if (call.function < 0 && call.builtin == Builtin::none) {
            problem_ = "call of '" + target.name + "', which no module of the program defines";
            return;
        }
    }
    const ProgramFunction* const callee = call.function < 0 ? nullptr : &context_.program.functions[call.function];
    const std::vector<ptx::Operand>& returns = instruction.operands[0].elements;
    for (const ptx::Operand& operand : returns) call.returns.push_back(call_argument(operand, 0, true));
    if (instruction.operands.size() > 2) {
        const std::vector<ptx::Operand>& arguments = instruction.operands[2].elements;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const bool known = callee != nullptr && i < callee->parameters.size();
            call.arguments.push_back(call_argument(arguments[i], known ? callee->parameters[i].bytes : 0, false));
        }
    }
    context_.program.calls.push_back(std::move(call));
}

/// @param bytes  size of the callee's parameter, 0 if it is not known
CallArgument FunctionDecoder::call_argument(const ptx::Operand& operand, std::uint32_t bytes, bool is_return) {
    CallArgument argument;
    if (operand.kind == ptx::OperandKind::symbol) {
        const SymbolValue value = symbol(operand.name);
        argument.place = {static_cast<std::uint32_t>(value.value), value.bytes};
        if (!value.known || value.bytes == 0) problem_ = "'" + operand.name + "' as an argument of a call";
        return argument;
    }
    const bool is_register = operand.kind == ptx::OperandKind::reg;
    const ptx::Type type = is_register ? function_.registers[static_cast<std::size_t>(operand.index)].type
                                       : (bytes == sizeof(std::uint64_t) ? ptx::Type::b64 : ptx::Type::b32);
    argument.row = is_return ? destination_row(operand, type) : source_row(operand, type);
    argument.place.bytes = row_width(type);
    if (type == ptx::Type::pred) problem_ = "a predicate as an argument of a call";
    return argument;
}

void FunctionDecoder::decode_warp_barrier(const ptx::Instruction& instruction, Operation& operation) {
    if (!has_operands(instruction, {ptx::Type::b32})) return;
    operation.flow = Flow::warp_barrier;
    operation.target = source_row(instruction.operands[0], ptx::Type::b32);
}

/// bar.sync a {, b}; bar.arrive a, b; bar.red.popc.u32 d, a {, b}, {!}p;
void FunctionDecoder::decode_barrier(const ptx::Instruction& instruction, Operation& operation) {
    const BarrierKind kind = kind_of(instruction);
    const bool reduces = instruction.has("red");
    const std::vector<ptx::Operand>& operands = instruction.operands;
    const bool counted = kind == BarrierKind::arrive || operands.size() > (reduces ? 3 : 1);
    std::vector<ptx::Type> rows{ptx::Type::u32};
    if (counted) rows.push_back(ptx::Type::u32);
    const ptx::Type result = kind == BarrierKind::reduce_count ? ptx::Type::u32 : ptx::Type::pred;
    if (reduces) {
        rows.insert(rows.begin(), result);
        rows.push_back(ptx::Type::pred);
    }
    if (!has_operands(instruction, rows)) return;
    operation.flow = Flow::barrier;
    operation.immediate = static_cast<std::int64_t>(kind);
    if (instruction.opcode == "bar" || instruction.has("aligned")) operation.extra |= barrier_aligned;
    std::size_t next = 0;
    if (reduces) operation.destination = destination_row(operands[next++], result);
    operation.source[0] = source_row(operands[next++], ptx::Type::u32);
    if (counted) operation.source[1] = source_row(operands[next++], ptx::Type::u32);
    if (!reduces) return;
    operation.source[2] = source_row(operands[next], ptx::Type::pred);
    if (operands[next].negated) operation.extra |= barrier_negated;
}

}  // namespace lanes::emulator
