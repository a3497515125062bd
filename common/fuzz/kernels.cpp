/// @file
/// @brief Fuzzes the interpreter with small kernels made from the bytes, and compares runs that must agree.
///
/// Set LANES_FUZZ_SHOW to see the kernel of an input.
#include "kernel_run.hpp"

#include "entry.hpp"

#include <thread_pool.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <span>

namespace {

using namespace lanes::emulator;
using namespace lanes::fuzz;

constexpr std::uint64_t lanes_of_a_warp = 32;

bool is_race(const Fault& fault) {
    return fault.kind == FaultKind::race_shared || fault.kind == FaultKind::race_global;
}

bool has_race(const Outcome& outcome) {
    return std::any_of(outcome.report.faults.begin(), outcome.report.faults.end(), is_race);
}

// A lane's access touches a sector or more only if it is no wider than one and aligned, so 32 lanes touch 32 at most.
void check_counts(const CounterSet& counts) {
    const auto at_most = [&](Counter less, std::uint64_t factor, Counter more, std::string_view property) {
        require(counts[less] <= factor * counts[more], property);
    };
    using enum Counter;
    at_most(thread_inst_executed, lanes_of_a_warp, inst_executed, "at most 32 lanes execute an instruction");
    at_most(thread_inst_executed_pred_on, 1, thread_inst_executed, "lanes that are predicated on are active");
    at_most(global_ld_sectors, lanes_of_a_warp, global_ld_requests, "a load requests at most 32 sectors");
    at_most(global_st_sectors, lanes_of_a_warp, global_st_requests, "a store requests at most 32 sectors");
    at_most(global_atomic_sectors, lanes_of_a_warp, global_atomic_requests, "an atomic requests at most 32 sectors");
    at_most(shared_ld_wavefronts_ideal, 1, shared_ld_wavefronts, "no load needs fewer wavefronts than the ideal");
    at_most(shared_st_wavefronts_ideal, 1, shared_st_wavefronts, "no store needs fewer wavefronts than the ideal");
    require(counts[shared_ld_conflicts] == counts[shared_ld_wavefronts] - counts[shared_ld_wavefronts_ideal],
            "bank conflicts of loads are the wavefronts beyond the ideal");
    require(counts[shared_st_conflicts] == counts[shared_st_wavefronts] - counts[shared_st_wavefronts_ideal],
            "bank conflicts of stores are the wavefronts beyond the ideal");
}

void check_report(const LaunchReport& report) {
    check_counts(report.totals);
    CounterSet sum;
    for (const LineCounters& line : report.lines) sum += line.counters;
    require(sum == report.totals, "the counts of the lines add up to the totals");
    for (const Fault& fault : report.faults) {
        require(!fault.message.empty(), "a fault has a message");
        require(fault.kind != FaultKind::invalid_launch, "the launch is a valid one");
    }
}

bool same_results(const Outcome& a, const Outcome& b) {
    return a.data == b.data && a.results == b.results && a.report.totals == b.report.totals &&
           a.report.status == b.report.status;
}

bool same_faults(const Outcome& a, const Outcome& b) {
    const auto same = [](const Fault& one, const Fault& other) {
        return one.message == other.message && one.kind == other.kind && one.occurrences == other.occurrences;
    };
    return std::equal(a.report.faults.begin(), a.report.faults.end(), b.report.faults.begin(), b.report.faults.end(),
                      same);
}

// Blocks that do not touch what others write are the same whoever runs them, races within a block or not.
void compare_host_threads(KernelRun& runs, const GeneratedKernel& kernel, const Outcome& on_one) {
    static lanes::runtime::ThreadPool two_threads(2);
    const Outcome on_two = runs.run({Checks::all(), true, &two_threads});
    check_report(on_two.report);
    if (!kernel.separate_blocks) return;
    require(on_one.report.status == on_two.report.status, "launches end alike for any number of host threads");
    if (on_one.report.status != LaunchStatus::success) return;
    require(same_results(on_one, on_two), "results are the same for any number of host threads");
    require(same_faults(on_one, on_two), "findings are the same for any number of host threads");
}

void compare_schedules(KernelRun& runs, const GeneratedKernel& kernel, const Outcome& in_lockstep) {
    SingleThread one_thread;
    const Outcome in_other_order = runs.run({Checks::all(), false, &one_thread});
    check_report(in_other_order.report);
    const auto finishes_in_order = [](const Outcome& outcome) {
        return outcome.report.status == LaunchStatus::success && !has_race(outcome);
    };
    if (kernel.orderly && finishes_in_order(in_lockstep) && finishes_in_order(in_other_order))
        require(same_results(in_lockstep, in_other_order), "without races the order of warps changes nothing");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteSource choices({data, size});
    const GeneratedKernel kernel = generate_kernel(choices);
    if (std::getenv("LANES_FUZZ_SHOW") != nullptr) std::cerr << kernel.text;
    KernelRun runs(kernel);
    SingleThread one_thread;
    const Outcome checked = runs.run({Checks::all(), true, &one_thread});
    check_report(checked.report);
    const Outcome unchecked = runs.run({Checks::none(), true, &one_thread});
    require(same_results(checked, unchecked) && checked.printed == unchecked.printed, "checks change no result");
    if (kernel.grid.count() > 1) compare_host_threads(runs, kernel, checked);
    compare_schedules(runs, kernel, checked);
    return 0;
}
