/// @file
/// @brief For tests of the checks: kernels in PTX with a line number for each instruction that matters.
#pragma once

#include "ptx_launch.hpp"

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lanes::emulator::tests {

/// A kernel `k(a, b)` with shared variables `first` and `second` of 64 and 1024 words. `body` sees the thread number in
/// %r0, the lane in %r2, four times the thread number in %r3, the addresses of `first` and of this thread's word of it
/// in %r4 and %r5, and a, b, and this thread's words of them in %rd0 to %rd3. It may use %r10 to %r29, %p0 to %p9,
/// %rd10 to %rd19. `LINE n` begins line n of the source.
inline std::string checked_kernel(std::string body) {
    for (std::size_t at = body.find("LINE "); at != std::string::npos; at = body.find("LINE ", at)) {
        const std::size_t end = body.find('\n', at);
        body.insert(end, " 1");
        body.replace(at, 4, ".loc 1");
    }
    return module_of(R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
    .reg .pred %p<10>;
    .reg .b16 %h<10>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<20>;
    .shared .align 16 .b8 first[256];
    .shared .align 16 .b8 second[4096];
    ld.param.u64 %rd0, [k_param_0];
    ld.param.u64 %rd1, [k_param_1];
    mov.u32 %r20, %ctaid.x;
    mov.u32 %r21, %ntid.x;
    mov.u32 %r22, %tid.x;
    mad.lo.s32 %r23, %r20, %r21, %r22;
    mov.u32 %r0, %r22;
    mov.u32 %r2, %laneid;
    shl.b32 %r3, %r0, 2;
    mov.u32 %r4, first;
    add.s32 %r5, %r4, %r3;
    mul.wide.u32 %rd2, %r23, 4;
    add.s64 %rd3, %rd1, %rd2;
    add.s64 %rd2, %rd0, %rd2;
)" + body + R"(
    ret;
}
)") + ".file 1 \"kernel.cu\"\n";
}

/// Kind, line and other line of a fault; the smaller line first.
using Place = std::tuple<FaultKind, std::uint32_t, std::uint32_t>;

/// What a launch is like.
struct Launch {
    std::uint32_t blocks = 1;
    std::uint32_t threads = 64;
    unsigned workers = 1;
    Checks checks = Checks::all();
};

/// Runs `checked_kernel(body)` on arrays a and b of 4096 words of value 1 and gives the report.
inline LaunchReport run_checked(const std::string& body, const Launch& launch = {}) {
    TestProgram program(checked_kernel(body));
    program.config.checks = launch.checks;
    program.threads = std::make_unique<StdThreads>(launch.workers);
    DeviceArray<std::uint32_t> a(program.memory, 4096, 1);
    DeviceArray<std::uint32_t> b(program.memory, 4096, 1);
    return program.launch("k", {launch.blocks, 1, 1}, {launch.threads, 1, 1}, a.address(), b.address());
}

/// The places of a report's faults.
inline std::set<Place> places_of(const LaunchReport& report) {
    std::set<Place> places;
    for (const Fault& fault : report.faults) {
        const auto [low, high] = std::minmax(fault.line, fault.other_line);
        places.emplace(fault.kind, fault.other_line == 0 ? fault.line : low, fault.other_line == 0 ? 0 : high);
        INFO(fault.message);
        CHECK(fault.severity == Severity::error);
    }
    return places;
}

/// The places of the faults of `checked_kernel(body)`.
inline std::set<Place> faults_of(const std::string& body, const Launch& launch = {}) {
    return places_of(run_checked(body, launch));
}

inline const std::set<Place> nothing{};

}  // namespace lanes::emulator::tests
