/// Instructions that handlers execute: operands become rows.

#include <algorithm>
#include <array>
#include <string_view>

#include "core_handlers.hpp"
#include "decode_function.hpp"
#include "instruction_registers.hpp"
#include "special_registers.hpp"

namespace lanes::emulator {

namespace {

constexpr std::array<std::string_view, 24> memory_opcodes{
    "ld",       "ldu",  "st",         "atom",           "red",       "prefetch", "prefetchu",     "fence",
    "membar",   "cp",   "ldmatrix",   "stmatrix",       "mbarrier",  "discard",  "applypriority", "createpolicy",
    "multimem", "mapa", "getctarank", "griddepcontrol", "tensormap", "tex",      "tld4",          "suld"};

bool is_memory(const ptx::Instruction& instruction) {
    return std::find(memory_opcodes.begin(), memory_opcodes.end(), instruction.opcode) != memory_opcodes.end();
}

bool is_param_modifier(std::string_view modifier) {
    return modifier == "param" || modifier == "param::func";
}

bool is_clock(const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::special &&
           (operand.name.starts_with("%clock") || operand.name.starts_with("%globaltimer"));
}

/// The problem of an instruction that would write a constant or a special register.
const char* const no_destination = "a destination that is neither a register nor _";

/// True for a vector, such as {%r1,%r2} or %tid without a component, where none can be: besides accesses to memory, mov
/// alone takes them.
bool has_stray_vector(const ptx::Instruction& instruction) {
    return instruction.opcode != "mov" &&
           std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [](const ptx::Operand& operand) { return operand.kind == ptx::OperandKind::vector; });
}

std::uint8_t vector_length(const ptx::Instruction& instruction) {
    if (instruction.has("v2")) return 2;
    if (instruction.has("v4")) return 4;
    if (instruction.has("v8")) return 8;
    return 1;
}

/// The same access, to local memory: there the frames of device functions are.
ptx::Instruction as_local(const ptx::Instruction& instruction) {
    ptx::Instruction local = instruction;
    std::replace_if(local.modifiers.begin(), local.modifiers.end(), is_param_modifier, "local");
    return local;
}

}  // namespace

std::string text_of(const ptx::Instruction& instruction) {
    std::string text = instruction.opcode;
    for (const std::string& modifier : instruction.modifiers) text += "." + modifier;
    return text;
}

/// True for an access to the parameters of a device function, or of a call.
bool FunctionDecoder::is_frame_access(const ptx::Instruction& instruction) const {
    const std::vector<std::string>& modifiers = instruction.modifiers;
    if (std::none_of(modifiers.begin(), modifiers.end(), is_param_modifier)) return false;
    if (!is_kernel()) return true;
    for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind != ptx::OperandKind::address || operand.name.empty()) continue;
        return !symbol(operand.name).kernel_parameter;
    }
    return false;
}

void FunctionDecoder::decode_data(const ptx::Instruction& instruction, Operation& operation) {
    if (is_frame_access(instruction)) return decode_data(as_local(instruction), operation);
    const bool memory = is_memory(instruction);
    const Result<Selection> selection =
        memory ? select_memory(instruction, function_.registers) : select_arithmetic(instruction, function_.registers);
    if (!selection) {
        problem_ = "PTX instruction " + selection.error().message;
        return;
    }
    operation.execute = selection->execute;
    operation.flow = selection->flow;
    operation.order = selection->order;
    operation.immediate = selection->immediate;
    if (memory) {
        operation.width = static_cast<std::uint8_t>(ptx::size_of(instruction.type()));
        operation.elements = vector_length(instruction);
        if (instruction.opcode == "st") {
            operation.value_bytes = static_cast<std::uint8_t>(row_width(selection->source[1]));
        }
        place_memory_operands(instruction, *selection, operation);
    } else {
        place_operands(instruction, *selection, operation);
    }
    if (operation.flow != Flow::warp_exchange) return;
    operation.target = instruction.has("sync") ? source_row(instruction.operands.back(), ptx::Type::b32) : no_slot;
}

void FunctionDecoder::place_memory_operands(const ptx::Instruction& instruction, const Selection& selection,
                                            Operation& operation) {
    std::size_t source = 0;
    bool first_address = true;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        const bool is_destination =
            i == 0 && (selection.destination != ptx::Type::none || operand.kind == ptx::OperandKind::discard);
        if (operand.kind == ptx::OperandKind::vector) {
            operation.extra = i == 0 ? destination_vector(operand) : source_vector(operand, instruction.type());
        } else if (is_destination) {
            if (!fits(operand, selection.destination))
                problem_ = "PTX instruction " + text_of(instruction) + " into a register of another width";
            if (operand.kind == ptx::OperandKind::reg) {
                operation.destination = write_register(operand.index);
            } else if (operand.kind != ptx::OperandKind::discard) {
                problem_ = no_destination;
            }
        } else if (source == operation.source.size()) {
            problem_ = "PTX instruction " + text_of(instruction) + " with so many operands";
            return;
        } else if (operand.kind == ptx::OperandKind::address) {
            const Address address = address_of(operand);
            if (!address.known) problem_ = "undefined symbol '" + operand.name + "'";
            operation.source[source++] = address.base;
            if (first_address) {
                operation.immediate += address.offset;
                if (provenance_) operation.variable = provenance_->of(operand).value_or(SharedRange{});
            }
            if (!first_address) operation.target = static_cast<std::uint32_t>(address.offset);
            first_address = false;
        } else {
            if (!fits(operand, selection.source[source]))
                problem_ = "PTX instruction " + text_of(instruction) + " of a register of another width";
            operation.source[source] = source_row(operand, selection.source[source]);
            ++source;
        }
    }
}

/// False for a register whose row is not as wide as a handler will take it to be.
bool FunctionDecoder::fits(const ptx::Operand& operand, ptx::Type type) const {
    return operand.kind != ptx::OperandKind::reg ||
           row_width(function_.registers[static_cast<std::size_t>(operand.index)].type) == row_width(type);
}

void FunctionDecoder::place_operands(const ptx::Instruction& instruction, const Selection& selection,
                                     Operation& operation) {
    const std::vector<ptx::Operand>& operands = instruction.operands;
    if (has_stray_vector(instruction)) {
        problem_ = "PTX instruction " + text_of(instruction) + " of a vector";
        return;
    }
    std::size_t next = 0;
    if (selection.destination != ptx::Type::none && !operands.empty()) {
        if (operands[0].kind == ptx::OperandKind::vector) {
            operation.extra = destination_vector(operands[0]);
        } else {
            operation.destination = destination_row(operands[0], selection.destination);
        }
        ++next;
    }
    if (instruction.dual && operands.size() > next) {
        operation.destination2 = destination_row(operands[next++], ptx::Type::pred);
    }
    for (std::size_t source = 0; next < operands.size(); ++next, ++source) {
        if (source == operation.source.size()) {
            problem_ = "PTX instruction " + text_of(instruction) + " with so many operands";
            return;
        }
        if (operands[next].kind == ptx::OperandKind::vector) {
            operation.extra = source_vector(operands[next], selection.source[source]);
        } else {
            operation.source[source] = source_row(operands[next], selection.source[source]);
        }
    }
    place_carry(selection, operation);
}

void FunctionDecoder::place_carry(const Selection& selection, Operation& operation) {
    if (!selection.reads_carry && !selection.writes_carry) return;
    if (carry_ == no_slot) {
        carry_ = context_.registers.add(ptx::Type::pred);
        // PTX does not say what the carry is before the first .cc. It must not be what another block left behind.
        context_.program.unset_rows.push_back({carry_, row_width(ptx::Type::pred)});
    }
    if (selection.writes_carry) operation.destination2 = carry_;
    if (!selection.reads_carry) return;
    const auto free = std::find(operation.source.begin(), operation.source.end(), no_slot);
    if (free != operation.source.end()) *free = carry_;
}

/// `_` gets a row that nobody reads.
Slot FunctionDecoder::destination_row(const ptx::Operand& operand, ptx::Type type) {
    if (operand.kind == ptx::OperandKind::reg) return write_register(operand.index);
    if (operand.kind != ptx::OperandKind::discard) problem_ = no_destination;
    return context_.registers.scratch(type);
}

Slot FunctionDecoder::source_row(const ptx::Operand& operand, ptx::Type type) {
    const ptx::Type row_type = type == ptx::Type::none ? ptx::Type::b32 : type;
    const std::uint32_t width = row_width(row_type);
    switch (operand.kind) {
        case ptx::OperandKind::reg:
            return read_register(operand.index);
        case ptx::OperandKind::immediate:
            return context_.registers.constant(width, immediate_bits(operand, row_type));
        case ptx::OperandKind::special:
            if (is_known_special(operand.name)) return context_.registers.special(operand.name, width);
            problem_ = "the special register " + operand.name;
            return no_slot;
        case ptx::OperandKind::symbol: {
            const SymbolValue value = symbol(operand.name);
            if (value.known && value.base == no_slot) {
                return context_.registers.constant(width, value.value + static_cast<std::uint64_t>(operand.offset));
            }
            problem_ = value.known ? "the address of '" + operand.name + "' as an operand"
                                   : "undefined symbol '" + operand.name + "'";
            return no_slot;
        }
        default:
            problem_ = "an operand of an unknown kind";
            return no_slot;
    }
}

std::uint32_t FunctionDecoder::source_vector(const ptx::Operand& operand, ptx::Type type) {
    std::vector<Slot> slots;
    for (const ptx::Operand& element : operand.elements) slots.push_back(source_row(element, type));
    context_.program.vectors.push_back(std::move(slots));
    return static_cast<std::uint32_t>(context_.program.vectors.size() - 1);
}

std::uint32_t FunctionDecoder::destination_vector(const ptx::Operand& operand) {
    std::vector<Slot> slots;
    for (const ptx::Operand& element : operand.elements) {
        const bool is_register = element.kind == ptx::OperandKind::reg;
        if (!is_register && element.kind != ptx::OperandKind::discard) problem_ = no_destination;
        slots.push_back(is_register && is_read(element) ? write_register(element.index) : no_slot);
    }
    context_.program.vectors.push_back(std::move(slots));
    return static_cast<std::uint32_t>(context_.program.vectors.size() - 1);
}

/// True if an instruction of the function reads a register. Elements of a vector that nobody reads are not loaded.
bool FunctionDecoder::is_read(const ptx::Operand& reg) {
    if (read_registers_.empty()) {
        read_registers_.resize(function_.registers.size());
        for (const ptx::Instruction& instruction : function_.body)
            for_each_source(instruction,
                            [&](std::int32_t index) { read_registers_[static_cast<std::size_t>(index)] = true; });
    }
    return read_registers_[static_cast<std::size_t>(reg.index)];
}

FunctionDecoder::Address FunctionDecoder::address_of(const ptx::Operand& operand) {
    if (operand.index >= 0) return {read_register(operand.index), operand.offset, true};
    if (operand.name.empty()) return {no_slot, operand.offset, true};
    const SymbolValue value = symbol(operand.name);
    return {value.base, static_cast<std::int64_t>(value.value) + operand.offset, value.known};
}

/// Instructions that only the core can execute: reading a clock, and taking the address of a variable in a frame that
/// moves.
bool FunctionDecoder::decode_core_data(const ptx::Instruction& instruction, Operation& operation) {
    if (instruction.opcode == "nanosleep") {
        const bool known = instruction.modifiers == std::vector<std::string>{"u32"};
        if (!known) problem_ = "PTX instruction " + text_of(instruction);
        if (known && has_operands(instruction, {ptx::Type::u32})) operation.execute = execute_nothing;
        return true;
    }
    if (instruction.opcode != "mov" || instruction.operands.size() != 2) return false;
    // A register of another width is for select_arithmetic to refuse.
    const ptx::Operand& destination = instruction.operands[0];
    if (destination.kind != ptx::OperandKind::reg) return false;
    if (!fits(destination, ptx::Type::b32) && !fits(destination, ptx::Type::b64)) return false;
    return decode_clock(instruction, operation) || decode_frame_address(instruction, operation);
}

bool FunctionDecoder::decode_clock(const ptx::Instruction& instruction, Operation& operation) {
    const ptx::Operand& destination = instruction.operands[0];
    const ptx::Operand& source = instruction.operands[1];
    if (!is_clock(source)) return false;
    operation.destination = write_register(destination.index);
    operation.immediate = source.name.ends_with("_hi") ? 32 : 0;
    operation.execute = is_wide(destination) ? execute_clock<std::uint64_t> : execute_clock<std::uint32_t>;
    return true;
}

bool FunctionDecoder::decode_frame_address(const ptx::Instruction& instruction, Operation& operation) {
    const ptx::Operand& destination = instruction.operands[0];
    const ptx::Operand& source = instruction.operands[1];
    if (source.kind != ptx::OperandKind::symbol) return false;
    const SymbolValue value = symbol(source.name);
    if (!value.known || value.base == no_slot) return false;
    operation.destination = write_register(destination.index);
    operation.source[0] = value.base;
    operation.immediate = static_cast<std::int64_t>(value.value) + source.offset;
    operation.execute =
        is_wide(destination) ? execute_frame_address<std::uint64_t> : execute_frame_address<std::uint32_t>;
    return true;
}

bool FunctionDecoder::is_wide(const ptx::Operand& operand) const {
    return row_width(function_.registers[static_cast<std::size_t>(operand.index)].type) == sizeof(std::uint64_t);
}

}  // namespace lanes::emulator
