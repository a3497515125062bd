#include "decode.hpp"

#include <algorithm>
#include <memory>

#include "align.hpp"
#include "decode_function.hpp"
#include "special_registers.hpp"

namespace lanes::emulator {

namespace {

/// Local memory of a thread that can recurse, beside the frames that have a place of their own.
constexpr std::uint32_t recursion_stack_bytes = 32 * 1024;

/// Shared memory that every block keeps for the system, since compute capability 8.0.
constexpr std::uint32_t system_shared_bytes = 1024;

void set_parameters(Kernel& kernel, const ptx::Function& function) {
    for (const ptx::Variable& parameter : function.parameters) {
        const std::uint32_t offset = align_up(kernel.parameter_bytes, parameter.alignment);
        const std::uint32_t bytes = limited(parameter.bytes);
        kernel.parameters.push_back({offset, bytes, parameter.element});
        kernel.parameter_bytes = limited(offset + bytes);
    }
}

void set_limits(Kernel& kernel, const ptx::Function& function) {
    std::copy(std::begin(function.required_threads), std::end(function.required_threads), kernel.required_threads);
    std::copy(std::begin(function.maximum_threads), std::end(function.maximum_threads), kernel.maximum_threads);
}

bool any_recursive(const Program& program) {
    return std::any_of(program.functions.begin(), program.functions.end(),
                       [](const ProgramFunction& function) { return function.recursive; });
}

}  // namespace

Kernel decode_kernel(const LinkedModules& linked, const Definition& definition) {
    const std::vector<ReachedFunction> reached = reach_functions(linked, definition);
    const SharedLayout shared(linked, reached);
    const auto program = std::make_shared<Program>();
    RegisterFile registers(*program);
    ProgramContext context{linked, reached, shared, *program, registers};
    program->functions.resize(reached.size());
    std::vector<FunctionDecoder> decoders;
    for (std::uint32_t i = 0; i < reached.size(); ++i) decoders.emplace_back(context, i);
    for (FunctionDecoder& decoder : decoders) decoder.lay_out();
    for (FunctionDecoder& decoder : decoders) decoder.decode();
    if (any_recursive(*program)) {
        program->local_bytes = align_up(program->local_bytes, frame_alignment);
        program->stack_bytes = recursion_stack_bytes;
    }
    program->shared_variables = shared.variables();
    program->static_shared_bytes = shared.static_bytes();
    program->dynamic_shared_offset = shared.dynamic_offset();
    for (const SpecialRow& special : program->specials) {
        if (names_reserved_shared(special.name)) program->reserved_shared_bytes = system_shared_bytes;
    }

    const ptx::Function& function = linked.function(definition);
    Kernel kernel;
    kernel.name = function.name;
    set_parameters(kernel, function);
    set_limits(kernel, function);
    kernel.static_shared_bytes = shared.static_bytes();
    kernel.local_bytes = program->local_bytes;
    kernel.program = program;
    return kernel;
}

}  // namespace lanes::emulator
