#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// Calls `expected(lane)` for each thread.
template <typename Expected>
void check_threads(const std::vector<std::uint32_t>& values, Expected expected) {
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        CAPTURE(i);
        CHECK(values[i] == expected(i));
    }
}

std::uint64_t branches(const LaunchReport& report, Counter counter) {
    return report.totals[counter];
}

}  // namespace

TEST_CASE("lanes of an if and else get their own values and meet behind it") {
    LaunchReport report;
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 10;
        @%p1 bra THEN;
        mov.u32 %r1, 200;
        bra.uni JOIN;
    THEN:
        mov.u32 %r1, 100;
    JOIN:
        add.u32 %r1, %r1, %r2;
    )",
                                    32, &report);
    check_threads(values, [](std::uint32_t i) { return (i < 10 ? 100 : 200) + i; });
    CHECK(branches(report, Counter::branch_divergent) == 1);
    CHECK(branches(report, Counter::branch_uniform) == 1);
    // 8 operations before the body and 4 behind it, setp, bra, mov, bra.uni, mov, add: all but the arms with 32 lanes
    CHECK(report.totals[Counter::inst_executed] == 8 + 4 + 6);
    CHECK(report.totals[Counter::thread_inst_executed] == 32 * (8 + 4 + 3) + 2 * 22 + 10);
}

TEST_CASE("a uniform branch costs one arm") {
    LaunchReport report;
    run_threads(R"(
        setp.lt.u32 %p1, %r2, 32;
        @%p1 bra THEN;
        mov.u32 %r1, 200;
        bra.uni STORE;
    THEN:
        mov.u32 %r1, 100;
    )",
                32, &report);
    CHECK(branches(report, Counter::branch_divergent) == 0);
    CHECK(branches(report, Counter::branch_uniform) == 1);
    CHECK(report.totals[Counter::inst_executed] == 8 + 4 + 3);
}

TEST_CASE("nested ifs") {
    LaunchReport report;
    const auto values = run_threads(R"(
        and.b32 %r3, %r2, 1;
        and.b32 %r4, %r2, 2;
        setp.eq.u32 %p1, %r3, 0;
        setp.eq.u32 %p2, %r4, 0;
        @!%p1 bra ODD;
        add.u32 %r1, %r1, 1;
        @!%p2 bra INNER;
        add.u32 %r1, %r1, 10;
    INNER:
        add.u32 %r1, %r1, 100;
        bra.uni OUTER;
    ODD:
        @%p2 bra INNER2;
        add.u32 %r1, %r1, 2000;
    INNER2:
        add.u32 %r1, %r1, 5000;
    OUTER:
        add.u32 %r1, %r1, 10000;
    )",
                                    32, &report);
    check_threads(values, [](std::uint32_t i) {
        const bool second = (i & 2) == 0;
        return 10000 + ((i & 1) == 0 ? 101u + (second ? 10 : 0) : 5000u + (second ? 0 : 2000));
    });
    CHECK(branches(report, Counter::branch_divergent) == 3);
    // the last addition and the four operations behind it are executed by the whole warp, once
    CHECK(report.totals[Counter::inst_executed] == 8 + 4 + 1 + 5 + 3 + 5);
}

TEST_CASE("a loop whose trip count differs by lane ends together") {
    LaunchReport report;
    const auto values = run_threads(R"(
        mov.u32 %r3, 0;
    LOOP:
        add.u32 %r1, %r1, %r3;
        add.u32 %r3, %r3, 1;
        setp.le.u32 %p1, %r3, %r2;
        @%p1 bra LOOP;
        add.u32 %r1, %r1, 1000;
    )",
                                    32, &report);
    check_threads(values, [](std::uint32_t i) { return 1000 + i * (i + 1) / 2; });
    // 32 turns of four operations; what follows is executed once
    CHECK(report.totals[Counter::inst_executed] == 8 + 1 + 32 * 4 + 1 + 4);
    // turn t has the lanes >= t
    CHECK(report.totals[Counter::thread_inst_executed] == 32 * (8 + 1 + 1 + 4) + 4 * (32 * 33 / 2));
    CHECK(branches(report, Counter::branch_divergent) == 31);
    CHECK(branches(report, Counter::branch_uniform) == 1);
}

TEST_CASE("break and continue") {
    const auto values = run_threads(R"(
        mov.u32 %r3, 0;
    LOOP:
        setp.ge.u32 %p1, %r3, 40;
        @%p1 bra DONE;
        add.u32 %r3, %r3, 1;
        rem.u32 %r4, %r3, 3;
        setp.eq.u32 %p2, %r4, 0;
        @%p2 bra LOOP;                  // continue
        add.u32 %r1, %r1, %r3;
        setp.gt.u32 %p3, %r3, %r2;
        @%p3 bra DONE;                  // break
        bra.uni LOOP;
    DONE:
        add.u32 %r1, %r1, 7;
    )",
                                    64);
    check_threads(values, [](std::uint32_t i) {
        std::uint32_t sum = 0;
        for (std::uint32_t n = 0; n < 40;) {
            ++n;
            if (n % 3 == 0) continue;
            sum += n;
            if (n > i % 32) break;
        }
        return sum + 7;
    });
}

TEST_CASE("loops in loops, with trip counts that differ by lane") {
    const auto values = run_threads(R"(
        mov.u32 %r3, 0;
    OUTER:
        setp.gt.u32 %p1, %r3, %r2;
        @%p1 bra DONE;
        mov.u32 %r4, 0;
    INNER:
        add.u32 %r1, %r1, 1;
        add.u32 %r4, %r4, 1;
        xor.b32 %r5, %r2, %r3;
        and.b32 %r5, %r5, 7;
        setp.le.u32 %p2, %r4, %r5;
        @%p2 bra INNER;
        add.u32 %r3, %r3, 1;
        bra.uni OUTER;
    DONE:
    )",
                                    96);
    check_threads(values, [](std::uint32_t i) {
        std::uint32_t count = 0;
        for (std::uint32_t n = 0; n <= i % 32; ++n) count += ((i % 32 ^ n) & 7) + 1;
        return count;
    });
}

TEST_CASE("lanes that return early are waited for by nobody") {
    LaunchReport report;
    const auto values = run_threads(R"(
        mov.u32 %r1, 5;
        setp.lt.u32 %p1, %r2, 7;
        @%p1 bra EARLY;
        and.b32 %r3, %r2, 1;
        setp.eq.u32 %p2, %r3, 0;
        @%p2 bra EVEN;
        add.u32 %r1, %r1, 1;
    EVEN:
        add.u32 %r1, %r1, 10;
        bra.uni STORE;
    EARLY:
        setp.eq.u32 %p3, %r2, 3;
        @%p3 ret;
        mov.u32 %r1, 4;
        mul.wide.u32 %rd1, %r0, 4;
        add.s64 %rd1, %rd0, %rd1;
        st.global.u32 [%rd1], %r1;
        exit;
    )",
                                    32, &report);
    check_threads(values, [](std::uint32_t i) {
        if (i == 3) return 0xdeadu;
        return i < 7 ? 4u : 15 + (i & 1);
    });
}

TEST_CASE("a guarded exit in one arm does not keep the others from meeting") {
    LaunchReport report;
    run_threads(R"(
        setp.lt.u32 %p1, %r2, 16;
        @!%p1 bra BEHIND;
        setp.lt.u32 %p2, %r2, 4;
        @%p2 exit;
        add.u32 %r1, %r1, 1;
    BEHIND:
        add.u32 %r1, %r1, 1;
        add.u32 %r1, %r1, 1;
    )",
                32, &report);
    CHECK(report.totals[Counter::inst_executed] == 8 + 2 + 3 + 2 + 4);
}

TEST_CASE("a switch by a table of targets") {
    LaunchReport report;
    const auto values = run_threads(R"(
        and.b32 %r3, %r2, 3;
    TABLE: .branchtargets CASE0, CASE1, CASE2, CASE1;
        brx.idx %r3, TABLE;
    CASE0:
        mov.u32 %r1, 10;
        bra.uni JOIN;
    CASE1:
        mov.u32 %r1, 20;
        bra.uni JOIN;
    CASE2:
        mov.u32 %r1, 30;                // falls through
    JOIN:
        add.u32 %r1, %r1, %r2;
    )",
                                    32, &report);
    check_threads(values, [](std::uint32_t i) {
        constexpr std::uint32_t results[] = {10, 20, 30, 20};
        return results[i & 3] + i;
    });
    CHECK(branches(report, Counter::branch_divergent) == 1);
    CHECK(report.totals[Counter::inst_executed] == 8 + 2 + 5 + 1 + 4);
}

TEST_CASE("predicated operations leave other lanes alone and count their lanes") {
    LaunchReport report;
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 5;
        @%p1 mov.u32 %r1, 1;
        @!%p1 add.u32 %r1, %r2, 2;
    )",
                                    32, &report);
    check_threads(values, [](std::uint32_t i) { return i < 5 ? 1u : i + 2; });
    CHECK(report.totals[Counter::thread_inst_executed] == 32 * (8 + 3 + 4));
    CHECK(report.totals[Counter::thread_inst_executed_pred_on] == 32 * (8 + 1 + 4) + 5 + 27);
}

TEST_CASE("partial warps and odd blocks") {
    for (const std::uint32_t threads : {1u, 31u, 33u, 159u, 1024u}) {
        const auto values = run_threads("mad.lo.u32 %r1, %r0, 3, 1;\n", threads, nullptr, 5);
        REQUIRE(values.size() == 5 * threads);
        check_threads(values, [](std::uint32_t i) { return 3 * i + 1; });
    }
}
