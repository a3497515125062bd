/// @file
/// @brief The command line of a chapter program: its own options, and doctest's, which are passed on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// A command line that makes no sense; `what()` says which part.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What the command line asks for.
struct Options {
    bool help = false;                 ///< `--help`
    bool tests = true;                 ///< run the doctest cases; not with `--bench-only` or `--counts`
    bool measurements = true;          ///< time the kernels; not with `--no-bench` or `--counts`
    bool quick = false;                ///< `--quick`
    bool counts = false;               ///< `--counts`
    bool query = false;                ///< doctest shall only list or explain something
    std::string json;                  ///< file of `--json`; empty if none
    std::string demonstration;         ///< name after `--show`; empty if none
    std::vector<std::string> doctest;  ///< doctest's options as given
};

namespace detail {

/// How doctest understands one of its options.
struct DoctestOption {
    std::string_view name;
    std::string_view short_name;
};

/// Options of doctest 2.4 that only print something.
inline constexpr std::array<DoctestOption, 6> doctest_queries{{{"help", "h"},
                                                               {"version", "v"},
                                                               {"count", "c"},
                                                               {"list-test-cases", "ltc"},
                                                               {"list-test-suites", "lts"},
                                                               {"list-reporters", "lr"}}};

/// Options of doctest 2.4 that need a value.
inline constexpr std::array<DoctestOption, 16> doctest_values{{{"source-file", "sf"},
                                                               {"source-file-exclude", "sfe"},
                                                               {"test-suite", "ts"},
                                                               {"test-suite-exclude", "tse"},
                                                               {"test-case", "tc"},
                                                               {"test-case-exclude", "tce"},
                                                               {"subcase", "sc"},
                                                               {"subcase-exclude", "sce"},
                                                               {"reporters", "r"},
                                                               {"out", "o"},
                                                               {"order-by", "ob"},
                                                               {"rand-seed", "rs"},
                                                               {"first", "f"},
                                                               {"last", "l"},
                                                               {"abort-after", "aa"},
                                                               {"subcase-filter-levels", "scfl"}}};

/// Options of doctest 2.4 that are on or off.
inline constexpr std::array<DoctestOption, 21> doctest_switches{{{"success", "s"},
                                                                 {"case-sensitive", "cs"},
                                                                 {"exit", "e"},
                                                                 {"duration", "d"},
                                                                 {"minimal", "m"},
                                                                 {"quiet", "q"},
                                                                 {"no-throw", "nt"},
                                                                 {"no-exitcode", "ne"},
                                                                 {"no-run", "nr"},
                                                                 {"no-intro", "ni"},
                                                                 {"no-version", "nv"},
                                                                 {"no-colors", "nc"},
                                                                 {"force-colors", "fc"},
                                                                 {"no-breaks", "nb"},
                                                                 {"no-skip", "ns"},
                                                                 {"gnu-file-line", "gfl"},
                                                                 {"no-path-filenames", "npf"},
                                                                 {"no-line-numbers", "nln"},
                                                                 {"no-debug-output", "ndo"},
                                                                 {"no-skipped-summary", "nss"},
                                                                 {"no-time-in-output", "ntio"}}};

template <std::size_t size>
bool contains(const std::array<DoctestOption, size>& options, std::string_view name) {
    for (const auto& option : options) {
        if (name == option.name || name == option.short_name) return true;
    }
    return false;
}

/// Takes an option for doctest, which itself ignores what it does not know.
inline void take_doctest_option(const std::string& argument, Options& options) {
    auto name = std::string_view(argument).substr(argument.find_first_not_of('-'));
    if (name.substr(0, 3) == "dt-") name.remove_prefix(3);
    const bool has_value = name.find('=') != std::string_view::npos;
    name = name.substr(0, name.find('='));
    if (contains(doctest_values, name) && !has_value) {
        throw UsageError(argument + " needs a value: " + argument + "=...");
    }
    if (contains(doctest_queries, name)) {
        options.query = true;
    } else if (!contains(doctest_values, name) && !contains(doctest_switches, name)) {
        throw UsageError("there is no option " + argument);
    }
    options.doctest.push_back(argument);
}

inline void require_consistent(const Options& options, bool no_bench, bool bench_only) {
    if (no_bench && bench_only) throw UsageError("--no-bench and --bench-only leave nothing to do");
    if (options.counts && (no_bench || bench_only || options.quick)) {
        throw UsageError("--counts neither tests nor times: it goes with --json only");
    }
    const bool tests_nothing = bench_only || options.counts || !options.demonstration.empty();
    if (tests_nothing && !options.doctest.empty() && !options.query) {
        throw UsageError("no test runs here: " + options.doctest.front() + " has nothing to act on");
    }
    if (!options.demonstration.empty() && (options.counts || no_bench || bench_only || !options.json.empty())) {
        throw UsageError("--show goes alone");
    }
}

/// Takes `--name VALUE` or `--name=VALUE`; `next` is the argument after. Returns how many arguments that used: 0, 1, 2.
inline std::size_t take_value(const std::string& name, const std::string& argument, const std::string* next,
                              std::string& value) {
    if (argument.rfind(name + "=", 0) == 0)
        value = argument.substr(name.size() + 1);
    else if (argument != name)
        return 0;
    else if (next != nullptr)
        value = *next;
    if (value.empty()) throw UsageError(name + " needs a value: " + name + " ...");
    return argument == name ? 2 : 1;
}

}  // namespace detail

/// The text of `--help`, after the line with the program's name.
inline constexpr std::string_view options_help =
    R"(Tests its kernels, then times them. Without a GPU it runs on the emulator.

  --json FILE         write measurements and counted cases to FILE
  --no-bench          test only
  --bench-only        time only
  --quick             fewer samples and smaller data
  --counts            launch each counted case once and nothing else, for a profiler
  --show NAME         run one of the program's faults on purpose
  --help              this text
  -tc=PATTERN         run the tests whose names match; -ltc lists them
  --dt-help           doctest's other options, which all work here

Environment: LANES_EMULATOR names the directory of the emulator's libcudart.
Exit status: 0 all right, 1 something failed, 2 wrong command line.
)";

/// @brief Reads a command line.
/// @param arguments without the program's name
/// @return what it asks for
/// @throws UsageError for an unknown option, a missing value, and options that contradict each other
inline Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    bool no_bench = false;
    bool bench_only = false;
    const std::map<std::string, bool*> switches{{"--help", &options.help},   {"-h", &options.help},
                                                {"--no-bench", &no_bench},   {"--bench-only", &bench_only},
                                                {"--quick", &options.quick}, {"--counts", &options.counts}};
    for (std::size_t i = 0; i < arguments.size();) {
        const auto& argument = arguments[i];
        const std::string* const next = i + 1 < arguments.size() ? &arguments[i + 1] : nullptr;
        std::size_t used = detail::take_value("--json", argument, next, options.json);
        if (used == 0) used = detail::take_value("--show", argument, next, options.demonstration);
        i += std::max<std::size_t>(used, 1);
        if (used > 0) continue;
        if (const auto found = switches.find(argument); found != switches.end()) {
            *found->second = true;
        } else if (argument.empty() || argument[0] != '-' || argument.find_first_not_of('-') == std::string::npos) {
            throw UsageError("unexpected argument '" + argument + "'");
        } else {
            detail::take_doctest_option(argument, options);
        }
    }
    detail::require_consistent(options, no_bench, bench_only);
    options.tests = !bench_only && !options.counts;
    options.measurements = !no_bench && !options.counts;
    return options;
}

}  // namespace lanes
