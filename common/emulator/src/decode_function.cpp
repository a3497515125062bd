/// Goes through the instructions of one function.

#include "decode_function.hpp"

#include <algorithm>
#include <utility>

#include "align.hpp"
#include "shuffle_results.hpp"
#include "swap_guesses.hpp"

namespace lanes::emulator {

namespace {

/// True if a thread may have to execute the instruction again until another thread has done something.
bool may_wait(const ptx::Instruction& instruction) {
    const std::string& opcode = instruction.opcode;
    if (opcode == "ld") {
        const auto sees_others = {"volatile", "acquire", "relaxed", "mmio", "cv", "cg"};
        return std::any_of(sees_others.begin(), sees_others.end(),
                           [&](const char* modifier) { return instruction.has(modifier); });
    }
    return opcode == "atom" || opcode == "nanosleep" || opcode == "mbarrier" || opcode == "call";
}

}  // namespace

FunctionDecoder::FunctionDecoder(ProgramContext& context, std::uint32_t index)
    : context_(context),
      index_(index),
      function_(context.linked.function(context.reached[index].definition)),
      module_(context.reached[index].definition.module) {}

void FunctionDecoder::lay_out() {
    ProgramFunction& function = place();
    const Definition& definition = context_.reached[index_].definition;
    function.name = function_.name;
    function.recursive = context_.reached[index_].recursive;
    function.address = context_.linked.function_addresses[definition.module][definition.index];
    if (function.recursive) {
        function.frame_base = context_.registers.add(ptx::Type::u64);
        function.rows.push_back({function.frame_base, sizeof(std::uint64_t)});
    }
    lay_out_frame();
    if (is_kernel()) lay_out_kernel_parameters();
}

FramePart FunctionDecoder::add_to_frame(const ptx::Variable& variable, std::uint32_t& end) {
    const std::uint32_t offset = align_up(end, variable.alignment);
    const std::uint32_t bytes = limited(variable.bytes);
    end = limited(offset + bytes);
    own_[variable.name] = {true, offset, place().frame_base, bytes};
    return {offset, bytes};
}

/// The frame of a recursive function begins at 0; that of another has a place of its own in local memory.
void FunctionDecoder::lay_out_frame() {
    ProgramFunction& function = place();
    std::uint32_t& local_end = context_.program.local_bytes;
    std::uint32_t end = function.recursive ? 0 : align_up(local_end, frame_alignment);
    for (const ptx::Variable& variable : function_.returns) function.returns.push_back(add_to_frame(variable, end));
    if (!is_kernel()) {
        for (const ptx::Variable& variable : function_.parameters) {
            function.parameters.push_back(add_to_frame(variable, end));
        }
    }
    for (const ptx::Variable& variable : function_.variables) {
        if (variable.space == ptx::Space::shared) {
            const std::uint32_t* const offset = context_.shared.find(&variable);
            if (offset != nullptr) own_[variable.name] = {true, *offset, no_slot, 0, false, &variable};
        } else {
            add_to_frame(variable, end);
        }
    }
    if (function.recursive) {
        function.frame_bytes = align_up(end, frame_alignment);
    } else {
        local_end = end;
    }
}

void FunctionDecoder::lay_out_kernel_parameters() {
    std::uint32_t end = 0;
    for (const ptx::Variable& parameter : function_.parameters) {
        end = align_up(end, parameter.alignment);
        own_[parameter.name] = {true, end, no_slot, limited(parameter.bytes), true};
        end = limited(end + limited(parameter.bytes));
    }
}

void FunctionDecoder::decode() {
    Program& program = context_.program;
    place().begin = current_operation();
    first_vector_ = program.vectors.size();
    first_call_ = program.calls.size();
    line_ = line_index(-1);
    if (!context_.shared.variables().empty())
        provenance_.emplace(function_, [this](std::string_view name) { return shared_range(name); });
    for (const ptx::Instruction& instruction : function_.body) append(instruction);
    if (runs_off_the_end()) append_end();
    place().end = current_operation();
    const BasicBlocks blocks(program, place().begin, place().end);
    mark_shuffles(blocks);
    mark_swap_guesses();
    find_reconvergence(blocks);
    mark_waiting_loops();
    assign_rows(blocks);
    replace_registers();
}

void FunctionDecoder::append(const ptx::Instruction& instruction) {
    Operation operation = decode_instruction(instruction);
    operation.index = current_operation();
    context_.program.operations.push_back(operation);
    may_wait_.push_back(may_wait(instruction));
}

void FunctionDecoder::append_end() {
    Operation end;
    end.flow = is_kernel() ? Flow::exit : Flow::call_return;
    end.line = line_;
    end.index = current_operation();
    context_.program.operations.push_back(end);
    may_wait_.push_back(false);
}

/// Operation::immediate of a shuffle: 1 if what it gives may go unused.
void FunctionDecoder::mark_shuffles(const BasicBlocks& blocks) {
    std::optional<ShuffleResults> results;
    const std::uint32_t begin = place().begin;
    for (std::uint32_t i = 0; i < function_.body.size(); ++i) {
        if (function_.body[i].opcode != "shfl") continue;
        if (!results) results.emplace(function_);
        const std::uint32_t end = blocks.end(blocks.block_of(begin + i)) - begin;
        const bool may_be_dropped = results->may_be_dropped(i, std::min<std::size_t>(end, function_.body.size()));
        context_.program.operations[begin + i].immediate = may_be_dropped ? 1 : 0;
    }
}

/// The checks take a load that guesses for a compare-and-swap as if it were relaxed.
void FunctionDecoder::mark_swap_guesses() {
    for (const std::size_t guess : swap_guesses(function_)) {
        Operation& load = context_.program.operations[place().begin + guess];
        load.order = std::max(load.order, MemoryOrder::relaxed);
    }
}

/// True if a thread may get behind the last instruction.
bool FunctionDecoder::runs_off_the_end() const {
    if (function_.body.empty()) return true;
    const std::string& last = function_.body.back().opcode;
    const bool leaves = last == "ret" || last == "exit" || last == "bra" || last == "brx" || last == "trap";
    if (!leaves || function_.body.back().guard >= 0) return true;
    const auto end = static_cast<std::int32_t>(function_.body.size());
    const auto goes_to_end = [&](const ptx::Instruction& instruction) {
        return instruction.opcode == "bra" && !instruction.operands.empty() && instruction.operands[0].index == end;
    };
    return std::any_of(function_.body.begin(), function_.body.end(), goes_to_end);
}

Operation FunctionDecoder::decode_instruction(const ptx::Instruction& instruction) {
    Operation operation;
    line_ = line_index(instruction.location);
    operation.line = line_;
    current_is_guarded_ = instruction.guard >= 0;
    if (instruction.guard >= 0) {
        operation.guard = read_register(instruction.guard);
        operation.guard_negated = instruction.guard_negated;
    }
    if (!decode_control(instruction, operation) && !decode_core_data(instruction, operation)) {
        decode_data(instruction, operation);
    }
    if (!problem_.empty()) make_unsupported(operation);
    return operation;
}

/// The line of a location; the line before it if the location has none.
std::uint32_t FunctionDecoder::line_index(std::int32_t location) {
    SourceLine line = context_.linked.lines[module_].line_of(location);
    if (line.line == 0 && location >= 0) return line_;
    const auto next = static_cast<std::uint32_t>(context_.program.lines.size());
    const auto [known, is_new] = context_.lines.try_emplace({line.file, line.line}, next);
    if (is_new) context_.program.lines.push_back(std::move(line));
    return known->second;
}

void FunctionDecoder::make_unsupported(Operation& operation) {
    operation.flow = Flow::unsupported;
    operation.execute = nullptr;
    operation.extra = static_cast<std::uint32_t>(context_.program.messages.size());
    context_.program.messages.push_back(std::move(problem_));
    problem_.clear();
}

}  // namespace lanes::emulator
