#include <tuple>

#include "line_attribution.hpp"
#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

const char* const files = R"(
.file 1 "/home/user/project/main.cu"
.file 2 "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp"
.file 3 "/usr/local/cuda/include/cooperative_groups.h"
.file 4 "/home/user/project/helpers.cuh"
.section .debug_str
{
$L__info_string0:
.b8 115,104,102,108,0
}
)";

const CounterSet* counters_of(const LaunchReport& report, const std::string& file, std::uint32_t line) {
    for (const LineCounters& entry : report.lines) {
        if (entry.file == file && entry.line == line) return &entry.counters;
    }
    return nullptr;
}

LaunchReport run(const std::string& body) {
    TestProgram program(kernel_of(body) + files);
    DeviceArray<std::uint32_t> out(program.memory, 64, 0);
    LaunchReport report = program.launch("k", {1, 1, 1}, {64, 1, 1}, out.address());
    CHECK(report.faults.empty());
    return report;
}

}  // namespace

TEST_CASE("headers of the toolkit are known by their paths, wherever it is installed") {
    CHECK(is_toolkit_file("/usr/local/cuda-13.0/targets/x86_64-linux/include/cub/block/block_reduce.cuh"));
    CHECK(is_toolkit_file("/opt/nvidia/hpc/include/cuda/std/detail/libcxx/include/cmath"));
    CHECK(is_toolkit_file("/usr/local/cuda-13.0/include/cccl/cuda/__barrier/barrier_block_scope.h"));
    CHECK(is_toolkit_file("/usr/include/cooperative_groups.h"));
    CHECK(is_toolkit_file("/usr/local/cuda/include/crt/sm_90_rt.hpp"));
    CHECK(is_toolkit_file("/home/user/cuda-12.4/include/cuda_pipeline_helpers.h"));
    CHECK(!is_toolkit_file("/home/user/cuda-12.4/include/cuda_helpers.h"));
    CHECK(!is_toolkit_file("/home/user/cuda/main.cu"));
    CHECK(!is_toolkit_file("/home/user/project/include/lanes/kernels.cuh"));
    CHECK(!is_toolkit_file("chapters/01_coalescing/coalescing.cu"));
}

TEST_CASE("counts go to the line of each operation, and what has no line goes to none") {
    const LaunchReport report = run(R"(
        .loc 1 10 5
        add.u32 %r1, %r1, 1;
        add.u32 %r1, %r1, 1;
        .loc 4 3 0
        add.u32 %r1, %r1, 1;
        .loc 1 11 5
        add.u32 %r1, %r1, 1;
    )");
    const CounterSet* const line10 = counters_of(report, "/home/user/project/main.cu", 10);
    REQUIRE(line10 != nullptr);
    CHECK((*line10)[Counter::inst_executed] == 4);
    CHECK((*line10)[Counter::thread_inst_executed] == 128);
    REQUIRE(counters_of(report, "/home/user/project/helpers.cuh", 3) != nullptr);
    const CounterSet* const nowhere = counters_of(report, "", 0);
    REQUIRE(nowhere != nullptr);
    CHECK((*nowhere)[Counter::inst_executed] == 16);
    const CounterSet* const line11 = counters_of(report, "/home/user/project/main.cu", 11);
    REQUIRE(line11 != nullptr);
    CHECK((*line11)[Counter::inst_executed] == 2 + 2 * 4);
    CHECK((*line11)[Counter::global_st_requests] == 2);
    CounterSet sum;
    for (const LineCounters& entry : report.lines) sum += entry.counters;
    CHECK(sum == report.totals);
    for (std::size_t i = 1; i < report.lines.size(); ++i) {
        const LineCounters& before = report.lines[i - 1];
        CHECK(std::tie(before.file, before.line) < std::tie(report.lines[i].file, report.lines[i].line));
    }
}

TEST_CASE("what a toolkit header does belongs to the line that calls it") {
    const LaunchReport report = run(R"(
        .loc 1 20 5
        add.u32 %r1, %r1, 1;
        .loc 2 300 3, function_name $L__info_string0, inlined_at 1 21 9
        shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;
        .loc 3 50 3, function_name $L__info_string0, inlined_at 4 8 1
        .loc 2 310 3, function_name $L__info_string0, inlined_at 3 50 3
        add.u32 %r1, %r1, 1;
        .loc 1 22 5
    )");
    REQUIRE(counters_of(report, "/home/user/project/main.cu", 21) != nullptr);
    CHECK((*counters_of(report, "/home/user/project/main.cu", 21))[Counter::inst_executed] == 2);
    for (const LineCounters& entry : report.lines) CHECK(entry.file.find("include/") == std::string::npos);
}

TEST_CASE("a function of the user's own header is the innermost frame, not its caller") {
    const LaunchReport report = run(R"(
        .loc 4 7 3, function_name $L__info_string0, inlined_at 1 30 9
        add.u32 %r1, %r1, 1;
        .loc 1 31 5
    )");
    REQUIRE(counters_of(report, "/home/user/project/helpers.cuh", 7) != nullptr);
    CHECK(counters_of(report, "/home/user/project/main.cu", 30) == nullptr);
}

TEST_CASE("code that is in the toolkit alone is shown there") {
    const LaunchReport report = run(R"(
        .loc 2 300 3
        add.u32 %r1, %r1, 1;
        .loc 1 40 5
    )");
    CHECK(counters_of(report, "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp", 300) !=
          nullptr);
}

TEST_CASE("line 0 means the line before") {
    const LaunchReport report = run(R"(
        .loc 1 50 5
        add.u32 %r1, %r1, 1;
        .loc 1 0 5
        add.u32 %r1, %r1, 1;
        .loc 1 51 5
    )");
    REQUIRE(counters_of(report, "/home/user/project/main.cu", 50) != nullptr);
    CHECK((*counters_of(report, "/home/user/project/main.cu", 50))[Counter::inst_executed] == 4);
}
