/// @file
/// @brief Everything a chapter program includes, and its `main`: `return lanes::run(chapter, argc, argv);`.
///
/// A program includes this header in one source file, because run() and doctest's own code come with it. In a build of
/// the whole book they come from the library `lanes_harness` instead, which defines LANES_HARNESS_COMPILED: compiling
/// them anew takes longer than compiling a chapter.
#pragma once

// nvcc reads a source once for the host and once for every architecture. What is for the host alone is left out of the
// other passes, which saves more than a second in each.
#if !defined(__CUDA_ARCH__) && !defined(LANES_HARNESS_COMPILED)
#define LANES_HARNESS_HERE
#define DOCTEST_CONFIG_IMPLEMENT
#endif
#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "lanes/benchmark.hpp"
#include "lanes/cases.hpp"
#include "lanes/check.hpp"
#include "lanes/check_cases.hpp"
#include "lanes/compare.hpp"
#include "lanes/demonstration.hpp"
#include "lanes/device.hpp"
#include "lanes/device_array.hpp"
#include "lanes/expected_faults.hpp"
#include "lanes/launch.hpp"
#include "lanes/random.hpp"

namespace lanes {

/// The version of a CUDA toolkit: 13.0.88.
struct ToolkitVersion {
    int major = 0;  ///< 13
    int minor = 0;  ///< 0
    int build = 0;  ///< 88
};

/// The toolkit whose nvcc compiles this source file; zeros for another compiler.
#if defined(__CUDACC__)
constexpr ToolkitVersion this_toolkit{__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__};
#else
constexpr ToolkitVersion this_toolkit{};
#endif

/// What a chapter program consists of, besides its doctest cases.
struct Chapter {
    std::string name;                                ///< name of the program, "coalescing"
    std::string source;                              ///< its source: pass `__FILE__`
    std::function<CountedCases()> cases = {};        ///< launches to count; empty if there are none
    std::function<void(Benchmark&)> measure = {};    ///< times the kernels; empty if there is nothing to time
    std::vector<Demonstration> demonstrations = {};  ///< faults to see with `--show`; see demonstrate()
};

/// @brief The `main` of a chapter program: parses the options, finds the device, tests, measures, writes results.
///
/// Measures only if the tests passed: the time of a wrong program is worth nothing.
/// @param chapter the program
/// @param argc    as given to `main`
/// @param argv    as given to `main`
/// @param toolkit what compiled the kernels; leave it out
/// @return 0; 1 for a failed test, measurement or CUDA call, or an error that the emulator found; 2 for a wrong
///         command line
int run(const Chapter& chapter, int argc, char** argv, ToolkitVersion toolkit = this_toolkit);

}  // namespace lanes

#if defined(LANES_HARNESS_HERE)
#include "lanes/run.hpp"
#endif
