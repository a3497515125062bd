#include "measurements.hpp"
#include "workload.hpp"

#include <thread_pool.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace lanes::benchmark {

namespace {

std::vector<Workload::Kernel> kernels_of(const Effort& effort) {
    const unsigned matrix = effort.size(128, 384);
    const unsigned array = effort.size(1U << 20, 1U << 23);
    return {matmul(16, matrix), matmul(32, matrix), reduction(array), copy(array / 2),
            fma_loop(effort.size(100, 1000))};
}

/// Launches, the first of which is not counted: it makes threads and touches memory.
std::vector<Workload::Run> repeat(Workload& workload, emulator::Checks checks, unsigned threads, unsigned samples) {
    runtime::ThreadPool pool(threads);
    workload.run(checks, pool);
    std::vector<Workload::Run> runs;
    for (unsigned sample = 0; sample < samples; ++sample) runs.push_back(workload.run(checks, pool));
    return runs;
}

Statistics statistics_over(const std::vector<Workload::Run>& runs,
                           const std::function<double(const Workload::Run&)>& value) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Workload::Run& run : runs) values.push_back(value(run));
    return statistics_of(std::move(values));
}

bool have_same_counts(const emulator::LaunchReport& left, const emulator::LaunchReport& right) {
    const auto same_line = [](const emulator::LineCounters& one, const emulator::LineCounters& other) {
        return one.file == other.file && one.line == other.line && one.counters == other.counters;
    };
    return left.totals == right.totals &&
           std::equal(left.lines.begin(), left.lines.end(), right.lines.begin(), right.lines.end(), same_line);
}

}  // namespace

std::vector<Speed> measure_speed(const Effort& effort) {
    std::vector<unsigned> thread_counts{1};
    if (effort.threads > 1) thread_counts.push_back(effort.threads);
    std::vector<Speed> speeds;
    for (Workload::Kernel& kernel : kernels_of(effort)) {
        Workload workload(std::move(kernel));
        for (const bool checked : {false, true}) {
            for (const unsigned threads : thread_counts) {
                const emulator::Checks checks = checked ? emulator::Checks::all() : emulator::Checks::none();
                const std::vector<Workload::Run> runs = repeat(workload, checks, threads, effort.samples);
                speeds.push_back({.kernel = workload.name(),
                                  .checked = checked,
                                  .threads = threads,
                                  .instructions = runs.front().instructions(),
                                  .per_core = statistics_over(
                                      runs, [](const auto& run) { return run.instructions() / run.cpu_seconds; }),
                                  .together = statistics_over(
                                      runs, [](const auto& run) { return run.instructions() / run.seconds; })});
            }
        }
    }
    return speeds;
}

std::vector<Scale> measure_scaling(const Effort& effort) {
    // A product costs about 4.1 thread instructions for each n * n * n: these are 1e6, 1e7 ... 1e10.
    std::vector<unsigned> sizes{64, 128, 288, 624, 1344};
    if (effort.quick) sizes.resize(3);
    std::vector<Scale> scales;
    for (const unsigned size : sizes) {
        Workload workload(matmul(16, size));
        const unsigned samples = size > 500 ? 1 : effort.samples;
        const std::vector<Workload::Run> runs = repeat(workload, emulator::Checks::all(), effort.threads, samples);
        scales.push_back({.instructions = runs.front().instructions(),
                          .nanoseconds = statistics_over(
                              runs, [](const auto& run) { return run.cpu_seconds / run.instructions() * 1e9; })});
    }
    return scales;
}

std::vector<Agreement> compare_counts(const Effort& effort) {
    constexpr unsigned least_threads = 4;  // more than cores do as well
    const Effort small{.quick = true, .threads = effort.threads, .samples = 1};
    std::vector<Agreement> agreements;
    for (Workload::Kernel& kernel : kernels_of(small)) {
        Workload workload(std::move(kernel));
        Agreement agreement{.kernel = workload.name(), .threads = {}, .different = {}};
        emulator::SingleThread one;
        const Workload::Run expected = workload.run(emulator::Checks::all(), one);
        for (unsigned threads = 1; threads <= std::max(least_threads, effort.threads); ++threads) {
            runtime::ThreadPool pool(threads);
            agreement.threads.push_back(threads);
            const Workload::Run run = workload.run(emulator::Checks::all(), pool);
            if (!have_same_counts(run.report, expected.report)) agreement.different.push_back(threads);
        }
        agreements.push_back(std::move(agreement));
    }
    return agreements;
}

}  // namespace lanes::benchmark
