#include "builtins.hpp"

#include <cstring>

#include "device_printf.hpp"
#include "frame.hpp"
#include "generic_memory.hpp"

namespace lanes::emulator {

namespace {

/// One lane's call.
struct LaneCall {
    RunningBlock& block;
    RunningWarp& warp;
    const Operation& operation;
    const CallSite& call;
    const FrameBases& bases;
    unsigned lane;

    std::uint64_t argument(std::size_t index) const {
        std::uint64_t value = 0;
        if (index >= call.arguments.size()) return value;
        const CallArgument& argument = call.arguments[index];
        std::memcpy(&value, argument_of(warp, argument, bases, lane), std::min<std::size_t>(argument.place.bytes, 8));
        return value;
    }

    void give_back(std::uint64_t value) const {
        if (call.returns.empty()) return;
        const CallArgument& result = call.returns[0];
        std::memcpy(argument_of(warp, result, bases, lane), &value, std::min<std::size_t>(result.place.bytes, 8));
    }
};

void print(const LaneCall& call) {
    const GenericMemory memory(call.warp, call.lane);
    std::string text;
    const int arguments = format_device_printf(memory, call.argument(0), call.argument(1), text);
    if (arguments < 0) {
        raise(call.warp, call.operation, call.lane, FaultKind::out_of_bounds, Severity::error,
              "printf reads its format, its arguments or a string outside of all memory");
        return;
    }
    LaunchState& launch = *call.block.launch;
    if (launch.config.print) {
        const Lock lock(launch.print_mutex);
        launch.config.print(text);
    }
    call.give_back(static_cast<std::uint32_t>(arguments));
}

/// __assertfail(message, file, line, function, character size)
void fail_assertion(const LaneCall& call) {
    const GenericMemory memory(call.warp, call.lane);
    const std::string condition = memory.string(call.argument(0)).value_or("?");
    const std::string file = memory.string(call.argument(1)).value_or("?");
    const std::string function = memory.string(call.argument(3)).value_or("?");
    const auto line = static_cast<std::uint32_t>(call.argument(2));
    raise(call.warp, call.operation, call.lane, FaultKind::assertion, Severity::error,
          file + ":" + std::to_string(line) + ": " + function + ": Assertion `" + condition + "` failed");
}

void allocate(const LaneCall& call) {
    const std::uint64_t bytes = call.argument(0);
    const Result<std::uint64_t> address =
        bytes == 0 ? Error{"nothing asked for"} : call.block.launch->memory.allocate(bytes);
    call.give_back(address ? *address : 0);
}

void release(const LaneCall& call) {
    const std::uint64_t address = call.argument(0);
    if (address == 0 || call.block.launch->memory.release(address)) return;
    raise(call.warp, call.operation, call.lane, FaultKind::out_of_bounds, Severity::error,
          "free of an address that device malloc did not give, or that was freed before");
}

}  // namespace

void call_builtin(RunningBlock& block, RunningWarp& warp, const Operation& operation, const CallSite& call) {
    const FrameBases bases(warp, block.launch->program.functions[call.caller]);
    for (LaneMask left = warp.control.current().mask; left != 0; left &= left - 1) {
        const LaneCall lane_call{block, warp, operation, call, bases, first_lane(left)};
        switch (call.builtin) {
            case Builtin::vprintf:
                print(lane_call);
                break;
            case Builtin::assertfail:
                fail_assertion(lane_call);
                break;
            case Builtin::malloc:
                allocate(lane_call);
                break;
            case Builtin::free:
                release(lane_call);
                break;
            case Builtin::none:
                break;
        }
    }
}

}  // namespace lanes::emulator
