#include "lanes/statistics.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

TEST_CASE("statistics: the middle of an odd number of samples, in whatever order") {
    const auto statistics = lanes::statistics_of({3.0, 1.0, 10.0});
    CHECK(statistics.samples == 3);
    CHECK(statistics.median == 3.0);
    CHECK(statistics.minimum == 1.0);
    CHECK(statistics.maximum == 10.0);
    CHECK(statistics.spread() == doctest::Approx(3.0));
}

TEST_CASE("statistics: the mean of the middle two of an even number") {
    CHECK(lanes::statistics_of({4.0, 1.0, 2.0, 100.0}).median == 3.0);
}

TEST_CASE("statistics: one sample, and samples of nothing") {
    CHECK(lanes::statistics_of({5.0}).spread() == 0.0);
    CHECK(lanes::statistics_of({0.0, 0.0}).spread() == 0.0);
    CHECK_THROWS_AS(lanes::statistics_of({}), std::invalid_argument);
}
