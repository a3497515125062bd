/// Names of faults, and their way into the launch's report.

#include <lanes/emulator/fault.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include "execution.hpp"
#include "fault_text.hpp"
#include "position.hpp"

namespace lanes::emulator {

std::string_view name_of(FaultKind kind) {
    switch (kind) {
        case FaultKind::race_shared:
            return "race_shared";
        case FaultKind::race_global:
            return "race_global";
        case FaultKind::out_of_bounds:
            return "out_of_bounds";
        case FaultKind::use_after_free:
            return "use_after_free";
        case FaultKind::misaligned:
            return "misaligned";
        case FaultKind::uninitialized_read:
            return "uninitialized_read";
        case FaultKind::barrier_divergence:
            return "barrier_divergence";
        case FaultKind::barrier_after_exit:
            return "barrier_after_exit";
        case FaultKind::invalid_mask:
            return "invalid_mask";
        case FaultKind::deadlock:
            return "deadlock";
        case FaultKind::instruction_budget:
            return "instruction_budget";
        case FaultKind::invalid_launch:
            return "invalid_launch";
        case FaultKind::assertion:
            return "assert";
        case FaultKind::trap:
            return "trap";
        case FaultKind::unsupported:
            return "unsupported";
    }
    return "unsupported";
}

std::string fault_text(const Fault& fault, const std::string& what) {
    std::string text = fault.kernel + ", block " + text_of(fault.block) + ", thread " + text_of(fault.thread);
    if (fault.line != 0) text += ", " + text_of(SourceLine{fault.file, fault.line});
    return text + ": " + what;
}

namespace {

bool same_place(const Fault& a, const Fault& b) {
    return a.kind == b.kind && a.severity == b.severity && a.line == b.line && a.other_line == b.other_line &&
           a.file == b.file && a.other_file == b.other_file;
}

/// Adds a fault or counts a repetition. Of repetitions the one in the lowest block is kept.
void record(LaunchState& launch, Fault fault) {
    const Lock lock(launch.mutex);
    const auto known = std::find_if(launch.faults.begin(), launch.faults.end(),
                                    [&](const Fault& other) { return same_place(fault, other); });
    if (known == launch.faults.end()) {
        launch.faults.push_back(std::move(fault));
        return;
    }
    const std::uint64_t occurrences = known->occurrences + 1;
    const Dim3& grid = launch.config.grid;
    if (linear_index(fault.block, grid) < linear_index(known->block, grid)) *known = std::move(fault);
    known->occurrences = occurrences;
}

/// Stops this block, and every block after it.
void stop(Block& block) {
    block.stopped = true;
    std::atomic<std::uint64_t>& failed = block.launch->failed_block;
    std::uint64_t lowest = failed.load();
    while (block.number < lowest && !failed.compare_exchange_weak(lowest, block.number)) {
    }
    block.launch->stop.store(true);
}

}  // namespace

void raise(Warp& warp, const Operation& operation, unsigned lane, FaultKind kind, Severity severity, std::string what,
           const Operation* other) {
    Block& block = *warp.block;
    LaunchState& launch = *block.launch;
    Fault fault;
    fault.kind = kind;
    fault.severity = severity;
    fault.kernel = launch.kernel.name;
    fault.block = block.index;
    fault.thread = position_in(launch.config.block, warp.index * warp_size + lane);
    const SourceLine& line = launch.program.lines[operation.line];
    fault.file = line.file;
    fault.line = line.line;
    if (other != nullptr) {
        const SourceLine& other_line = launch.program.lines[other->line];
        fault.other_file = other_line.file;
        fault.other_line = other_line.line;
    }
    fault.message = fault_text(fault, what);
    record(launch, std::move(fault));
    if (severity == Severity::error) stop(block);
}

}  // namespace lanes::emulator
