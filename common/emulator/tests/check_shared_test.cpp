/// Races and unset reads in shared memory.

#include "check_fixture.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

const std::string own_write = R"(
LINE 10
    st.shared.u32 [%r5], %r0;
)";
/// Reads the word of the thread 32 further on, of 64.
const std::string other_warp_read = R"(
    xor.b32 %r10, %r3, 128;
    add.s32 %r10, %r4, %r10;
LINE 20
    ld.shared.u32 %r11, [%r10];
)";
/// Reads the word of the neighbouring lane.
const std::string other_lane_read = R"(
    xor.b32 %r10, %r3, 4;
    add.s32 %r10, %r4, %r10;
LINE 20
    ld.shared.u32 %r11, [%r10];
)";
const std::string barrier = "bar.sync 0;\n";
const std::string warp_barrier = "bar.warp.sync 0xffffffff;\n";

std::set<Place> race(std::uint32_t line, std::uint32_t other_line) {
    return {{FaultKind::race_shared, line, other_line}};
}

const Launch one_warp{.threads = 32};

}  // namespace

TEST_CASE("a read of what another warp writes races without a barrier") {
    CHECK(faults_of(own_write + barrier + other_warp_read) == nothing);
    CHECK(faults_of(own_write + warp_barrier + other_warp_read).count({FaultKind::race_shared, 10, 20}) == 1);
}

TEST_CASE("a write races with an earlier read without a barrier") {
    const std::string again = "LINE 30\nst.shared.u32 [%r5], %r11;\n";
    CHECK(faults_of(own_write + barrier + other_warp_read + again) == race(20, 30));
    CHECK(faults_of(own_write + barrier + other_warp_read + barrier + again) == nothing);
}

TEST_CASE("a read of one word by all lanes is remembered") {
    const std::string read = "st.shared.u32 [%r5], 1;\nbar.sync 0;\nLINE 10\nld.shared.u32 %r11, [%r4];\n";
    const auto write_by = [](const std::string& thread) {
        return "setp.eq.u32 %p0, %r0, " + thread + ";\nLINE 20\n@%p0 st.shared.u32 [%r4], 9;\n";
    };
    for (const char* const thread : {"0", "1", "2", "31", "32", "63"})
        CHECK(faults_of(read + write_by(thread)) == race(10, 20));
    CHECK(faults_of(read + barrier + write_by("0")) == nothing);
}

TEST_CASE("lanes of a warp are unordered until they synchronise") {
    CHECK(faults_of(own_write + other_lane_read, one_warp) == race(10, 20));
    CHECK(faults_of(own_write + warp_barrier + other_lane_read, one_warp) == nothing);
    CHECK(faults_of(own_write + barrier + other_lane_read, one_warp) == nothing);
}

TEST_CASE("a shuffle orders no memory") {
    const std::string shuffle = "shfl.sync.bfly.b32 %r12, %r0, 1, 31, 0xffffffff;\n";
    CHECK(faults_of(own_write + shuffle + other_lane_read, one_warp) == race(10, 20));
}

TEST_CASE("a warp barrier of some lanes orders those only") {
    const std::string low_half = R"(
    setp.lt.u32 %p0, %r2, 16;
    @!%p0 bra SKIP;
    bar.warp.sync 0x0000ffff;
SKIP:
    bar.warp.sync 0xf0000000;
)";
    const std::string in_half = R"(
    setp.lt.u32 %p0, %r2, 16;
    @!%p0 bra SKIP;
    bar.warp.sync 0x0000ffff;
    xor.b32 %r10, %r3, 4;
    add.s32 %r10, %r4, %r10;
LINE 20
    ld.shared.u32 %r11, [%r10];
SKIP:
)";
    const std::string out_of_half = R"(
    setp.lt.u32 %p0, %r2, 16;
    @!%p0 bra SKIP;
    bar.warp.sync 0x0000ffff;
    xor.b32 %r10, %r3, 64;
    add.s32 %r10, %r4, %r10;
LINE 20
    ld.shared.u32 %r11, [%r10];
SKIP:
)";
    CHECK(faults_of(own_write + in_half, one_warp) == nothing);
    CHECK(faults_of(own_write + out_of_half, one_warp) == race(10, 20));
}

TEST_CASE("a named barrier orders the warps that take part") {
    const Launch three_warps{.threads = 96};
    // Warps 0 and 1 meet at barrier 1; then each reads the other's words, or warp 2's.
    const auto meeting = [](const std::string& offset) {
        return R"(
    add.s32 %r15, %r4, %r3;
    mov.u32 %r16, second;
    add.s32 %r15, %r16, %r3;
LINE 10
    st.shared.u32 [%r15], %r0;
    setp.ge.u32 %p0, %r0, 64;
    @%p0 bra END;
    bar.sync 1, 64;
    xor.b32 %r10, %r3, )" +
               offset + R"(;
    add.s32 %r10, %r16, %r10;
LINE 20
    ld.shared.u32 %r11, [%r10];
END:
    bar.sync 0;
)";
    };
    CHECK(faults_of(meeting("128"), three_warps) == nothing);
    CHECK(faults_of(meeting("256"), three_warps).count({FaultKind::race_shared, 10, 20}) == 1);
}

TEST_CASE("who arrives at a barrier is known to who waits there, but not the other way round") {
    const auto producer_and_consumer = [](const std::string& behind) {
        return R"(
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra CONSUMER;
LINE 10
    st.shared.u32 [%r5], %r0;
    bar.arrive 1, 64;
)" + behind + R"(
    bra END;
CONSUMER:
    bar.sync 1, 64;
    xor.b32 %r10, %r3, 128;
    add.s32 %r10, %r4, %r10;
LINE 20
    ld.shared.u32 %r11, [%r10];
END:
)";
    };
    CHECK(faults_of(producer_and_consumer("")) == nothing);
    CHECK(faults_of(producer_and_consumer("LINE 15\nst.shared.u32 [%r5], %r2;\n")) == race(15, 20));
}

TEST_CASE("writes of one value are no race, unless asked") {
    const std::string same = "LINE 10\nst.shared.u32 [%r4], 7;\n";
    CHECK(faults_of(same) == nothing);
    Launch strict;
    strict.checks.add(Check::same_value_writes);
    CHECK(faults_of(same, strict) == race(10, 10));
    CHECK(faults_of("LINE 10\nst.shared.u32 [%r4], %r0;\n") == race(10, 10));
    CHECK(faults_of("LINE 10\nst.shared.u32 [%r4], %r0;\n", one_warp) == race(10, 10));
}

TEST_CASE("atomic operations race with plain accesses, not with each other") {
    const std::string zero = "st.shared.u32 [%r5], 0;\nbar.sync 0;\n";
    const std::string add = "LINE 10\natom.shared.add.u32 %r12, [%r4], 1;\n";
    const std::string read = "LINE 20\nld.shared.u32 %r13, [%r4];\n";
    CHECK(faults_of(zero + add) == nothing);
    CHECK(faults_of(zero + add + read) == race(10, 20));
    CHECK(faults_of(zero + add + barrier + read) == nothing);
}

TEST_CASE("data handed over by a flag and fences is no race") {
    const std::string hand_over = R"(
    st.shared.u32 [%r5], 0;
    bar.sync 0;
    setp.ge.u32 %p0, %r0, 32;
    @%p0 bra WAIT;
    setp.ne.u32 %p1, %r0, 0;
    @%p1 bra END;
    st.shared.u32 [%r4+128], 5;
    FENCE
    st.volatile.shared.u32 [%r4+132], 1;
    bra END;
WAIT:
    ld.volatile.shared.u32 %r11, [%r4+132];
    setp.eq.u32 %p2, %r11, 0;
    @%p2 bra WAIT;
    FENCE
    ld.shared.u32 %r12, [%r4+128];
END:
)";
    std::string fenced = hand_over;
    for (std::size_t at; (at = fenced.find("FENCE")) != std::string::npos;) fenced.replace(at, 5, "membar.cta;");
    CHECK(faults_of(fenced) == nothing);
}

TEST_CASE("neighbouring bytes of a word are different memory") {
    const auto bytes = [](const std::string& back) {
        return R"(
    add.s32 %r10, %r4, %r0;
    cvt.u16.u32 %h0, %r0;
LINE 10
    st.shared.u8 [%r10], %h0;
LINE 20
    ld.shared.u8 %h1, [%r10)" +
               back + "];\n";
    };
    CHECK(faults_of(bytes("")) == nothing);
    CHECK(faults_of(R"(
    add.s32 %r10, %r4, %r0;
    cvt.u16.u32 %h0, %r0;
LINE 10
    st.shared.u8 [%r10], %h0;
    and.b32 %r11, %r0, 0xfffffffc;
    add.s32 %r11, %r4, %r11;
LINE 20
    ld.shared.u8 %h1, [%r11+3];
)") == race(10, 20));
}

TEST_CASE("shared memory that nobody wrote in this block is unset") {
    const std::set<Place> unset{{FaultKind::uninitialized_read, 20, 0}};
    const std::string read = "LINE 20\nld.shared.u32 %r11, [%r5];\n";
    CHECK(faults_of(read) == unset);
    CHECK(faults_of("LINE 20\natom.shared.add.u32 %r11, [%r5], 1;\n") == unset);
    CHECK(faults_of("st.shared.u32 [%r5], 1;\n" + read) == nothing);
    // What the block before wrote is gone.
    const std::string first_block_writes = R"(
    setp.ne.u32 %p0, %r20, 0;
    @%p0 bra READ;
    st.shared.u32 [%r5], 1;
READ:
)";
    CHECK(faults_of(first_block_writes + read, {.blocks = 2}) == unset);
}

TEST_CASE("a word of which half is written is half unset") {
    const std::string half = "cvt.u16.u32 %h0, %r0;\nst.shared.u16 [%r5], %h0;\n";
    CHECK(faults_of(half + "LINE 20\nld.shared.u16 %h1, [%r5];\n") == nothing);
    CHECK(faults_of(half + "LINE 20\nld.shared.u32 %r11, [%r5];\n") ==
          std::set<Place>{{FaultKind::uninitialized_read, 20, 0}});
}

TEST_CASE("a copy that is not waited for races with whoever reads it") {
    const auto copy = [](const std::string& wait) {
        return R"(
    mov.u32 %r16, first;
    add.s32 %r16, %r16, %r3;
LINE 10
    cp.async.ca.shared.global [%r16], [%rd2], 4;
)" + wait + other_warp_read;
    };
    CHECK(faults_of(copy("cp.async.wait_all;\nbar.sync 0;\n")) == nothing);
    CHECK(faults_of(copy("bar.sync 0;\n")) == race(10, 20));
    CHECK(faults_of("LINE 10\ncp.async.ca.shared.global [%r5], [%rd2], 4;\nLINE 20\nld.shared.u32 %r11, [%r5];\n") ==
          race(10, 20));
}

TEST_CASE("a race names both threads and lines, the place, and how often it occurred") {
    const LaunchReport report = run_checked(own_write + other_lane_read, {.blocks = 3, .threads = 32});
    REQUIRE(report.faults.size() == 1);
    const Fault& fault = report.faults[0];
    CHECK(fault.message ==
          "k, block (0,0,0), thread (0,0,0), kernel.cu:20: read of shared first + 4 bytes races with the write at "
          "kernel.cu:10 by thread (1,0,0): no barrier and no __syncwarp() between them");
    CHECK(fault.file == "kernel.cu");
    CHECK(fault.other_file == "kernel.cu");
    CHECK(fault.occurrences == 3 * 32);
    CHECK(report.status == LaunchStatus::success);
}

TEST_CASE("reports are the same for any number of workers") {
    const std::string body = own_write + other_lane_read + "LINE 30\nld.shared.u32 %r12, [%r5+128];\n";
    const LaunchReport one = run_checked(body, {.blocks = 40, .threads = 32});
    const LaunchReport four = run_checked(body, {.blocks = 40, .threads = 32, .workers = 4});
    REQUIRE(one.faults.size() == four.faults.size());
    for (std::size_t i = 0; i < one.faults.size(); ++i) {
        CHECK(one.faults[i].message == four.faults[i].message);
        CHECK(one.faults[i].occurrences == four.faults[i].occurrences);
    }
}

TEST_CASE("a check that is off says nothing") {
    Launch off;
    off.checks = Checks::none();
    CHECK(faults_of(own_write + other_warp_read, off) == nothing);
    off.checks.add(Check::uninitialized_read);
    CHECK(faults_of(own_write + barrier + other_lane_read, off) == nothing);
}
