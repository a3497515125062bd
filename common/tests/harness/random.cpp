#include "lanes/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <stdexcept>

TEST_CASE("random: the same seed gives the same numbers, on every machine") {
    CHECK(lanes::Random(1).whole_numbers(100) == lanes::Random(1).whole_numbers(100));
    CHECK(lanes::Random(1).whole_numbers(100) != lanes::Random(2).whole_numbers(100));
    CHECK(lanes::Random(1).whole_numbers<int>(5, 0, 999) == std::vector<int>{133, 136, 451, 21, 350});
}

TEST_CASE("random: whole numbers reach both ends and nothing beyond") {
    std::set<float> seen;
    for (const float number : lanes::Random().whole_numbers(2000, -8, 8)) {
        CHECK(number == std::floor(number));
        seen.insert(number);
    }
    CHECK(seen.size() == 17);
    CHECK(*seen.begin() == -8.0F);
    CHECK(*seen.rbegin() == 8.0F);
}

TEST_CASE("random: an empty range is an error, a range of one number is not") {
    CHECK_THROWS_AS(lanes::Random().whole_numbers(1, 2, 1), std::invalid_argument);
    CHECK(lanes::Random().whole_numbers(3, 4, 4) == std::vector<float>{4, 4, 4});
    CHECK(lanes::Random().whole_numbers(0).empty());
}

TEST_CASE("random: uniform numbers stay below the upper end and spread over the range") {
    double sum = 0.0;
    for (const float number : lanes::Random().uniform(10000, -1.0F, 3.0F)) {
        REQUIRE(number >= -1.0F);
        REQUIRE(number < 3.0F);
        sum += static_cast<double>(number);
    }
    CHECK(sum / 10000 == doctest::Approx(1.0).epsilon(0.05));
}
