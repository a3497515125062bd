/// @file
/// @brief lanes-bench: how fast the emulator is, what its checks cost, and whether its counts can be relied on.

#include "report.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace lanes::benchmark;

constexpr int status_different = 1;  ///< counts depend on the number of host threads
constexpr int status_failed = 2;     ///< the benchmark could not be run

constexpr const char* footer = R"(
A thread instruction is one PTX instruction of one thread; all of them are counted in every row.
  Speed      tiled matrix products, a reduction, a copy and arithmetic alone: without and with all checks
  Scaling    cost of an instruction in launches of 1e6 to 1e10 of them (1e8 with --quick)
  Counts     the same for every number of host threads? Exit status 1 if not
  Memory     resident bytes of the checks for each byte of device memory touched
  Start-up   a trivial CUDA program under `lanes run`, from start to exit
  Oclgrind   the same matrix product in OpenCL, where oclgrind is installed
Median of several launches; the spread is (maximum - minimum) / median. A machine that does other things
at the same time shows a large spread and less speed.
  lanes-bench --quick
  lanes-bench --json speed.json
)";

Report run(const Effort& effort, Provenance provenance) {
    Report report;
    // Before any launch: each kernel gets a process that has done nothing yet.
    report.memory = measure_memory(effort);
    report.provenance = std::move(provenance);
    print(std::cout, report.provenance);
    report.speeds = measure_speed(effort);
    print(std::cout, report.speeds);
    report.scales = measure_scaling(effort);
    print(std::cout, report.scales);
    report.agreements = compare_counts(effort);
    print(std::cout, report.agreements);
    print(std::cout, report.memory);
    report.start_up = measure_start_up(effort);
    print_start_up(std::cout, report.start_up);
    report.oclgrind = measure_oclgrind(effort);
    print(std::cout, report.oclgrind);
    return report;
}

int main_checked(int argc, char** argv) {
    CLI::App app("Measures the emulator: speed, scaling, memory of its checks, start-up", "lanes-bench");
    Effort effort;
    effort.threads = std::max(1U, std::thread::hardware_concurrency());
    std::string json;
    app.add_flag("--quick", effort.quick, "Small problems and few repetitions: a look, not a measurement");
    app.add_option("--threads", effort.threads, "Host threads where several are used, all cores if not given")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    CLI::Option* const samples =
        app.add_option("--samples", effort.samples, "Launches of which the median is taken; 7, or 3 with --quick")
            ->check(CLI::Range(1, 1000))
            ->type_name("N");
    app.add_option("--json", json, "Write all results to a file")->type_name("FILE");
    app.footer(footer);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : status_failed;
    }
    if (effort.quick && samples->count() == 0) effort.samples = 3;
    // Opened first: a name that cannot be written should not cost a minute.
    std::ofstream file;
    if (!json.empty()) file.open(json);
    if (!json.empty() && !file) throw std::runtime_error("cannot write " + json);
    const Report report = run(effort, provenance_of(argc, argv));
    if (!json.empty()) file << to_json(report).dump(2) << '\n';
    if (!json.empty() && !file.flush()) throw std::runtime_error("cannot write " + json);
    return report.counts_agree() ? 0 : status_different;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return main_checked(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "lanes-bench: error: " << error.what() << '\n';
        return status_failed;
    }
}
