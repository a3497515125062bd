#include "ptx_launch.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

// One thread a block. Each block writes its number, waits until all have arrived at the launch's workspace, and adds
// its right neighbour's number to its own. With `leaves` != 0, block 0 returns first.
constexpr const char* ring = R"ptx(
.visible .entry ring(.param .u64 out, .param .u32 leaves)
{
    .reg .pred %p<4>;
    .reg .b32 %r<16>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd0, [out];
    ld.param.u32 %r0, [leaves];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x;
    setp.eq.u32 %p0, %r1, 0;
    setp.ne.and.u32 %p0, %r0, 0, %p0;
    @%p0 ret;
    mul.wide.u32 %rd1, %r1, 4;
    add.s64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1], %r1;
    mov.u32 %r3, %envreg2;
    mov.u32 %r4, %envreg1;
    cvt.u64.u32 %rd2, %r3;
    cvt.u64.u32 %rd3, %r4;
    bfi.b64 %rd4, %rd3, %rd2, 32, 32;
    add.s64 %rd4, %rd4, 4;
    atom.add.release.gpu.u32 %r5, [%rd4], 1;
WAIT:
    ld.acquire.gpu.u32 %r6, [%rd4];
    setp.lt.u32 %p1, %r6, %r2;
    @%p1 bra WAIT;
    add.u32 %r7, %r1, 1;
    rem.u32 %r7, %r7, %r2;
    mul.wide.u32 %rd5, %r7, 4;
    add.s64 %rd5, %rd0, %rd5;
    ld.volatile.global.u32 %r8, [%rd5];
    add.u32 %r9, %r8, %r1;
    mul.wide.u32 %rd6, %r2, 4;
    add.s64 %rd7, %rd1, %rd6;
    st.global.u32 [%rd7], %r9;
    ret;
}
)ptx";

constexpr std::uint32_t blocks = 24;

// The second half of the output: what each block computed.
std::vector<std::uint32_t> sums_of(const DeviceArray<std::uint32_t>& output) {
    const auto all = output.values();
    return {all.begin() + blocks, all.end()};
}

std::vector<std::uint32_t> expected_sums() {
    std::vector<std::uint32_t> sums;
    for (std::uint32_t block = 0; block < blocks; ++block) sums.push_back(block + (block + 1) % blocks);
    return sums;
}

}  // namespace

TEST_CASE("blocks of a cooperative launch wait for each other, on any number of host threads and in any order") {
    TestProgram program(module_of(ring));
    program.config.cooperative = true;
    std::vector<CounterSet> counts;
    for (const unsigned threads : {1U, 4U}) {
        program.threads = std::make_unique<StdThreads>(threads);
        DeviceArray<std::uint32_t> output(program.memory, 2 * blocks);
        const LaunchReport report = program.launch("ring", {blocks, 1, 1}, {1, 1, 1}, output.address(), 0U);
        for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
        CHECK(report.status == LaunchStatus::success);
        CHECK(sums_of(output) == expected_sums());
        counts.push_back(report.totals);
    }
    CHECK(counts[0] == counts[1]);
    program.config.schedule = {false, 5};
    DeviceArray<std::uint32_t> output(program.memory, 2 * blocks);
    CHECK(program.launch("ring", {blocks, 1, 1}, {1, 1, 1}, output.address(), 0U).status == LaunchStatus::success);
    CHECK(sums_of(output) == expected_sums());
}

TEST_CASE("a cooperative launch whose blocks wait for one that has ended is a deadlock, with the line that waits") {
    TestProgram program(module_of(ring));
    program.config.cooperative = true;
    DeviceArray<std::uint32_t> output(program.memory, 2 * blocks);
    const LaunchReport report = program.launch("ring", {blocks, 1, 1}, {1, 1, 1}, output.address(), 1U);
    CHECK(report.status == LaunchStatus::launch_failure);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::deadlock);
    CHECK(report.faults[0].message.find("1 of 24 blocks have ended") != std::string::npos);
}

TEST_CASE("a launch that is not cooperative has no workspace") {
    TestProgram program(module_of(ring));
    DeviceArray<std::uint32_t> output(program.memory, 2 * blocks);
    const LaunchReport report = program.launch("ring", {1, 1, 1}, {1, 1, 1}, output.address(), 0U);
    CHECK(report.status == LaunchStatus::illegal_address);
}
