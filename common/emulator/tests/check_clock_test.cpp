/// What is ordered before what.

#include <doctest/doctest.h>

#include "check_clock.hpp"

using namespace lanes::emulator;

TEST_CASE("a thread's own accesses are in order") {
    const BlockClock clock(2, first_launch_time);
    CHECK(clock.is_ordered(5, 5, clock.now()));
    CHECK_FALSE(clock.is_ordered(5, 6, clock.now()));
    CHECK_FALSE(clock.is_ordered(5, 40, clock.now()));
}

TEST_CASE("a barrier orders all that was before") {
    BlockClock clock(2, first_launch_time);
    const Time before = clock.now();
    clock.join_all();
    CHECK(clock.is_ordered(5, 40, before));
    CHECK_FALSE(clock.is_ordered(5, 40, clock.now()));
    CHECK(clock.floor(0) == before);
}

TEST_CASE("a new block lies behind the one before") {
    BlockClock clock(2, first_launch_time);
    const Time before = clock.now();
    clock.start_block();
    CHECK(clock.is_ordered(5, 40, before));
    CHECK(clock.block_begin() > before);
}

TEST_CASE("knowledge passes from warp to warp") {
    BlockClock clock(3, first_launch_time);
    const Time before = clock.now();
    clock.join(0b011, 1);
    CHECK(clock.is_ordered(32, 0, before));
    CHECK_FALSE(clock.is_ordered(64, 0, before));
    clock.join(0b110, 1);
    CHECK(clock.is_ordered(64, 0, before));
    CHECK(clock.is_ordered(64, 32, before));
    CHECK_FALSE(clock.is_ordered(0, 64, before));
}

TEST_CASE("an arrival is known to who waits, once") {
    BlockClock clock(3, first_launch_time);
    const Time before = clock.now();
    clock.arrive(0, 2);
    const Time behind = clock.now();
    clock.join(0b010, 2);
    CHECK(clock.is_ordered(32, 0, before));
    CHECK_FALSE(clock.is_ordered(32, 0, behind));
    CHECK_FALSE(clock.is_ordered(0, 32, before));
    clock.join(0b100, 2);
    CHECK_FALSE(clock.is_ordered(64, 0, before));
}

TEST_CASE("lanes of a warp learn of each other by pairs") {
    BlockClock clock(1, first_launch_time);
    const Time before = clock.now();
    clock.join_lanes(0, 0x3, all_lanes);
    CHECK(clock.is_ordered(0, 1, before));
    CHECK_FALSE(clock.is_ordered(2, 1, before));
    clock.join_lanes(0, 0x6, all_lanes);
    CHECK(clock.is_ordered(2, 0, before));
    CHECK_FALSE(clock.is_ordered(0, 2, before));
    clock.join_lanes(0, all_lanes, all_lanes);
    CHECK(clock.is_ordered(0, 2, before));
    CHECK(clock.own(0) >= before);
}

TEST_CASE("lanes that have left need not come") {
    BlockClock clock(1, first_launch_time);
    const Time before = clock.now();
    clock.join_lanes(0, 0x3, 0x3);
    CHECK(clock.own(0) == before);
}

TEST_CASE("what is published is known to who acquires afterwards") {
    BlockClock clock(2, first_launch_time);
    const Time before = clock.now();
    clock.acquire(1);
    clock.publish(0);
    CHECK_FALSE(clock.is_ordered(32, 0, before));
    clock.acquire(1);
    CHECK(clock.is_ordered(32, 0, before));
    CHECK_FALSE(clock.is_ordered(32, 0, clock.now()));
    CHECK_FALSE(clock.is_ordered(0, 32, before));
}

TEST_CASE("the floor is never higher than what a warp knows") {
    BlockClock clock(3, first_launch_time);
    clock.join(0b011, 1);
    clock.publish(2);
    clock.acquire(0);
    for (std::uint32_t warp = 0; warp < 3; ++warp)
        for (unsigned other = 0; other < 3; ++other)
            for (Time time = 0; time <= clock.floor(warp); ++time)
                CHECK(clock.is_ordered(warp * 32 + 1, other * 32, time));
}
