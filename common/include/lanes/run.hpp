/// @file
/// @brief run() and its steps; lanes/main.hpp includes this where they are compiled.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "lanes/emulator_fallback.hpp"
#include "lanes/main.hpp"
#include "lanes/options.hpp"
#include "lanes/report.hpp"
#include "lanes/snippet_hashes.hpp"

namespace lanes {

namespace detail {

/// How many test cases doctest's filters let through in the last run.
inline unsigned test_cases_selected = 0;

/// Listens to doctest, whose Context does not say how many cases it ran.
struct SelectionListener : doctest::IReporter {
    explicit SelectionListener(const doctest::ContextOptions& /*options*/) {}
    void report_query(const doctest::QueryData& /*data*/) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats& stats) override {
        test_cases_selected = stats.numTestCasesPassingFilters;
    }
    void test_case_start(const doctest::TestCaseData& /*data*/) override {}
    void test_case_reenter(const doctest::TestCaseData& /*data*/) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& /*stats*/) override {}
    void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
    void subcase_start(const doctest::SubcaseSignature& /*signature*/) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData& /*data*/) override {}
    void log_message(const doctest::MessageData& /*data*/) override {}
    void test_case_skipped(const doctest::TestCaseData& /*data*/) override {}
};

DOCTEST_REGISTER_LISTENER("lanes_selection", 1, SelectionListener);

/// Runs doctest; true if at least one case ran and none failed.
inline bool run_tests(const Options& options) {
    std::vector<const char*> arguments{"doctest"};
    for (const auto& argument : options.doctest) arguments.push_back(argument.c_str());
    doctest::Context context(static_cast<int>(arguments.size()), arguments.data());
    const bool passed = context.run() == 0;
    if (options.query || context.shouldExit()) return passed;
    if (test_cases_selected > 0) return passed;
    std::cerr << "No test ran: no name matches, or the program has none.\n";
    return false;
}

/// The command line without the directory of the program and without `--json`, which say nothing about the result.
inline std::string command_text(int argc, char** argv) {
    std::string text = std::filesystem::path(argv[0]).filename().string();
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--json")
            ++i;
        else if (argument.rfind("--json=", 0) != 0)
            text += " " + argument;
    }
    return text;
}

inline std::string version_text(const ToolkitVersion& version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.build);
}

inline Report report_of(const Chapter& chapter, const Device& device, const ToolkitVersion& toolkit,
                        const std::string& command) {
    Report report;
    report.program = chapter.name;
    report.provenance = {device.name,
                         device.compute_capability,
                         device.emulated,
                         device.multiprocessors,
                         device.l2_bytes,
                         device.driver,
                         device.kernel_driver,
                         device.runtime,
                         version_text(toolkit),
                         utc_now(),
                         default_seed,
                         std::filesystem::path(chapter.source).filename(),
                         command};
    report.sources = snippet_hashes(chapter.source);
    if (chapter.cases) report.cases = chapter.cases();
    return report;
}

inline Effort effort_of(const Options& options, const Device& device) {
    if (device.emulated) return Effort::emulated;
    return options.quick ? Effort::quick : Effort::full;
}

inline void launch_cases(const CountedCases& cases) {
    require_sound(cases);
    for (const auto& counted_case : cases) {
        std::cout << counted_case.name << std::endl;
        counted_case.launch();
        check_launch(counted_case.kernel);
    }
}

/// Faults that no call has reported yet: of kernels nobody waited for, and races, which no CUDA call reports.
inline void require_no_fault() {
    check_launch("one of the kernels");
    if (const auto errors = unexpected_errors(); errors > 0) {
        throw std::runtime_error("the emulator found " + std::to_string(errors) + " error" + (errors == 1 ? "" : "s") +
                                 "; `lanes run` shows them");
    }
}

/// Runs one fault on purpose; 1 if it was noticed, by CUDA or by the emulator, 0 if it passed in silence.
inline int run_demonstration(const Chapter& chapter, const std::string& name) {
    for (const auto& demonstration : chapter.demonstrations) {
        if (demonstration.name != name) continue;
        const ExpectedFaults faults;
        demonstration.run();
        check_launch(name);
        return faults.errors() > 0 ? 1 : 0;
    }
    std::string known;
    for (const auto& demonstration : chapter.demonstrations) known += " " + demonstration.name;
    throw UsageError("there is no demonstration " + name + "; there " +
                     (known.empty() ? std::string("are none") : "are:" + known));
}

/// All that follows the command line. Returns the exit status.
inline int run_on_device(const Chapter& chapter, const Options& options, const ToolkitVersion& toolkit,
                         const std::string& command) {
    const auto device = current_device();
    std::cout << chapter.name << " on " << device.description << "; random seed " << default_seed << std::endl;
    if (!options.demonstration.empty()) return run_demonstration(chapter, options.demonstration);
    auto report = report_of(chapter, device, toolkit, command);
    if (options.counts) launch_cases(report.cases);
    if (options.tests && !run_tests(options)) return 1;
    if (options.measurements && chapter.measure) {
        Benchmark benchmark(device, effort_of(options, device), std::cout);
        chapter.measure(benchmark);
        report.measurements = benchmark.measurements();
    }
    require_no_fault();
    const auto text = times_json(report);
    if (!options.json.empty()) write_file(options.json, text);
    return 0;
}

}  // namespace detail

// One program, one definition: see lanes/main.hpp.
int run(const Chapter& chapter, int argc, char** argv, ToolkitVersion toolkit) {  // NOLINT(misc-definitions-in-headers)
    try {
        const auto options = parse_options(std::vector<std::string>(argv + 1, argv + argc));
        if (options.help) {
            std::cout << chapter.name << " [options]\n" << options_help;
            return 0;
        }
        if (options.query) return detail::run_tests(options) ? 0 : 1;
        require_device(argv);
        return detail::run_on_device(chapter, options, toolkit, detail::command_text(argc, argv));
    } catch (const UsageError& error) {
        std::cerr << chapter.name << ": " << error.what() << "; --help lists the options\n";
        return 2;
    } catch (const std::exception& error) {
        std::cerr << chapter.name << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace lanes
