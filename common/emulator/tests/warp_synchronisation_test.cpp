#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

Fault only_fault(const std::string& body, std::uint32_t threads) {
    TestProgram program(kernel_of(body) + ".file 1 \"warp.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, threads, 0);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {threads, 1, 1}, out.address());
    REQUIRE(report.faults.size() == 1);
    INFO(report.faults[0].message);
    CHECK(report.status == LaunchStatus::launch_failure);
    return report.faults[0];
}

/// Sums %r1 over the warp with shuffles.
const char* const warp_sum = R"(
    shfl.sync.down.b32 %r3, %r1, 16, 31, -1;
    add.u32 %r1, %r1, %r3;
    shfl.sync.down.b32 %r3, %r1, 8, 31, -1;
    add.u32 %r1, %r1, %r3;
    shfl.sync.down.b32 %r3, %r1, 4, 31, -1;
    add.u32 %r1, %r1, %r3;
    shfl.sync.down.b32 %r3, %r1, 2, 31, -1;
    add.u32 %r1, %r1, %r3;
    shfl.sync.down.b32 %r3, %r1, 1, 31, -1;
    add.u32 %r1, %r1, %r3;
)";

}  // namespace

TEST_CASE("a warp's sum by shuffles") {
    const auto values = run_threads(std::string("add.u32 %r1, %r2, 1;\n") + warp_sum, 64);
    CHECK(values[0] == 32 * 33 / 2);
    CHECK(values[32] == 32 * 33 / 2);
}

TEST_CASE("a block's sum by shared memory, barriers and shuffles, as a chapter does it") {
    const std::string body = R"(
        add.u32 %r1, %r0, 1;
        mov.u32 %r4, words;
        shr.u32 %r5, %r22, 5;
        shl.b32 %r5, %r5, 2;
        add.u32 %r5, %r4, %r5;
    )" + std::string(warp_sum) +
                             R"(
        setp.ne.u32 %p1, %r2, 0;
        @%p1 bra STORED;
        st.shared.u32 [%r5], %r1;
    STORED:
        bar.sync 0;
        setp.ge.u32 %p2, %r22, 32;
        @%p2 bra OTHERS;
        shr.u32 %r6, %r21, 5;
        setp.lt.u32 %p3, %r2, %r6;
        mov.u32 %r1, 0;
        @!%p3 bra SUM;
        shl.b32 %r7, %r2, 2;
        add.u32 %r7, %r4, %r7;
        ld.shared.u32 %r1, [%r7];
    SUM:
    )" + warp_sum + R"(
        bra.uni STORE;
    OTHERS:
        mov.u32 %r1, 0;
    )";
    for (const std::uint32_t threads : {32u, 256u, 1024u}) {
        const auto values = run_threads(body, threads, nullptr, 3, ".shared .align 4 .b8 words[128];\n");
        for (std::uint32_t block = 0; block < 3; ++block) {
            const std::uint64_t first = std::uint64_t{block} * threads + 1;
            CHECK(values[block * threads] == threads * (2 * first + threads - 1) / 2);
        }
    }
}

TEST_CASE("lanes that have left, or never were, may be named") {
    const auto values = run_threads(R"(
        setp.ge.u32 %p1, %r0, 20;
        setp.lt.u32 %p2, %r0, 32;
        and.pred %p3, %p1, %p2;
        @%p3 exit;
        setp.eq.u32 %p4, 0, 0;
        vote.sync.ballot.b32 %r1, %p4, -1;
    )",
                                    37);
    for (std::uint32_t i = 0; i < 20; ++i) CHECK(values[i] == 0xfffff);
    for (std::uint32_t i = 32; i < 37; ++i) CHECK(values[i] == 0x1f);
}

TEST_CASE("a wait ends when the lanes it names leave") {
    const auto values = run_threads(R"(
        setp.ge.u32 %p1, %r2, 8;
        @%p1 bra LEAVE;
        setp.eq.u32 %p4, 0, 0;
        vote.sync.ballot.b32 %r1, %p4, -1;
        bra.uni STORE;
    LEAVE:
        exit;
    )",
                                    32);
    for (std::uint32_t i = 0; i < 8; ++i) CHECK(values[i] == 0xff);
}

TEST_CASE("a wait ends when the lanes it names leave, though they might have stayed") {
    const auto values = run_threads(R"(
        setp.ge.u32 %p1, %r2, 8;
        @%p1 bra LEAVE;
        setp.eq.u32 %p4, 0, 0;
        vote.sync.ballot.b32 %r1, %p4, -1;
        bra.uni STORE;
    LEAVE:
        setp.ne.u32 %p2, %r2, 31;
        @%p2 exit;
        mov.u32 %r1, 7;
        @%p1 exit;
    )",
                                    32);
    for (std::uint32_t i = 0; i < 8; ++i) CHECK(values[i] == 0xff);
}

TEST_CASE("named lanes that wait elsewhere never come") {
    const Fault fault = only_fault(R"(
        setp.ge.u32 %p1, %r2, 16;
        @%p1 bra AROUND;
    .loc 1 10 0
        shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;
    AROUND:
    .loc 1 12 0
        add.u32 %r1, %r1, 1;
    )",
                                   32);
    CHECK(fault.kind == FaultKind::invalid_mask);
    CHECK(fault.line == 10);
    CHECK(fault.other_line == 12);
    CHECK(fault.message.find("lanes 0-15 wait") != std::string::npos);
    CHECK(fault.message.find("lanes 16-31") != std::string::npos);
    CHECK(fault.message.find("0xffffffff") != std::string::npos);
}

TEST_CASE("a lane outside of its own mask") {
    const Fault fault = only_fault(R"(
    .loc 1 10 0
        shfl.sync.bfly.b32 %r1, %r2, 1, 31, 0xffff;
    )",
                                   32);
    CHECK(fault.kind == FaultKind::invalid_mask);
    CHECK(fault.line == 10);
    CHECK(fault.thread == Dim3{16, 0, 0});
    CHECK(fault.message.find("lanes 16-31") != std::string::npos);
    CHECK(fault.message.find("0x0000ffff") != std::string::npos);
}

TEST_CASE("parts of a warp exchange among themselves, each under its own mask") {
    LaunchReport report;
    const auto values = run_threads(R"(
        and.b32 %r3, %r2, 16;
        shl.b32 %r4, 0xffff, %r3;
        add.u32 %r5, %r0, 100;
        shfl.sync.bfly.b32 %r1, %r5, 15, 31, %r4;
    )",
                                    64, &report);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i ^ 15) + 100);
    CHECK(report.totals[Counter::inst_executed] == 2 * (8 + 4 + 4));  // the exchange is one instruction
}

TEST_CASE("diverged lanes exchange with those their mask names") {
    const auto values = run_threads(R"(
        and.b32 %r3, %r2, 1;
        setp.eq.u32 %p1, %r3, 0;
        @%p1 bra EVEN;
        shfl.sync.up.b32 %r1, %r2, 2, 0, 0xaaaaaaaa;
        bra.uni STORE;
    EVEN:
        shfl.sync.down.b32 %r1, %r2, 2, 31, 0x55555555;
    )",
                                    32);
    for (std::uint32_t i = 0; i < 32; ++i) {
        CHECK(values[i] == ((i & 1) != 0 ? (i < 2 ? i : i - 2) : (i > 29 ? i : i + 2)));
    }
}

TEST_CASE("lanes that come to an exchange by different ways are gathered") {
    LaunchReport report;
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 8;
        @%p1 bra LOW;
        setp.lt.u32 %p2, %r2, 16;
        @%p2 exit;
        bra.uni MEET;
    LOW:
        mov.u32 %r3, 1;
        setp.eq.u32 %p3, %r2, 0;
        @%p3 bra MEET;
        mov.u32 %r3, 2;
    MEET:
        setp.eq.u32 %p4, 0, 0;
        vote.sync.ballot.b32 %r1, %p4, 0xffff00ff;
    )",
                                    32, &report);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == (i >= 8 && i < 16 ? 0xdead : 0xffff00ff));
}

TEST_CASE("__syncwarp in both arms of a branch is met by the other one") {
    const auto values = run_threads(R"(
        mov.u32 %r4, words;
        shl.b32 %r5, %r2, 2;
        add.u32 %r5, %r4, %r5;
        setp.lt.u32 %p1, %r2, 16;
        @%p1 bra WRITE;
        bar.warp.sync -1;
        ld.shared.u32 %r1, [%r5+-64];
        bra.uni STORE;
    WRITE:
        mul.lo.u32 %r6, %r2, 5;
        st.shared.u32 [%r5], %r6;
        bar.warp.sync -1;
    )",
                                    32, nullptr, 1, ".shared .align 4 .b8 words[128];\n");
    for (std::uint32_t i = 16; i < 32; ++i) CHECK(values[i] == 5 * (i - 16));
}

TEST_CASE("__syncwarp of a mask whose lanes wait at a barrier of the block") {
    const Fault fault = only_fault(R"(
        setp.lt.u32 %p1, %r2, 16;
        @%p1 bra LOW;
    .loc 1 10 0
        barrier.sync 0;
        bra.uni STORE;
    LOW:
    .loc 1 20 0
        bar.warp.sync -1;
    )",
                                   32);
    CHECK(fault.kind == FaultKind::invalid_mask);
    CHECK(fault.line == 20);
    CHECK(fault.other_line == 10);
}

TEST_CASE("activemask, and a vote of the lanes it gives") {
    const auto values = run_threads(R"(
        setp.ge.u32 %p1, %r2, 5;
        @%p1 bra STORE;
        activemask.b32 %r3;
        setp.eq.u32 %p2, %r2, 3;
        vote.sync.ballot.b32 %r1, %p2, %r3;
        shl.b32 %r4, %r3, 16;
        or.b32 %r1, %r1, %r4;
    )",
                                    32);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == (i < 5 ? 0x1f0008 : 0));
}

TEST_CASE("a predicated exchange is one of the lanes whose predicate is true") {
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 4;
        @%p1 shfl.sync.bfly.b32 %r1, %r2, 3, 31, 15;
    )",
                                    32);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == (i < 4 ? i ^ 3 : 0));
}
