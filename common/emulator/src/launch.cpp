#include <atomic>
#include <optional>
#include <utility>

#include "block_runner.hpp"
#include "check_session.hpp"
#include "cooperative_launch.hpp"
#include "launch_checks.hpp"
#include "launch_report.hpp"

namespace lanes::emulator {

namespace {

LaunchReport refuse(const Kernel& kernel, const std::string& complaint) {
    Fault fault;
    fault.kind = FaultKind::invalid_launch;
    fault.kernel = kernel.name;
    fault.message = kernel.name + ": launch with " + complaint;
    LaunchReport report;
    report.status = LaunchStatus::invalid_launch;
    report.faults.push_back(std::move(fault));
    return report;
}

/// Takes the next block as long as there is one, and none after a block that failed.
void work(LaunchState& launch, std::atomic<std::uint64_t>& next, OperationCounters& counters) {
    const std::uint64_t blocks = launch.config.grid.count();
    std::optional<BlockRunner> runner;
    while (true) {
        const std::uint64_t number = next.fetch_add(1);
        if (number >= blocks || launch.failed_block.load() < number) return;
        if (!runner) {
            counters.resize(launch.program.operations.size());
            runner.emplace(launch, counters);
        }
        runner->run(number);
    }
}

}  // namespace

LaunchReport launch(const Kernel& kernel, const LaunchConfig& config, DeviceMemory& memory, HostThreads& threads) {
    const std::string complaint = launch_complaint(kernel, config);
    if (!complaint.empty()) return refuse(kernel, complaint);
    LaunchState state{kernel, *kernel.program, config, memory};
    CheckSession checks(state);
    state.checks = &checks;
    const unsigned workers = config.cooperative || config.grid.count() == 1 ? 1 : threads.count();
    std::vector<OperationCounters> counters(workers);
    if (config.cooperative) {
        const std::string problem = run_together(state, counters.front());
        if (!problem.empty()) return refuse(kernel, problem);
        checks.report();
        return make_report(state, counters);
    }
    std::atomic<std::uint64_t> next{0};
    const auto work_of = [&](unsigned worker) { work(state, next, counters[worker]); };
    if (workers == 1) {
        work_of(0);
    } else {
        threads.run(work_of);
    }
    checks.report();
    return make_report(state, counters);
}

}  // namespace lanes::emulator
