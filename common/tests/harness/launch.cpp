#include "lanes/launch.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

TEST_CASE("blocks_for: rounded up") {
    CHECK(lanes::blocks_for(0, 256) == 0);
    CHECK(lanes::blocks_for(1, 256) == 1);
    CHECK(lanes::blocks_for(256, 256) == 1);
    CHECK(lanes::blocks_for(257, 256) == 2);
}

TEST_CASE("blocks_for: no block of nothing, no grid beyond 2^31 - 1, no overflow on the way") {
    CHECK_THROWS_AS(lanes::blocks_for(1, 0), std::invalid_argument);
    CHECK(lanes::blocks_for(2147483647, 1) == 2147483647U);
    CHECK_THROWS_AS(lanes::blocks_for(2147483648U, 1), std::invalid_argument);
    CHECK_THROWS_AS(lanes::blocks_for(~std::size_t{0}, 256), std::invalid_argument);
}
