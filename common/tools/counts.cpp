/// @file
/// @brief lanes-counts: puts the counts of a profiler or of the emulator beside a program's cases, or compares two
/// such files.
#include <CLI/CLI.hpp>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare_counts.hpp"
#include "counted_launches.hpp"
#include "json_file.hpp"
#include "merge_counts.hpp"
#include "ncu_csv.hpp"
#include "run_tool.hpp"

namespace {

using namespace lanes::tools;

/// The command line.
struct Request {
    std::string cases;
    std::string ncu;
    std::string profiler;
    std::string emulator;
    std::string output;
    std::vector<std::string> compare;
    std::vector<std::string> counters;
    bool predicted = false;
};

Json read_with_schema(const std::string& path, const std::string& schema) {
    Json json = read_json(path);
    if (!json.is_object() || json.value("schema", "") != schema) {
        throw std::runtime_error(path + " is not a file of the schema " + schema);
    }
    return json;
}

int merge(const Request& request) {
    const auto times = read_with_schema(request.cases, "thirty-two-lanes/times/1");
    const bool by_emulator = !request.emulator.empty();
    if (times.at("provenance").at("emulated") != by_emulator) {
        throw std::runtime_error(request.cases + (by_emulator ? " was not" : " was") + " written on the emulator");
    }
    const auto launches = by_emulator ? launches_of_emulator(read_json(request.emulator), request.emulator)
                                      : launches_of_ncu(read_text(request.ncu), request.ncu);
    write_json(request.output, merge_counts(times, launches, by_emulator ? "emulator" : request.profiler));
    return 0;
}

int compare(const Request& request) {
    const std::string schema = "thirty-two-lanes/counts/1";
    const auto result =
        compare_counts(read_with_schema(request.compare[0], schema), read_with_schema(request.compare[1], schema),
                       request.counters, request.predicted);
    for (const auto& difference : result.differences) std::cout << difference << '\n';
    std::cout << result.compared << " counts compared, " << result.differences.size() << " differences\n";
    return result.differences.empty() ? 0 : 1;
}

void add_options(CLI::App& app, Request& request) {
    app.footer(
        "Merge:   lanes-counts --cases times.json --ncu ncu.csv --profiler \"Nsight Compute 2025.3\" --output FILE\n"
        "         lanes-counts --cases times.json --emulator lanes.json --output FILE\n"
        "Compare: lanes-counts --compare A.counts.json B.counts.json [--counters NAME,NAME | --predicted]\n\n"
        "ncu.csv comes from: ncu --csv --page raw --print-units base --metrics NAME.sum,... PROGRAM --counts --json "
        "times.json\n"
        "lanes.json comes from: lanes run --json lanes.json PROGRAM --counts --json times.json\n"
        "Exit status: 0, 1 for differences or wrong files, 2 for a wrong command line.");
    auto* const cases = app.add_option("--cases", request.cases, "What the program wrote with --counts --json");
    auto* const ncu = app.add_option("--ncu", request.ncu, "CSV of Nsight Compute's raw page");
    auto* const profiler = app.add_option("--profiler", request.profiler, "Name and version of the profiler");
    auto* const emulator = app.add_option("--emulator", request.emulator, "Report of `lanes run --json`");
    auto* const output = app.add_option("--output", request.output, "Counts file to write");
    auto* const comparison = app.add_option("--compare", request.compare, "Two counts files")->expected(2);
    auto* const counters = app.add_option("--counters", request.counters, "Counters to compare, with commas");
    counters->delimiter(',')->needs(comparison);
    app.add_flag("--predicted", request.predicted, "Compare the counters that each case of the first file predicts")
        ->needs(comparison)
        ->excludes(counters);
    cases->needs(output)->excludes(comparison);
    output->needs(cases);
    ncu->needs(profiler)->needs(cases)->excludes(emulator);
    profiler->needs(ncu);
    emulator->needs(cases);
}

int run(const Request& request) {
    if (!request.compare.empty()) return compare(request);
    if (request.cases.empty()) throw CLI::RequiredError("--cases or --compare");
    if (request.ncu.empty() && request.emulator.empty()) throw CLI::RequiredError("--ncu or --emulator");
    return merge(request);
}

}  // namespace

/// Merges or compares; see --help.
int main(int argc, char** argv) {
    CLI::App app("Counts of kernel launches: puts them beside a program's cases, or compares two devices.",
                 "lanes-counts");
    Request request;
    add_options(app, request);
    return run_tool(app, argc, argv, [&] { return run(request); });
}
