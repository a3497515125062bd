/// Calls of device functions and the way back.

#include <algorithm>
#include <cstring>
#include <utility>

#include "builtins.hpp"
#include "fill_unset.hpp"
#include "frame.hpp"
#include "interpret.hpp"
#include "position.hpp"

namespace lanes::emulator {

namespace {

/// Nested calls of recursive functions, whatever the size of their frames.
constexpr std::uint32_t maximum_depth = 4096;

/// Copies one lane's value from the caller to the callee's frame, or back.
void hand_over(RunningWarp& warp, unsigned lane, const CallArgument& argument, const FramePart& part,
               const FrameBases& caller, const FrameBases& callee, bool back) {
    const std::uint32_t bytes = std::min(argument.place.bytes, part.bytes);
    std::byte* const outside = argument_of(warp, argument, caller, lane);
    std::byte* const inside = local_of(warp, lane) + callee.begin[lane] + part.offset;
    std::memcpy(back ? outside : inside, back ? inside : outside, bytes);
}

void hand_over(RunningWarp& warp, LaneMask lanes, const std::vector<CallArgument>& arguments,
               const std::vector<FramePart>& parts, const FrameBases& caller, const FrameBases& callee, bool back) {
    const std::size_t count = std::min(arguments.size(), parts.size());
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
        for (std::size_t i = 0; i < count; ++i) {
            hand_over(warp, first_lane(left), arguments[i], parts[i], caller, callee, back);
        }
    }
}

ActivationIndex new_activation(RunningWarp& warp) {
    if (warp.free_activations.empty()) {
        warp.activations.emplace_back();
        return static_cast<ActivationIndex>(warp.activations.size() - 1);
    }
    const ActivationIndex index = warp.free_activations.back();
    warp.free_activations.pop_back();
    return index;
}

/// Gives lanes a frame on their stacks. The function's rows have been saved.
/// @return a lane whose stack is too small, or warp_size
unsigned push_frames(RunningWarp& warp, const Program& program, const ProgramFunction& function, LaneMask lanes) {
    std::uint64_t* const bases = warp.row<std::uint64_t>(function.frame_base);
    for (LaneMask left = lanes; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (warp.stack_used[lane] + function.frame_bytes > program.stack_bytes) return lane;
        bases[lane] = program.local_bytes + warp.stack_used[lane];
        warp.stack_used[lane] += function.frame_bytes;
        fill_unset(local_of(warp, lane) + bases[lane], function.frame_bytes);
    }
    return warp_size;
}

/// Bytes of a whole row.
std::size_t row_bytes(const RegisterRow& row) {
    return row.width == 0 ? sizeof(LaneMask) : std::size_t{row.width} * warp_size;
}

/// Keeps the function's rows, one behind the other.
void save_rows(RunningWarp& warp, const ProgramFunction& function, Activation& activation) {
    activation.saved_rows.clear();
    for (const RegisterRow& row : function.rows) {
        const std::byte* const begin = warp.registers + row.slot;
        activation.saved_rows.insert(activation.saved_rows.end(), begin, begin + row_bytes(row));
    }
}

void restore_predicate(LaneMask& predicate, const std::byte* saved, LaneMask lanes) {
    LaneMask values = 0;
    std::memcpy(&values, saved, sizeof values);
    predicate = (predicate & ~lanes) | (values & lanes);
}

void restore_rows(RunningWarp& warp, const ProgramFunction& function, const Activation& activation, LaneMask lanes) {
    const std::byte* saved = activation.saved_rows.data();
    for (const RegisterRow& row : function.rows) {
        if (row.width == 0) restore_predicate(warp.predicate(row.slot), saved, lanes);
        for (LaneMask left = row.width == 0 ? 0 : lanes; left != 0; left &= left - 1) {
            const std::size_t offset = std::size_t{first_lane(left)} * row.width;
            std::memcpy(warp.registers + row.slot + offset, saved + offset, row.width);
        }
        saved += row_bytes(row);
    }
}

void overflow(RunningWarp& warp, const Operation& operation, const ProgramFunction& function, unsigned lane,
              std::uint32_t depth) {
    raise(warp, operation, lane, FaultKind::out_of_bounds, Severity::error,
          "the call of " + function.name + " is number " + std::to_string(depth) +
              " of its nest and no longer fits on the thread's stack of " +
              std::to_string(warp.block->launch->program.stack_bytes) + " bytes: does the recursion end?");
}

/// The current group enters a function.
bool enter(RunningBlock& block, RunningWarp& warp, const Operation& operation, std::uint32_t callee_index) {
    const Program& program = block.launch->program;
    const CallSite& call = program.calls[operation.extra];
    const ProgramFunction& caller = program.functions[call.caller];
    const ProgramFunction& callee = program.functions[callee_index];
    const LaneMask lanes = warp.control.current().mask;
    const ActivationIndex outer = warp.control.current().activation;
    const std::uint32_t depth = outer == in_kernel ? 1 : warp.activations[outer].depth + 1;
    const ActivationIndex index = new_activation(warp);
    Activation& activation = warp.activations[index];
    activation = {callee_index, operation.extra, outer, depth, lanes, std::move(activation.saved_rows)};
    const FrameBases caller_bases(warp, caller);
    if (callee.recursive) {
        save_rows(warp, callee, activation);
        const unsigned lane = depth > maximum_depth ? first_lane(lanes) : push_frames(warp, program, callee, lanes);
        if (lane != warp_size) {
            overflow(warp, operation, callee, lane, depth);
            return false;
        }
    }
    hand_over(warp, lanes, call.arguments, callee.parameters, caller_bases, FrameBases(warp, callee), false);
    warp.control.add_join(warp.control.current().pc + 1, true);
    warp.control.current().activation = index;
    warp.control.current().pc = callee.begin;
    return true;
}

/// Calls by address: the first lane's function, for all lanes that call the same. The others call when it is their
/// turn.
bool enter_by_address(RunningBlock& block, RunningWarp& warp, const Operation& operation, const CallSite& call) {
    Reconvergence& control = warp.control;
    const LaneMask mask = control.current().mask;
    const std::uint64_t* const addresses = warp.row<std::uint64_t>(call.target);
    const std::uint64_t address = addresses[first_lane(mask)];
    LaneMask same = 0;
    for (LaneMask left = mask; left != 0; left &= left - 1) {
        const unsigned lane = first_lane(left);
        if (addresses[lane] == address) same |= LaneMask{1} << lane;
    }
    const std::vector<ProgramFunction>& functions = block.launch->program.functions;
    const auto callee = std::find_if(functions.begin() + 1, functions.end(),
                                     [&](const ProgramFunction& function) { return function.address == address; });
    if (callee == functions.end()) {
        raise(warp, operation, first_lane(mask), FaultKind::out_of_bounds, Severity::error,
              "call by a pointer that is the address of no device function: " + text_of_hex(address));
        return false;
    }
    if (same != mask) {
        if (control.stop_pc() != control.current().pc + 1) control.add_join(control.current().pc + 1, false);
        control.split(mask & ~same);
    }
    return enter(block, warp, operation, static_cast<std::uint32_t>(callee - functions.begin()));
}

}  // namespace

bool step_call(RunningBlock& block, RunningWarp& warp, const Operation& operation) {
    const CallSite& call = block.launch->program.calls[operation.extra];
    if (call.builtin != Builtin::none) {
        call_builtin(block, warp, operation, call);
        ++warp.control.current().pc;
        return true;
    }
    if (call.function < 0) return enter_by_address(block, warp, operation, call);
    return enter(block, warp, operation, static_cast<std::uint32_t>(call.function));
}

bool step_return(RunningBlock& block, RunningWarp& warp, LaneMask lanes) {
    const Program& program = block.launch->program;
    ++warp.control.current().pc;  // of the lanes that stay
    const ActivationIndex index = warp.control.current().activation;
    Activation& activation = warp.activations[index];
    const ProgramFunction& function = program.functions[activation.function];
    const CallSite& call = program.calls[activation.call];
    const FrameBases inside(warp, function);
    if (function.recursive) {
        restore_rows(warp, function, activation, lanes);
        for (LaneMask left = lanes; left != 0; left &= left - 1) {
            warp.stack_used[first_lane(left)] -= function.frame_bytes;
        }
    }
    const FrameBases outside(warp, program.functions[call.caller]);
    hand_over(warp, lanes, call.returns, function.returns, outside, inside, true);
    activation.lanes &= ~lanes;
    if (activation.lanes == 0) warp.free_activations.push_back(index);
    return warp.control.return_from_call(lanes);
}

void leave_activations(RunningWarp& warp, ActivationIndex innermost, LaneMask lanes) {
    for (ActivationIndex index = innermost; index != in_kernel;) {
        Activation& activation = warp.activations[index];
        const ActivationIndex caller = activation.caller;
        activation.lanes &= ~lanes;
        if (activation.lanes == 0) warp.free_activations.push_back(index);
        index = caller;
    }
}

}  // namespace lanes::emulator
