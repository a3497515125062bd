#include "lanes/measurement.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>

#include "lanes/measurement_table.hpp"

namespace {

lanes::Measurement measured(const std::string& name, double milliseconds, std::uint64_t bytes,
                            std::uint64_t operations = 0) {
    lanes::Measurement measurement;
    measurement.name = name;
    measurement.bytes = bytes;
    measurement.operations = operations;
    measurement.milliseconds = lanes::statistics_of({milliseconds});
    return measurement;
}

lanes::Variant variant(const std::string& name, const std::string& ceiling = "") {
    return {.name = name, .ceiling = ceiling, .launch = [] {}};
}

}  // namespace

TEST_CASE("measurement: bytes and operations a second from the median") {
    const auto measurement = measured("copy", 2.0, 8'000'000'000, 4'000'000'000);
    CHECK(measurement.gb_per_s() == doctest::Approx(4000.0));
    CHECK(measurement.gflop_per_s() == doctest::Approx(2000.0));
    CHECK(measured("nothing", 0.0, 100).gb_per_s() == 0.0);
}

TEST_CASE("ratio: by operations, else by bytes, else by time") {
    CHECK(*lanes::ratio_to(measured("a", 2.0, 10, 100), measured("b", 1.0, 10, 400)) == doctest::Approx(0.125));
    CHECK(*lanes::ratio_to(measured("a", 2.0, 10), measured("b", 1.0, 20, 400)) == doctest::Approx(0.25));
    CHECK(*lanes::ratio_to(measured("a", 2.0, 0), measured("b", 1.0, 20)) == doctest::Approx(0.5));
    CHECK_FALSE(lanes::ratio_to(measured("a", 0.0, 10), measured("b", 1.0, 20)).has_value());
}

TEST_CASE("variants that cannot be measured or cited are refused") {
    CHECK_NOTHROW(lanes::require_sound({variant("memcpy"), variant("copy", "memcpy")}, {}));
    CHECK_THROWS_AS(lanes::require_sound({}, {}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::require_sound({variant("")}, {}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::require_sound({variant("a"), variant("a")}, {}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::require_sound({variant("a")}, {"a"}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::require_sound({variant("a", "memcpy")}, {"memcpy"}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::require_sound({{.name = "a"}}, {}), std::invalid_argument);
    auto unpoisoned = variant("a");
    unpoisoned.verify = [] { return lanes::Comparison(); };
    CHECK_THROWS_AS(lanes::require_sound({unpoisoned}, {}), std::invalid_argument);
}

TEST_CASE("table of measurements: columns only where somebody has a value") {
    auto copy = measured("copy", 2.0, 4'000'000'000);
    copy.parameters = {{"offset", 1}};
    copy.ceiling = "memcpy";
    copy.ratio = 0.5;
    std::ostringstream text;
    text << lanes::measurement_table({measured("memcpy", 1.0, 4'000'000'000), copy});
    CHECK(text.str() ==
          "name    offset  median ms  spread  GB/s           ratio\n"
          "memcpy               1.00     0 %  4000\n"
          "copy         1       2.00     0 %  2000  50 % of memcpy\n");
}
