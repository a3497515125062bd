/// Threads that wait for each other in loops: they must get there, though they share a warp.

#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// A kernel(lock, count) in which every thread adds 1 to `count`, not atomically, while it holds `lock`.
std::string critical_section(const std::string& body) {
    return module_of(R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [k_param_0];
    ld.param.u64 %rd1, [k_param_1];
)" + body + R"(
    ret;
}
)");
}

void check_counts(const std::string& body, const Schedule& schedule) {
    TestProgram program(critical_section(body));
    DeviceArray<std::uint32_t> lock(program.memory, 1, 0);
    DeviceArray<std::uint32_t> count(program.memory, 1, 0);
    program.config.instruction_budget = 1'000'000'000;
    program.config.schedule = schedule;
    const LaunchReport report = program.launch("k", {2, 1, 1}, {96, 1, 1}, lock.address(), count.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(count[0] == 192);
    CHECK(lock[0] == 0);
}

const char* const work_inside_the_loop = R"(
LOOP:
    atom.global.cas.b32 %r1, [%rd0], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    ld.volatile.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd1], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd0], 0;
)";

const char* const release_inside_the_loop = R"(
    mov.u32 %r5, 0;
LOOP:
    atom.global.cas.b32 %r1, [%rd0], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra NEXT;
    ld.volatile.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd1], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd0], 0;
    mov.u32 %r5, 1;
NEXT:
    setp.eq.u32 %p2, %r5, 0;
    @%p2 bra LOOP;
)";

}  // namespace

TEST_CASE("a lock that its winner releases inside of the loop") {
    check_counts(release_inside_the_loop, {});
    for (const std::uint64_t seed : {1, 2, 3}) check_counts(release_inside_the_loop, {false, seed});
}

TEST_CASE("a lock whose winner waits behind the loop, where lock step would wait forever") {
    check_counts(work_inside_the_loop, {});
    for (const std::uint64_t seed : {1, 2, 3}) check_counts(work_inside_the_loop, {false, seed});
}

TEST_CASE("a lock taken in a function that is not inlined") {
    TestProgram program(module_of(R"(
.func acquire(.param .b64 acquire_param_0)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd0, [acquire_param_0];
LOOP:
    atom.cas.b32 %r1, [%rd0], 0, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra LOOP;
    ret;
}
)") + critical_section(R"(
    { .param .b64 param0;
      st.param.b64 [param0], %rd0;
      call.uni acquire, (param0); }
    ld.volatile.global.u32 %r2, [%rd1];
    add.u32 %r2, %r2, 1;
    st.volatile.global.u32 [%rd1], %r2;
    membar.gl;
    atom.global.exch.b32 %r3, [%rd0], 0;
)")
                            .substr(module_of("").size()));
    DeviceArray<std::uint32_t> lock(program.memory, 1, 0);
    DeviceArray<std::uint32_t> count(program.memory, 1, 0);
    program.config.instruction_budget = 1'000'000'000;
    const LaunchReport report = program.launch("k", {1, 1, 1}, {64, 1, 1}, lock.address(), count.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(count[0] == 64);
}

TEST_CASE("the first warp may wait for a flag that the last one sets") {
    const std::string body = R"(
        setp.ge.u32 %p1, %r0, 224;
        @%p1 bra SET;
    WAIT:
        ld.volatile.global.u32 %r3, [%rd0+1020];
        setp.ne.u32 %p2, %r3, 42;
        @%p2 bra WAIT;
        mov.u32 %r1, 1;
        bra.uni STORE;
    SET:
        mov.u32 %r1, 42;
    )";
    TestProgram program(kernel_of(body));
    DeviceArray<std::uint32_t> out(program.memory, 256, 0xdeadu);
    program.config.checks = Checks::none();  // the flag is stored like any other value: a race, but one that ends
    const LaunchReport report = program.launch("k", {}, {256, 1, 1}, out.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    for (std::uint32_t i = 0; i < 256; ++i) CHECK(out[i] == (i < 224 ? 1 : 42));
}

TEST_CASE("lanes of one warp may wait for each other in turn") {
    // lane i waits for lane i - 1; all lanes go round the loop until it is their turn
    TestProgram program(kernel_of(R"(
    LOOP:
        ld.volatile.global.u32 %r3, [%rd0+128];
        setp.ne.u32 %p1, %r3, %r2;
        @%p1 bra LOOP;
        add.u32 %r4, %r2, 1;
        st.volatile.global.u32 [%rd0+128], %r4;
        mov.u32 %r1, %r4;
    )"));
    DeviceArray<std::uint32_t> out(program.memory, 33, 0);
    program.config.instruction_budget = 1'000'000'000;
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(out[32] == 32);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(out[i] == i + 1);
}

TEST_CASE("a waiting loop may part and meet inside of each turn") {
    // lane 31 leaves at once and waits behind the loop: the others wait for what it stores there
    TestProgram program(kernel_of(R"(
        setp.eq.u32 %p1, %r2, 31;
        @%p1 bra BEHIND;
        and.b32 %r4, %r2, 1;
        setp.eq.u32 %p2, %r4, 0;
    LOOP:
        @%p2 bra EVEN;
        add.u32 %r5, %r5, 1;
    EVEN:
        ld.volatile.global.u32 %r3, [%rd0+128];
        setp.eq.u32 %p3, %r3, 0;
        @%p3 bra LOOP;
    BEHIND:
        st.volatile.global.u32 [%rd0+128], 1;
    )"));
    DeviceArray<std::uint32_t> out(program.memory, 33, 0);
    program.config.instruction_budget = 10'000'000;
    program.config.checks = Checks::none();
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(out[32] == 1);
}

TEST_CASE("a loop that never ends is stopped at its line") {
    TestProgram program(kernel_of(R"(
    .loc 1 77 0
    LOOP:
        add.u32 %r1, %r1, 0;
        bra.uni LOOP;
    )") + ".file 1 \"/home/user/loop.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    program.config.instruction_budget = 1'000'000;
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::launch_failure);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::instruction_budget);
    CHECK(report.faults[0].line == 77);
    CHECK(report.faults[0].file == "/home/user/loop.cu");
    CHECK(report.faults[0].message.starts_with("k, block (0,0,0), thread (0,0,0), loop.cu:77: "));
}

TEST_CASE("a loop that one lane never leaves is stopped as soon as one that none leaves") {
    TestProgram program(kernel_of(R"(
        setp.ne.u32 %p1, %r2, 3;
        @%p1 bra STORE;
    LOOP:
        ld.volatile.global.u32 %r3, [%rd0];
        bra.uni LOOP;
    )"));
    DeviceArray<std::uint32_t> out(program.memory, 32, 9);
    program.config.instruction_budget = 10'000'000;
    program.config.checks = Checks::none();  // lane 3 reads what lane 0 stores
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::instruction_budget);
    CHECK(report.faults[0].thread == Dim3{3, 0, 0});
}

TEST_CASE("a loop with two branches back lets others have a turn, though one of them is no longer taken") {
    // Warp 0 waits for what warp 1 writes.
    const auto values = run_threads(R"(
        st.volatile.shared.u32 [flag], 0;
        bar.sync 0;
        setp.ge.u32 %p1, %r0, 32;
        @%p1 bra SET;
    WAIT:
        ld.volatile.shared.u32 %r3, [flag];
        setp.eq.u32 %p2, %r3, 7;
        @%p2 bra DONE;
        add.u32 %r4, %r4, 1;
        setp.lt.u32 %p3, %r4, 16;
        @%p3 bra WAIT;
        nanosleep.u32 100;
        bra.uni WAIT;
    SET:
        st.volatile.shared.u32 [flag], 7;
    DONE:
        mov.u32 %r1, 1;
    )",
                                    64, nullptr, 1, ".shared .align 4 .b8 flag[4];\n");
    CHECK(values == std::vector<std::uint32_t>(64, 1));
}

TEST_CASE("an endless loop through a table of branches is stopped too") {
    TestProgram program(kernel_of(R"(
        mov.u32 %r3, 0;
    TABLE: .branchtargets LOOP, STORE;
    LOOP:
        add.u32 %r1, %r1, 1;
        brx.idx %r3, TABLE;
    )"));
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    program.config.instruction_budget = 1'000'000;
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::instruction_budget);
}
