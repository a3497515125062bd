/// @file
/// @brief Decoding one function of a Program.
///
/// Where things are: decode_function.cpp goes through the instructions, decode_data.cpp does those that the handlers
/// execute, decode_control.cpp branches, calls and barriers, decode_symbols.cpp says what names mean, and
/// decode_reconvergence.cpp finds where diverged lanes meet again. decode_rows.cpp gives registers their rows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "basic_blocks.hpp"
#include "call_graph.hpp"
#include "linked_modules.hpp"
#include "liveness.hpp"
#include "register_file.hpp"
#include "shared_layout.hpp"
#include "shared_provenance.hpp"

namespace lanes::emulator {

/// Frames in local memory begin at multiples of it.
inline constexpr std::uint32_t frame_alignment = 16;

/// What the functions of one Program share while it is decoded.
struct ProgramContext {
    const LinkedModules& linked;
    const std::vector<ReachedFunction>& reached;
    const SharedLayout& shared;
    Program& program;
    RegisterFile& registers;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t>
        lines{};  ///< index of (file, line) in Program::lines
};

/// What a name means: a number that is added to the row `base`, if that is not no_slot.
struct SymbolValue {
    bool known = false;
    std::uint64_t value = 0;
    Slot base = no_slot;
    std::uint32_t bytes = 0;  ///< size of a variable of the function
    bool kernel_parameter = false;
    const ptx::Variable* shared = nullptr;  ///< the variable, if it is in shared memory
};

/// The instruction as it stands in PTX, near enough for a message.
std::string text_of(const ptx::Instruction& instruction);

/// Decodes one function. Operation i of the function is its instruction i, so labels keep their meaning.
class FunctionDecoder {
public:
    /// @param index  of the function in ProgramContext::reached, and in Program::functions
    FunctionDecoder(ProgramContext& context, std::uint32_t index);

    /// Gives registers their rows, and parameters and local variables their places in the frame.
    void lay_out();
    /// Appends the operations. Every function of the program must have been laid out.
    void decode();

private:
    struct Address {
        Slot base = no_slot;
        std::int64_t offset = 0;
        bool known = true;
    };

    bool is_kernel() const { return index_ == 0; }
    ProgramFunction& place() { return context_.program.functions[index_]; }

    // decode_function.cpp
    void lay_out_frame();
    void append(const ptx::Instruction& instruction);
    void append_end();
    FramePart add_to_frame(const ptx::Variable& variable, std::uint32_t& end);
    void lay_out_kernel_parameters();
    Operation decode_instruction(const ptx::Instruction& instruction);
    bool runs_off_the_end() const;
    void mark_shuffles(const BasicBlocks& blocks);
    void mark_swap_guesses();
    std::uint32_t line_index(std::int32_t location);
    void make_unsupported(Operation& operation);

    // decode_symbols.cpp
    SymbolValue symbol(std::string_view name) const;
    SymbolValue module_symbol(std::string_view name) const;
    std::int32_t function_index(std::string_view name) const;
    std::optional<SharedRange> shared_range(std::string_view name) const;

    // decode_data.cpp
    void decode_data(const ptx::Instruction& instruction, Operation& operation);
    void place_memory_operands(const ptx::Instruction& instruction, const Selection& selection, Operation& operation);
    bool fits(const ptx::Operand& operand, ptx::Type type) const;
    void place_operands(const ptx::Instruction& instruction, const Selection& selection, Operation& operation);
    void place_carry(const Selection& selection, Operation& operation);
    bool decode_core_data(const ptx::Instruction& instruction, Operation& operation);
    bool decode_clock(const ptx::Instruction& instruction, Operation& operation);
    bool decode_frame_address(const ptx::Instruction& instruction, Operation& operation);
    bool is_wide(const ptx::Operand& operand) const;
    Slot destination_row(const ptx::Operand& operand, ptx::Type type);
    Slot source_row(const ptx::Operand& operand, ptx::Type type);
    std::uint32_t source_vector(const ptx::Operand& operand, ptx::Type type);
    std::uint32_t destination_vector(const ptx::Operand& operand);
    bool is_read(const ptx::Operand& reg);
    Address address_of(const ptx::Operand& operand);
    bool is_frame_access(const ptx::Instruction& instruction) const;

    // decode_control.cpp
    bool decode_control(const ptx::Instruction& instruction, Operation& operation);
    bool has_operands(const ptx::Instruction& instruction, const std::vector<ptx::Type>& rows);
    void decode_end(const ptx::Instruction& instruction, Operation& operation, Flow flow);
    void decode_branch(const ptx::Instruction& instruction, Operation& operation);
    void decode_indexed_branch(const ptx::Instruction& instruction, Operation& operation);
    void decode_call(const ptx::Instruction& instruction, Operation& operation);
    CallArgument call_argument(const ptx::Operand& operand, std::uint32_t bytes, bool is_return);
    void decode_barrier(const ptx::Instruction& instruction, Operation& operation);
    void decode_warp_barrier(const ptx::Instruction& instruction, Operation& operation);

    // decode_reconvergence.cpp
    void find_reconvergence(const BasicBlocks& blocks);
    void mark_waiting_loops();

    // decode_rows.cpp
    Slot read_register(std::int32_t index);
    Slot write_register(std::int32_t index);
    void assign_rows(const BasicBlocks& blocks);
    void replace(Slot& slot) const;
    void replace_registers();
    std::uint32_t current_operation() const { return static_cast<std::uint32_t>(context_.program.operations.size()); }

    ProgramContext& context_;
    std::uint32_t index_;
    const ptx::Function& function_;
    std::uint32_t module_;
    std::vector<RegisterAccess> accesses_;
    bool current_is_guarded_ = false;
    std::vector<Slot> rows_;        // by register
    std::size_t first_vector_ = 0;  // of this function in Program::vectors
    std::size_t first_call_ = 0;
    Slot carry_ = no_slot;
    std::unordered_map<std::string_view, SymbolValue> own_;  // names of the function itself
    std::optional<SharedProvenance> provenance_;
    std::vector<bool> read_registers_;  // by register, once is_read was asked
    std::vector<bool> may_wait_;        // by instruction
    std::string problem_;               // why the instruction at hand is unsupported
    std::uint32_t line_ = 0;            // of the last instruction that had one
};

}  // namespace lanes::emulator
