#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "lanes/compare.hpp"

namespace {

constexpr float quiet_nan = std::numeric_limits<float>::quiet_NaN();

/// What a poisoned array of T holds.
template <typename T>
T poison() {
    T value{};
    std::memset(&value, lanes::poison_byte<T>, sizeof(T));
    return value;
}

bool mentions(const lanes::Comparison& comparison, const std::string& text) {
    return comparison.message().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("equal: the same numbers pass, also none at all") {
    CHECK(lanes::equal<float>({1, 2, 3}, {1, 2, 3}));
    CHECK(lanes::equal<int>({}, {}));
    CHECK(lanes::equal<float>({0.0F}, {-0.0F}));
}

TEST_CASE("equal: one wrong element is named with its place and both values") {
    const auto comparison = lanes::equal<float>({1, 2, 4}, {1, 2, 3});
    CHECK_FALSE(comparison);
    CHECK(comparison.message() == "1 of 3 elements are wrong:\n  [2]: got 4, expected 3");
}

TEST_CASE("equal: neighbouring floats print differently") {
    const float next = std::nextafter(1.0F, 2.0F);
    CHECK(mentions(lanes::equal<float>({next}, {1.0F}), "got 1.00000012, expected 1"));
}

TEST_CASE("equal: positions in a matrix") {
    const auto comparison = lanes::equal<int>({1, 2, 3, 4, 5, 9}, {1, 2, 3, 4, 5, 6}, {.columns = 3});
    CHECK(mentions(comparison, "[1][2]: got 9, expected 6"));
}

TEST_CASE("equal: a long list of faults is cut, and says how long it was") {
    const auto comparison = lanes::equal(std::vector<int>(100, 1), std::vector<int>(100, 2), {.shown = 2});
    CHECK(mentions(comparison, "100 of 100 elements"));
    CHECK(mentions(comparison, "[1]: got 1"));
    CHECK_FALSE(mentions(comparison, "[2]: got 1"));
    CHECK(mentions(comparison, "... and 98 more"));
}

TEST_CASE("equal: other sizes fail, also where the common part agrees") {
    CHECK(mentions(lanes::equal<int>({1}, {1, 2}), "got 1 elements, expected 2"));
    CHECK_FALSE(lanes::equal<int>({}, {1}));
    CHECK_FALSE(lanes::equal<int>({1}, {}));
}

TEST_CASE("equal: NaN passes only where the reference is the same NaN and that was asked for") {
    CHECK_FALSE(lanes::equal<float>({quiet_nan}, {1.0F}));
    CHECK_FALSE(lanes::equal<float>({quiet_nan}, {quiet_nan}));
    CHECK_FALSE(lanes::equal<float>({quiet_nan}, {1.0F}, {.accept_same_nan = true}));
    CHECK_FALSE(lanes::equal<float>({1.0F}, {quiet_nan}, {.accept_same_nan = true}));
    CHECK_FALSE(lanes::equal<float>({-quiet_nan}, {quiet_nan}, {.accept_same_nan = true}));
    CHECK(lanes::equal<float>({quiet_nan}, {quiet_nan}, {.accept_same_nan = true}));
}

TEST_CASE("equal: poison is never a result and is named as never written") {
    CHECK(mentions(lanes::equal<float>({poison<float>()}, {1.0F}), "never written"));
    CHECK(mentions(lanes::equal<double>({poison<double>()}, {1.0}), "never written"));
    CHECK(mentions(lanes::equal<int>({poison<int>()}, {1}), "never written"));
    CHECK_FALSE(lanes::equal<float>({poison<float>()}, {poison<float>()}, {.accept_same_nan = true}));
}

TEST_CASE("equal: one-byte elements print as numbers, and their poison proves nothing") {
    CHECK(mentions(lanes::equal<unsigned char>({0xa5}, {65}), "got 165, expected 65"));
}

TEST_CASE("poison is NaN for floating point and absurd for integers") {
    CHECK(std::isnan(poison<float>()));
    CHECK(std::isnan(poison<double>()));
    CHECK(poison<int>() == -1515870811);
    CHECK(lanes::is_poison(poison<float>()));
    CHECK_FALSE(lanes::is_poison(quiet_nan));
    CHECK_FALSE(lanes::is_poison(-quiet_nan));
    CHECK_FALSE(lanes::is_poison(-1));
}

TEST_CASE("within_bound: the bound itself is within, the next number is not") {
    CHECK(lanes::within_bound<double>({1.25}, std::vector<double>{1.0}, std::vector<double>{0.25}));
    const auto comparison =
        lanes::within_bound<double>({std::nextafter(1.25, 2.0)}, std::vector<double>{1.0}, std::vector<double>{0.25});
    CHECK_FALSE(comparison);
    CHECK(mentions(comparison, "allowed 0.25"));
}

TEST_CASE("within_bound: NaN is never within, not even of NaN") {
    const std::vector<double> zero{0.0};
    const std::vector<double> wide{1e30};
    CHECK_FALSE(lanes::within_bound<float>({quiet_nan}, zero, wide));
    CHECK_FALSE(lanes::within_bound<float>({quiet_nan}, std::vector<double>{quiet_nan}, wide));
    CHECK_FALSE(lanes::within_bound<float>({0.0F}, std::vector<double>{quiet_nan}, wide));
    CHECK(mentions(lanes::within_bound<float>({poison<float>()}, zero, wide), "never written"));
}

TEST_CASE("within_bound: infinity is only infinity") {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> bound{1.0};
    CHECK(lanes::within_bound<double>({inf}, std::vector<double>{inf}, bound));
    CHECK_FALSE(lanes::within_bound<double>({-inf}, std::vector<double>{inf}, bound));
    CHECK_FALSE(lanes::within_bound<double>({1.0}, std::vector<double>{inf}, bound));
    CHECK_FALSE(lanes::within_bound<double>({inf}, std::vector<double>{1.0}, bound));
}

TEST_CASE("within_bound: a bound that would pass everything or nothing fails its element") {
    const std::vector<double> one{1.0};
    for (const double bound : {std::numeric_limits<double>::infinity(), static_cast<double>(quiet_nan), -1.0}) {
        CHECK_FALSE(lanes::within_bound<float>({1.0F}, one, std::vector<double>{bound}));
    }
}

TEST_CASE("within_bound: sizes of values and of bounds are checked") {
    CHECK_FALSE(lanes::within_bound<float>({1.0F}, std::vector<double>{1.0, 2.0}, std::vector<double>{1.0, 1.0}));
    CHECK_FALSE(lanes::within_bound<float>({1.0F}, std::vector<double>{1.0}, std::vector<double>{}));
    CHECK(lanes::within_bound<float>({}, std::vector<double>{}, std::vector<double>{}));
}

TEST_CASE("ReferenceSum: the bound is K * eps * sum of magnitudes, signs aside") {
    lanes::ReferenceSum sum;
    sum.add(3.0);
    sum.add(-2.0);
    CHECK(sum.value() == 1.0);
    CHECK(sum.magnitude() == 5.0);
    CHECK(sum.terms() == 2);
    CHECK(sum.bound(0.5) == 5.0);
}

TEST_CASE("within_bound at K = 4096: a correct float sum passes, a lost term does not") {
    constexpr int terms = 4096;
    lanes::ReferenceSum reference;
    float forward = 0.0F;
    float without_last = 0.0F;
    for (int k = 0; k < terms; ++k) {
        const float a = 1.0F / static_cast<float>(k + 1);
        const float b = k % 2 == 0 ? 0.7F : -0.6F;
        reference.add(static_cast<double>(a) * static_cast<double>(b));
        without_last = forward;
        forward += a * b;
    }
    const std::vector<lanes::ReferenceSum> expected{reference};
    CHECK(lanes::within_bound<float>({forward}, expected));
    CHECK(std::abs(static_cast<double>(forward) - reference.value()) > 0.0);  // a fixed 0 would refuse it
    CHECK_FALSE(lanes::within_bound<float>({without_last - 0.7F}, expected));
}

TEST_CASE("within_bound at K = 4096: the worst order of an all-positive sum still passes") {
    lanes::ReferenceSum reference;
    float sum = 0.0F;
    reference.add(16777216.0);
    sum += 16777216.0F;
    for (int k = 1; k < 4096; ++k) {  // each 1 is lost against 2^24
        reference.add(1.0);
        sum += 1.0F;
    }
    CHECK(sum == 16777216.0F);
    CHECK(lanes::within_bound<float>({sum}, std::vector<lanes::ReferenceSum>{reference}));
}
