#include <functional>

#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

const char* const shared_words = ".shared .align 4 .b8 words[4096];\n";

/// Launches one block of `kernel_of(body)` with lines of a file, and expects exactly one fault.
Fault only_fault(const std::string& body, std::uint32_t threads, LaunchStatus* status = nullptr,
                 const Schedule& schedule = {}) {
    TestProgram program(kernel_of(body, shared_words) + ".file 1 \"barrier.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, threads, 0);
    program.config.schedule = schedule;
    const LaunchReport report = program.launch("k", {1, 1, 1}, {threads, 1, 1}, out.address());
    if (status != nullptr) *status = report.status;
    REQUIRE(report.faults.size() == 1);
    INFO(report.faults[0].message);
    return report.faults[0];
}

/// Each thread writes its number to shared memory and reads that of thread (i + 33) mod n.
std::string neighbour(const std::string& barrier, std::uint32_t threads) {
    return R"(
        mov.u32 %r3, words;
        shl.b32 %r4, %r0, 2;
        add.u32 %r4, %r3, %r4;
        add.u32 %r6, %r22, 1;
        st.shared.u32 [%r4], %r6;
    )" + barrier +
           R"(
        add.u32 %r5, %r22, 33;
        rem.u32 %r5, %r5, )" +
           std::to_string(threads) + R"(;
        shl.b32 %r5, %r5, 2;
        add.u32 %r5, %r3, %r5;
        ld.shared.u32 %r1, [%r5];
    )";
}

}  // namespace

TEST_CASE("__syncthreads makes every thread's store visible to all") {
    for (const std::uint32_t threads : {64u, 96u, 129u, 1024u}) {
        LaunchReport report;
        const auto values = run_threads(neighbour("bar.sync 0;\n", threads), threads, &report, 1, shared_words);
        for (std::uint32_t i = 0; i < threads; ++i) CHECK(values[i] == (i + 33) % threads + 1);
        CHECK(report.totals[Counter::barriers] == (threads + 31) / 32);
    }
}

TEST_CASE("without the barrier the later warp's store is missing, in some order of warps") {
    TestProgram program(kernel_of(neighbour("", 64), shared_words));
    DeviceArray<std::uint32_t> out(program.memory, 64, 0);
    program.config.checks = Checks::none();
    CHECK(program.launch("k", {1, 1, 1}, {64, 1, 1}, out.address()).faults.empty());
    CHECK(out[0] != 34);
}

TEST_CASE("a barrier in a loop that all threads turn equally often") {
    // a prefix sum by doubling steps, with two barriers a step
    const auto values = run_threads(R"(
        mov.u32 %r3, words;
        shl.b32 %r4, %r0, 2;
        add.u32 %r4, %r3, %r4;
        st.shared.u32 [%r4], %r0;
        mov.u32 %r5, 1;
    STEP:
        bar.sync 0;
        mov.u32 %r7, 0;
        setp.ge.u32 %p1, %r0, %r5;
        @!%p1 bra NONE;
        sub.u32 %r6, %r0, %r5;
        shl.b32 %r6, %r6, 2;
        add.u32 %r6, %r3, %r6;
        ld.shared.u32 %r7, [%r6];
    NONE:
        bar.sync 0;
        ld.shared.u32 %r8, [%r4];
        add.u32 %r8, %r8, %r7;
        st.shared.u32 [%r4], %r8;
        shl.b32 %r5, %r5, 1;
        setp.lt.u32 %p2, %r5, 256;
        @%p2 bra STEP;
        mov.u32 %r1, %r8;
    )",
                                    256, nullptr, 1, shared_words);
    for (std::uint32_t i = 0; i < 256; ++i) CHECK(values[i] == i * (i + 1) / 2);
}

TEST_CASE("__syncthreads_count, _and, _or") {
    const auto count = [](const std::string& reduction, std::uint32_t threads) {
        return run_threads("setp.lt.u32 %p1, %r0, 37;\n" + reduction, threads);
    };
    for (const std::uint32_t value : count("bar.red.popc.u32 %r1, 0, %p1;\n", 96)) CHECK(value == 37);
    for (const std::uint32_t value : count("barrier.red.popc.aligned.u32 %r1, 0, 96, !%p1;\n", 96)) CHECK(value == 59);
    for (const std::uint32_t value : count("bar.red.and.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 2, %p2;\n", 96)) {
        CHECK(value == 2);
    }
    for (const std::uint32_t value : count("bar.red.and.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 2, %p2;\n", 33)) {
        CHECK(value == 1);
    }
    for (const std::uint32_t value : count("bar.red.or.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 2, %p2;\n", 96)) {
        CHECK(value == 1);
    }
}

TEST_CASE("producers arrive, consumers wait") {
    const auto values = run_threads(R"(
        mov.u32 %r3, words;
        shl.b32 %r4, %r0, 2;
        add.u32 %r4, %r3, %r4;
        setp.ge.u32 %p1, %r0, 32;
        @%p1 bra PRODUCE;
        bar.sync 1, 64;
        ld.shared.u32 %r1, [%r4+128];
        bra.uni STORE;
    PRODUCE:
        mul.lo.u32 %r5, %r0, 3;
        st.shared.u32 [%r4], %r5;
        bar.arrive 1, 64;
    )",
                                    64, nullptr, 1, shared_words);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == 3 * (i + 32));
}

TEST_CASE("barriers that are not aligned may be reached by a warp's lanes one after the other") {
    const auto values = run_threads(R"(
        and.b32 %r3, %r2, 1;
        setp.eq.u32 %p1, %r3, 0;
        @%p1 bra EVEN;
        barrier.sync 0;
        mov.u32 %r1, 1;
        bra.uni STORE;
    EVEN:
        barrier.sync 0;
        mov.u32 %r1, 2;
    )",
                                    64);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == 2 - i % 2);
}

TEST_CASE("named barriers let halves of a block synchronise apart, by a number in a register") {
    const auto values = run_threads(R"(
        shr.u32 %r10, %r0, 6;
        add.u32 %r10, %r10, 3;
        mov.u32 %r11, 64;
        mov.u32 %r3, words;
        shl.b32 %r4, %r0, 2;
        add.u32 %r4, %r3, %r4;
        st.shared.u32 [%r4], %r0;
        bar.sync %r10, %r11;
        xor.b32 %r5, %r0, 33;
        shl.b32 %r5, %r5, 2;
        add.u32 %r5, %r3, %r5;
        ld.shared.u32 %r1, [%r5];
    )",
                                    128, nullptr, 1, shared_words);
    for (std::uint32_t i = 0; i < 128; ++i) CHECK(values[i] == (i ^ 33));
}

TEST_CASE("lanes of one warp may go to different barriers that are not aligned, but not to aligned ones") {
    const std::string body = R"(
        and.b32 %r3, %r0, 1;
        add.u32 %r3, %r3, 1;
    )";
    run_threads(body + "barrier.sync %r3, 32;\n", 64);
    const Fault fault = only_fault(body + "bar.sync %r3, 32;\n", 64);
    CHECK(fault.kind == FaultKind::barrier_divergence);
    CHECK(fault.message.find("different barriers") != std::string::npos);
}

TEST_CASE("a barrier's thread count counts whole warps") {
    // 40 threads are two warps; of the first, lane 0 has left
    const auto values = run_threads(R"(
        setp.eq.u32 %p1, %r0, 0;
        @%p1 exit;
        bar.sync 1, 64;
        mov.u32 %r1, 5;
    )",
                                    40);
    for (std::uint32_t i = 1; i < 40; ++i) CHECK(values[i] == 5);
}

TEST_CASE("two different barriers in the arms of a branch") {
    LaunchStatus status{};
    const Fault fault = only_fault(R"(
        and.b32 %r3, %r2, 1;
        setp.eq.u32 %p1, %r3, 0;
        @%p1 bra EVEN;
    .loc 1 10 0
        bar.sync 0;
        bra.uni STORE;
    EVEN:
    .loc 1 20 0
        bar.sync 0;
    )",
                                   64, &status);
    CHECK(fault.kind == FaultKind::barrier_divergence);
    CHECK(fault.severity == Severity::error);
    CHECK(status == LaunchStatus::launch_failure);
    const bool both = (fault.line == 10 && fault.other_line == 20) || (fault.line == 20 && fault.other_line == 10);
    CHECK(both);
    CHECK(fault.message.find("barrier.cu:10") != std::string::npos);
    CHECK(fault.message.find("barrier.cu:20") != std::string::npos);
}

TEST_CASE("a barrier that only a part of a warp reaches") {
    const Fault fault = only_fault(R"(
        setp.ge.u32 %p1, %r2, 16;
        @%p1 bra AROUND;
    .loc 1 10 0
        bar.sync 0;
    AROUND:
    .loc 1 12 0
        mov.u32 %r1, 1;
    )",
                                   32);
    CHECK(fault.kind == FaultKind::barrier_divergence);
    CHECK(fault.line == 10);
    CHECK(fault.other_line == 12);
    CHECK(fault.message.find("lanes 0-15") != std::string::npos);
    CHECK(fault.message.find("lanes 16-31") != std::string::npos);
}

TEST_CASE("a predicated barrier of a part of a warp") {
    const Fault fault = only_fault(R"(
        setp.ge.u32 %p1, %r2, 30;
    .loc 1 10 0
        @%p1 bar.sync 0;
        mov.u32 %r1, 1;
    )",
                                   64);
    CHECK(fault.kind == FaultKind::barrier_divergence);
    CHECK(fault.thread == Dim3{30, 0, 0});
}

TEST_CASE("parts of a warp that come to the same barrier by different ways arrive together") {
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 8;
        @%p1 bra A;
        setp.lt.u32 %p2, %r2, 16;
        @%p2 bra MEET;
        add.u32 %r1, %r1, 2;
        bra.uni MEET;
    A:
        add.u32 %r1, %r1, 1;
    MEET:
        bar.sync 0;
        add.u32 %r1, %r1, 10;
    )",
                                    64);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i % 32 < 8 ? 11 : i % 32 < 16 ? 10 : 12));
}

TEST_CASE("threads that leave before a barrier are named in a warning, and the others go on") {
    TestProgram program(kernel_of(R"(
        setp.lt.u32 %p1, %r0, 40;
    .loc 1 10 0
        @!%p1 ret;
    .loc 1 20 0
        bar.sync 0;
        mov.u32 %r1, 1;
    )") + ".file 1 \"barrier.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, 128, 0);
    const LaunchReport report = program.launch("k", {2, 1, 1}, {64, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::success);
    REQUIRE(report.faults.size() == 1);
    const Fault& fault = report.faults[0];
    CHECK(fault.kind == FaultKind::barrier_after_exit);
    CHECK(fault.severity == Severity::warning);
    CHECK(fault.line == 20);
    CHECK(fault.other_line == 10);
    CHECK(fault.block == Dim3{0, 0, 0});
    CHECK(fault.message.find("40 threads") != std::string::npos);
    CHECK(fault.message.find("24 have left") != std::string::npos);
    CHECK(out[0] == 1);
    CHECK(out[39] == 1);
    CHECK(out[40] == 0);
}

TEST_CASE("a loop with a barrier that some warps turn once more: messages, not a hang") {
    // threads below 32 turn the loop twice, the others once; then all meet at a barrier
    TestProgram program(kernel_of(R"(
        setp.lt.u32 %p1, %r0, 32;
        selp.u32 %r3, 2, 1, %p1;
    LOOP:
    .loc 1 10 0
        bar.sync 0;
        sub.u32 %r3, %r3, 1;
        setp.ne.u32 %p2, %r3, 0;
        @%p2 bra LOOP;
    .loc 1 20 0
        bar.sync 0;
    )") + ".file 1 \"barrier.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, 64, 0);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {64, 1, 1}, out.address());
    REQUIRE(report.faults.size() == 2);
    CHECK(report.faults[0].kind == FaultKind::barrier_divergence);
    CHECK(report.faults[0].line == 10);
    CHECK(report.faults[0].other_line == 20);
    CHECK(report.faults[1].kind == FaultKind::barrier_after_exit);
    CHECK(report.faults[1].line == 20);
}

TEST_CASE("warps that meet at different lines are warned of") {
    const Fault fault = only_fault(R"(
        setp.lt.u32 %p1, %r0, 32;
        @%p1 bra LOW;
    .loc 1 10 0
        bar.sync 0;
        bra.uni STORE;
    LOW:
    .loc 1 20 0
        bar.sync 0;
    )",
                                   64);
    CHECK(fault.kind == FaultKind::barrier_divergence);
    CHECK(fault.severity == Severity::warning);
    CHECK(fault.line == 10);
    CHECK(fault.other_line == 20);
}

TEST_CASE("warps that wait at different barriers forever") {
    LaunchStatus status{};
    const Fault fault = only_fault(R"(
        setp.lt.u32 %p1, %r0, 32;
        @%p1 bra LOW;
    .loc 1 10 0
        bar.sync 1, 64;
        bra.uni STORE;
    LOW:
    .loc 1 20 0
        bar.sync 2, 64;
    )",
                                   64, &status);
    CHECK(fault.kind == FaultKind::barrier_divergence);
    CHECK(status == LaunchStatus::launch_failure);
    CHECK(fault.line == 20);
    CHECK(fault.other_line == 10);
}

TEST_CASE("a barrier whose thread count is never reached") {
    CHECK(only_fault("bar.sync 1, 96;\n", 64).kind == FaultKind::barrier_divergence);
}

TEST_CASE("a barrier with two thread counts, one that does not exist, one with an impossible count") {
    const Fault counts = only_fault(R"(
        setp.lt.u32 %p1, %r0, 32;
        selp.u32 %r3, 64, 96, %p1;
        bar.sync 1, %r3;
    )",
                                    64);
    CHECK(counts.kind == FaultKind::barrier_divergence);
    CHECK(only_fault("mov.u32 %r3, 16;\nbar.sync %r3;\n", 32).message.find("barrier 16") != std::string::npos);
    CHECK(only_fault("mov.u32 %r3, 33;\nbar.sync 0, %r3;\n", 64).message.find("33 threads") != std::string::npos);
}

TEST_CASE("random schedules give the same results where barriers are right") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        TestProgram program(kernel_of(neighbour("bar.sync 0;\n", 160), shared_words));
        DeviceArray<std::uint32_t> out(program.memory, 160, 0);
        program.config.schedule = {false, seed};
        const LaunchReport report = program.launch("k", {1, 1, 1}, {160, 1, 1}, out.address());
        CHECK(report.faults.empty());
        for (std::uint32_t i = 0; i < 160; ++i) CHECK(out[i] == (i + 33) % 160 + 1);
    }
}

TEST_CASE("a random schedule shows a missing barrier in both directions, the same for the same seed") {
    const auto run = [](std::uint64_t seed) {
        TestProgram program(kernel_of(neighbour("", 64), shared_words));
        DeviceArray<std::uint32_t> out(program.memory, 64, 0);
        program.config.schedule = {false, seed};
        program.config.checks = Checks::none();
        program.launch("k", {1, 1, 1}, {64, 1, 1}, out.address());
        return out.values();
    };
    bool first_was_late = false;
    bool second_was_late = false;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto values = run(seed);
        CHECK(values == run(seed));
        first_was_late = first_was_late || values[40] != (40 + 33) % 64 + 1;
        second_was_late = second_was_late || values[0] != 34;
    }
    CHECK(first_was_late);
    CHECK(second_was_late);
}

TEST_CASE("barrier faults are found under random schedules too") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Fault fault = only_fault(R"(
            and.b32 %r3, %r2, 1;
            setp.eq.u32 %p1, %r3, 0;
            @%p1 bra EVEN;
            bar.sync 0;
            bra.uni STORE;
        EVEN:
            bar.sync 0;
        )",
                                       64, nullptr, {false, seed});
        CHECK(fault.kind == FaultKind::barrier_divergence);
    }
}
