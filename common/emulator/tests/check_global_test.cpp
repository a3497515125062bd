/// Races and unset reads in device memory.

#include "check_fixture.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

std::set<Place> race(std::uint32_t line, std::uint32_t other_line) {
    return {{FaultKind::race_global, line, other_line}};
}

const std::string own_write = "LINE 10\nst.global.u32 [%rd2], %r23;\n";
/// Reads the word of the neighbouring lane.
const std::string other_lane_read = R"(
    xor.b32 %r10, %r23, 1;
    mul.wide.u32 %rd10, %r10, 4;
    add.s64 %rd10, %rd0, %rd10;
LINE 20
    ld.global.u32 %r11, [%rd10];
)";
/// Reads the word of the thread 64 further on, in the next block.
const std::string other_block_read = R"(
    xor.b32 %r10, %r23, 64;
    mul.wide.u32 %rd10, %r10, 4;
    add.s64 %rd10, %rd0, %rd10;
LINE 20
    ld.global.u32 %r11, [%rd10];
)";
const Launch two_blocks{.blocks = 2};
const Launch one_warp{.threads = 32};

/// The kernel of `run_checked` on memory that the host has not written, but for `written` bytes.
LaunchReport run_unset(const std::string& body, std::uint64_t written, const Launch& launch = {}) {
    TestProgram program(checked_kernel(body));
    DeviceArray<std::uint32_t> a(program.memory, 128);
    mark_unset(program.memory, a.address());
    mark_written(program.memory, a.address(), written);
    return program.launch("k", {launch.blocks, 1, 1}, {launch.threads, 1, 1}, a.address(), a.address());
}

}  // namespace

TEST_CASE("threads of a block race without a barrier") {
    CHECK(faults_of(own_write + other_lane_read, one_warp) == race(10, 20));
    CHECK(faults_of(own_write + "bar.warp.sync 0xffffffff;\n" + other_lane_read, one_warp) == nothing);
    CHECK(faults_of(own_write + "bar.sync 0;\n" + other_lane_read) == nothing);
    CHECK(faults_of(other_lane_read + "LINE 30\nst.global.u32 [%rd2], %r23;\n") == race(20, 30));
}

TEST_CASE("a read of a whole row is remembered, and so is one of a single word by all") {
    const std::string other_lane_write = R"(
    xor.b32 %r10, %r23, 1;
    mul.wide.u32 %rd10, %r10, 4;
    add.s64 %rd10, %rd0, %rd10;
LINE 20
    st.global.u32 [%rd10], %r10;
)";
    CHECK(faults_of("LINE 10\nld.global.u32 %r11, [%rd2];\n" + other_lane_write, one_warp) == race(10, 20));
    const std::string first_lane_writes = "setp.eq.u32 %p0, %r0, 0;\nLINE 20\n@%p0 st.global.u32 [%rd0], 9;\n";
    CHECK(faults_of("LINE 10\nld.global.u32 %r11, [%rd0];\n" + first_lane_writes, one_warp) == race(10, 20));
    CHECK(faults_of("LINE 10\nld.global.u32 %r11, [%rd0];\nbar.sync 0;\n" + first_lane_writes, one_warp) == nothing);
}

TEST_CASE("workers beyond those a record can name make up no races") {
    CHECK(faults_of(own_write + "LINE 20\nld.global.u32 %r11, [%rd2];\n", {.blocks = 64, .workers = 100}) == nothing);
}

TEST_CASE("no barrier orders blocks, the end of the launch does") {
    CHECK(faults_of(own_write + "bar.sync 0;\n" + other_block_read, two_blocks) == race(10, 20));
    TestProgram program(checked_kernel(own_write));
    DeviceArray<std::uint32_t> a(program.memory, 4096, 1);
    CHECK(program.launch("k", {2, 1, 1}, {64, 1, 1}, a.address(), a.address()).faults.empty());
    CHECK(program.launch("k", {64, 1, 1}, {2, 1, 1}, a.address(), a.address()).faults.empty());
}

TEST_CASE("blocks that add to one word race unless they do so atomically") {
    const std::string plain = R"(
LINE 10
    ld.global.u32 %r11, [%rd0];
    add.u32 %r11, %r11, %r0;
LINE 10
    st.global.u32 [%rd0], %r11;
)";
    CHECK(faults_of(plain, two_blocks) == race(10, 10));
    CHECK(faults_of("LINE 10\nred.global.add.u32 [%rd0], 1;\n", two_blocks) == nothing);
    CHECK(faults_of("LINE 10\nred.global.add.u32 [%rd0], 1;\nLINE 20\nld.global.u32 %r11, [%rd0];\n", two_blocks) ==
          race(10, 20));
}

TEST_CASE("writes of one value are no race, unless asked") {
    const std::string same = "LINE 10\nst.global.u32 [%rd0], 7;\n";
    CHECK(faults_of(same, two_blocks) == nothing);
    Launch strict = two_blocks;
    strict.checks.add(Check::same_value_writes);
    CHECK(faults_of(same, strict) == race(10, 10));
    CHECK(faults_of("LINE 10\nst.global.u32 [%rd0], %r23;\n", two_blocks) == race(10, 10));
}

TEST_CASE("the last block to finish may read what all have left if they fenced") {
    const auto last_block = [](const std::string& fence) {
        return R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra END;
    mul.wide.u32 %rd10, %r20, 4;
    add.s64 %rd10, %rd0, %rd10;
LINE 10
    st.global.u32 [%rd10], %r20;
)" + fence + R"(
    atom.global.add.u32 %r11, [%rd1], 1;
    setp.ne.u32 %p1, %r11, 4;
    @%p1 bra END;
LINE 20
    ld.global.u32 %r12, [%rd0];
END:
)";
    };
    // b begins with 1, so the fourth block finds 4.
    CHECK(faults_of(last_block("membar.gl;"), {.blocks = 4}) == nothing);
    CHECK(faults_of(last_block(""), {.blocks = 4}) == race(10, 20));
}

TEST_CASE("a critical section is no race") {
    const std::string section = R"(
TRY:
    atom.global.cas.b32 %r11, [%rd1+64], 1, 0;
    setp.ne.u32 %p0, %r11, 1;
    @%p0 bra TRY;
    ld.global.u32 %r12, [%rd0];
    add.u32 %r12, %r12, 1;
    st.global.u32 [%rd0], %r12;
    atom.global.exch.b32 %r13, [%rd1+64], 1;
)";
    CHECK(faults_of(section, one_warp) == nothing);
    CHECK(faults_of(section, {.blocks = 3}) == nothing);
    CHECK(faults_of(section, {.blocks = 3, .workers = 3}) == nothing);
}

TEST_CASE("memory that neither host nor kernel wrote is unset") {
    const std::set<Place> unset{{FaultKind::uninitialized_read, 20, 0}};
    const std::string read = "LINE 20\nld.global.u32 %r11, [%rd2];\n";
    CHECK(places_of(run_unset(read, 0)) == unset);
    CHECK(places_of(run_unset(read, 252)) == unset);
    CHECK(places_of(run_unset(read, 256)) == nothing);
    CHECK(places_of(run_unset("st.global.u32 [%rd2], 1;\n" + read, 0)) == nothing);
    CHECK(places_of(run_unset("LINE 20\nred.global.add.u32 [%rd2], 1;\n", 0)) == unset);
    CHECK(places_of(run_unset("cvt.u16.u32 %h0, %r0;\nst.global.u8 [%rd2], %h0;\n" + read, 0)) == unset);
}

TEST_CASE("what a launch wrote is set for the next") {
    TestProgram program(
        checked_kernel("setp.eq.u64 %p0, %rd1, 0;\n@%p0 bra READ;\nst.global.u32 [%rd2], 1;\nREAD:\n"
                       "LINE 20\nld.global.u32 %r11, [%rd2];\n"));
    DeviceArray<std::uint32_t> a(program.memory, 128);
    mark_unset(program.memory, a.address());
    CHECK(program.launch("k", {1, 1, 1}, {32, 1, 1}, a.address(), a.address()).faults.empty());
    CHECK(program.launch("k", {1, 1, 1}, {32, 1, 1}, a.address(), std::uint64_t{0}).faults.empty());
    CHECK(places_of(program.launch("k", {1, 1, 1}, {64, 1, 1}, a.address(), std::uint64_t{0})) ==
          std::set<Place>{{FaultKind::uninitialized_read, 20, 0}});
}

TEST_CASE("a vector load reads all its bytes and no more") {
    const std::string read = R"(
    shl.b32 %r10, %r0, 4;
    cvt.u64.u32 %rd10, %r10;
    add.s64 %rd10, %rd0, %rd10;
LINE 20
    ld.global.v4.u32 {%r11, %r12, %r13, %r14}, [%rd10];
)";
    const std::set<Place> unset{{FaultKind::uninitialized_read, 20, 0}};
    const std::string use = "add.u32 %r15, %r11, %r12;\nadd.u32 %r15, %r15, %r13;\nadd.u32 %r15, %r15, %r14;\n";
    CHECK(places_of(run_unset(read + use, 512, one_warp)) == nothing);
    CHECK(places_of(run_unset(read + use, 508, one_warp)) == unset);
    // An element that no instruction reads is not asked for.
    const std::string use_of_three = "add.u32 %r15, %r11, %r12;\nadd.u32 %r15, %r15, %r13;\n";
    CHECK(places_of(run_unset(read + use_of_three, 508, one_warp)) == nothing);
    CHECK(places_of(run_unset(read + use_of_three, 504, one_warp)) == unset);
}

TEST_CASE("bytes that nobody has set may be copied together with bytes that are, and not otherwise used") {
    const std::set<Place> unset{{FaultKind::uninitialized_read, 20, 0}};
    const std::string set_first_byte = "cvt.u16.u32 %h0, %r0;\nst.global.u8 [%rd2], %h0;\n";
    const std::string read = "LINE 20\nld.global.u32 %r11, [%rd2];\n";
    const std::string copy = "st.global.u32 [%rd3], %r11;\n";
    CHECK(places_of(run_unset(set_first_byte + read + copy, 0)) == nothing);
    CHECK(places_of(run_unset(set_first_byte + read + copy + "add.u32 %r12, %r11, 1;\n", 0)) == unset);
    CHECK(places_of(run_unset(set_first_byte + read, 0)) == unset);
    CHECK(places_of(run_unset(read + copy, 0)) == unset);
}

TEST_CASE("a race names both blocks") {
    const LaunchReport report = run_checked(own_write + other_block_read, two_blocks);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].message ==
          "k, block (1,0,0), thread (0,0,0), kernel.cu:10: write of byte 256 of a 16384-byte allocation races with the "
          "read at kernel.cu:20 by block (0,0,0), thread (0,0,0): nothing orders the blocks of a launch");
    // Block 1 overwrites the 64 words that block 0 read, then reads the 64 words that block 0 wrote.
    CHECK(report.faults[0].occurrences == 128);
}

TEST_CASE("a race with a block that ran by chance is not told") {
    // As there are as many workers as blocks, block 2 is likely to write before block 0 does and block 1 fails.
    const std::string body = R"(
    mov.u32 %r10, 0;
    mad.lo.u32 %r11, %r20, 9000000, 3000000;
    setp.eq.u32 %p2, %r20, 2;
    @%p2 bra $L__write;
$L__wait:
    add.u32 %r10, %r10, 1;
    setp.lt.u32 %p0, %r10, %r11;
    @%p0 bra $L__wait;
    setp.eq.u32 %p1, %r20, 1;
LINE 10
    @%p1 trap;
LINE 20
    st.global.u32 [%rd0], 7;
    ret;
$L__write:
LINE 30
    st.global.u32 [%rd0], 9;
)";
    CHECK(faults_of(body, {.blocks = 3, .threads = 1, .workers = 3}) == std::set<Place>{{FaultKind::trap, 10, 0}});
}

TEST_CASE("several workers find the same races") {
    const std::string body = own_write + other_lane_read + other_block_read;
    for (const unsigned workers : {1U, 2U, 4U}) {
        CHECK(faults_of(own_write + other_lane_read, {.blocks = 40, .threads = 32, .workers = workers}) ==
              race(10, 20));
        CHECK(faults_of(own_write + other_block_read, {.blocks = 40, .workers = workers}) == race(10, 20));
    }
}
