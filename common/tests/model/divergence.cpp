// Divergence, against a warp walked through instruction by instruction.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/divergence.hpp>

#include "headline_values.hpp"
#include "random_accesses.hpp"

using namespace lanes::model;

namespace {

/// Runs a loop in lock step: as long as one lane has turns left, the warp issues its body.
/// @param trips turns of each lane
/// @param body_instructions length of the body
/// @param active lanes that enter
IssueCount walk_loop(std::array<std::uint32_t, warp_size> trips, unsigned body_instructions, LaneMask active) {
    IssueCount count;
    for (;;) {
        unsigned running = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!is_active(active, lane) || trips[lane] == 0) continue;
            ++running;
            --trips[lane];
        }
        if (running == 0) return count;
        for (unsigned i = 0; i < body_instructions; ++i) {
            ++count.issues;
            count.active_lanes += running;
        }
    }
}

}  // namespace

TEST_CASE("how many lanes take a side does not matter, only whether one does") {
    for (unsigned lanes = 1; lanes < warp_size; ++lanes) {
        const IssueCount cost = branch_cost(all_lanes, (LaneMask{1} << lanes) - 1, 10, 10);
        CHECK(cost.issues == 20);
        CHECK(cost.active_lanes == 320);
        CHECK(cost.lane_efficiency() == 0.5);
    }
    CHECK(branch_cost(all_lanes, all_lanes, 10, 10).lane_efficiency() == 1.0);
    CHECK(branch_cost(all_lanes, 0, 10, 10).lane_efficiency() == 1.0);
}

TEST_CASE("arms of different length") {
    // 31 lanes issue 10 instructions, one lane issues 90.
    const IssueCount cost = branch_cost(all_lanes, 0x7fffffffU, 10, 90);
    CHECK(cost.issues == 100);
    CHECK(cost.active_lanes == 31 * 10 + 90);
    CHECK(cost.lane_efficiency() == doctest::Approx(400.0 / 3200));
}

TEST_CASE("a switch issues each arm that has a lane") {
    const std::array<BranchArm, 4> arms{{{0x000000ffU, 5}, {0x0000ff00U, 7}, {0, 1000}, {0xffff0000U, 11}}};
    CHECK(branch_cost(arms) == IssueCount{.issues = 23, .active_lanes = 8 * 5 + 8 * 7 + 16 * 11});
}

TEST_CASE("an arm with no active lane is not issued") {
    CHECK(branch_cost(0x0000ffffU, 0xffff0000U, 10, 3) == IssueCount{.issues = 3, .active_lanes = 48});
    CHECK(branch_cost(0, all_lanes, 10, 10) == IssueCount{});
    CHECK(IssueCount{}.lane_efficiency() == 1.0);
}

TEST_CASE("costs of code in sequence add up") {
    const IssueCount sum = straight_line_cost(all_lanes, 4) + branch_cost(all_lanes, 1U, 10, 10);
    CHECK(sum == IssueCount{.issues = 24, .active_lanes = 4 * 32 + 320});
}

TEST_CASE("random loops agree with a warp in lock step") {
    constexpr std::uint64_t seed = 20260206;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    for (int i = 0; i < 2000; ++i) {
        std::array<std::uint32_t, warp_size> trips{};
        for (std::uint32_t& turns : trips) turns = static_cast<std::uint32_t>(random.number(20));
        const auto body = static_cast<unsigned>(random.number(9));
        const LaneMask active = random.mask();
        CHECK(loop_cost(trips, body, active) == walk_loop(trips, body, active));
    }
}

TEST_CASE("a loop over 0 to 31 turns uses half its lanes") {
    std::array<std::uint32_t, warp_size> trips{};
    for (unsigned lane = 0; lane < warp_size; ++lane) trips[lane] = lane;
    CHECK(loop_cost(trips, 3).issues == 93);
    CHECK(loop_cost(trips, 3).lane_efficiency() == 0.5);
}

TEST_CASE("a replayed branch issues what its cost says, arm by arm") {
    constexpr std::uint64_t seed = 20261130;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    for (int i = 0; i < 2000; ++i) {
        const LaneMask active = random.mask();
        const LaneMask taken = random.mask();
        const std::uint64_t then_instructions = random.number(12);
        const std::uint64_t else_instructions = random.number(12);
        IssueCount count;
        unsigned arm = 0;
        std::uint64_t next = 0;
        replay_branch(active, taken, then_instructions, else_instructions, [&](const IssuedInstruction& issued) {
            if (issued.part != arm) next = 0;
            CHECK(issued.part >= arm);
            CHECK(issued.instruction == next);
            CHECK(issued.lanes == (issued.part == 0 ? active & taken : active & ~taken));
            arm = issued.part;
            ++next;
            count += straight_line_cost(issued.lanes, 1);
        });
        CHECK(count == branch_cost(active, taken, then_instructions, else_instructions));
    }
}

TEST_CASE("a replayed loop issues what its cost says, turn by turn") {
    constexpr std::uint64_t seed = 20261131;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    for (int i = 0; i < 500; ++i) {
        std::array<std::uint32_t, warp_size> trips{};
        for (std::uint32_t& turns : trips) turns = static_cast<std::uint32_t>(random.number(20));
        const auto body = random.number(9);
        const LaneMask active = random.mask();
        IssueCount count;
        LaneMask before = active;
        replay_loop(trips, body, active, [&](const IssuedInstruction& issued) {
            CHECK(issued.instruction == count.issues % body);
            CHECK(issued.part == count.issues / body);
            CHECK((issued.lanes & ~before) == 0);  // who has left does not come back
            before = issued.lanes;
            count += straight_line_cost(issued.lanes, 1);
        });
        CHECK(count == loop_cost(trips, body, active));
    }
}

TEST_CASE("a block that is no multiple of a warp") {
    CHECK(warps_with_true_lane(33, [](unsigned) { return true; }) == 2);
    CHECK(warps_with_true_lane(33, [](unsigned thread) { return thread == 32; }) == 1);
    CHECK(warps_with_true_lane(0, [](unsigned) { return true; }) == 0);
    CHECK(warp_count(0) == 0);
    CHECK(warp_count(1) == 1);
    CHECK(warp_count(32) == 1);
    CHECK(warp_count(33) == 2);
}
