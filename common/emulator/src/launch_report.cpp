#include "launch_report.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "position.hpp"

namespace lanes::emulator {

namespace {

LaunchStatus status_of(FaultKind kind) {
    switch (kind) {
        case FaultKind::out_of_bounds:
        case FaultKind::use_after_free:
            return LaunchStatus::illegal_address;
        case FaultKind::misaligned:
            return LaunchStatus::misaligned_address;
        case FaultKind::assertion:
            return LaunchStatus::assertion;
        case FaultKind::trap:
            return LaunchStatus::trap;
        case FaultKind::unsupported:
            return LaunchStatus::unsupported;
        case FaultKind::invalid_launch:
            return LaunchStatus::invalid_launch;
        // The kernel ran to its end, as it does on hardware.
        case FaultKind::race_shared:
        case FaultKind::race_global:
        case FaultKind::uninitialized_read:
            return LaunchStatus::success;
        default:
            return LaunchStatus::launch_failure;
    }
}

std::vector<LineCounters> by_line(const Program& program, const OperationCounters& counters) {
    std::map<std::pair<std::string, std::uint32_t>, CounterSet> lines;
    for (std::size_t i = 0; i < counters.size(); ++i) {
        if (counters[i] == CounterSet{}) continue;
        const SourceLine& line = program.lines[program.operations[i].line];
        lines[{line.file, line.line}] += counters[i];
    }
    std::vector<LineCounters> result;
    result.reserve(lines.size());
    for (const auto& [line, set] : lines) result.push_back({line.first, line.second, set});
    return result;
}

/// Faults in blocks behind the first one with an error depend on chance.
void drop_chance_faults(LaunchState& launch) {
    const std::uint64_t failed = launch.failed_block.load();
    const Dim3& grid = launch.config.grid;
    std::erase_if(launch.faults, [&](const Fault& fault) { return linear_index(fault.block, grid) > failed; });
}

auto order_of(const Fault& fault) {
    return std::make_tuple(fault.severity, fault.block.z, fault.block.y, fault.block.x, fault.thread.z, fault.thread.y,
                           fault.thread.x, fault.line);
}

}  // namespace

LaunchReport make_report(LaunchState& launch, const std::vector<OperationCounters>& counters) {
    OperationCounters sum(launch.program.operations.size());
    for (const OperationCounters& of_worker : counters) {
        for (std::size_t i = 0; i < of_worker.size(); ++i) sum[i] += of_worker[i];
    }
    LaunchReport report;
    for (const CounterSet& set : sum) report.totals += set;
    report.lines = by_line(launch.program, sum);
    drop_chance_faults(launch);
    std::stable_sort(launch.faults.begin(), launch.faults.end(),
                     [](const Fault& a, const Fault& b) { return order_of(a) < order_of(b); });
    for (const Fault& fault : launch.faults) {
        if (fault.severity != Severity::error || launch.status != LaunchStatus::success) continue;
        launch.status = status_of(fault.kind);
    }
    // A fault that the checks only find may also be raised and end a block: then the kernel did not run to its end.
    if (launch.stop.load() && launch.status == LaunchStatus::success) launch.status = LaunchStatus::launch_failure;
    report.status = launch.status;
    report.faults = std::move(launch.faults);
    return report;
}

}  // namespace lanes::emulator
