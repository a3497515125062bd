#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "check_timeline.hpp"

using lanes::emulator::Time;
using lanes::emulator::Timeline;

TEST_CASE("before the first block there is none") {
    CHECK(Timeline().block_at(7) == 0);
}

TEST_CASE("every time belongs to the block that began last, however blocks follow each other") {
    std::mt19937 random(1);
    for (const unsigned longest : {1U, 2U, 5U}) {
        CAPTURE(longest);
        Timeline timeline;
        std::vector<std::uint64_t> expected{0, 0};  // by time; blocks begin at 2
        std::uint64_t block = 0;
        for (int start = 0; start < 1000; ++start) {
            timeline.start(expected.size(), block);
            expected.insert(expected.end(), 1 + random() % longest, block);
            block += 1 + random() % longest;
        }
        for (Time time = 0; time < expected.size(); ++time) {
            CAPTURE(time);
            REQUIRE(timeline.block_at(time) == expected[time]);
        }
    }
}

TEST_CASE("times just before a block that is out of step belong to the one before") {
    Timeline timeline;
    timeline.start(10, 4);
    timeline.start(20, 5);
    timeline.start(30, 6);
    timeline.start(90, 7);
    CHECK(timeline.block_at(29) == 5);
    CHECK(timeline.block_at(89) == 6);
    CHECK(timeline.block_at(90) == 7);
    CHECK(timeline.block_at(1000) == 7);
}
