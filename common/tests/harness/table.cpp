#include "lanes/table.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <sstream>
#include <stdexcept>

TEST_CASE("table: names flush left, numbers flush right, nothing at the end of a line") {
    lanes::Table table({"name", "ms", "ratio"});
    table.add_row({"memcpy", "1.00", ""});
    table.add_row({"copy", "12.5", "8 % of memcpy"});
    std::ostringstream text;
    text << table;
    CHECK(text.str() ==
          "name      ms          ratio\n"
          "memcpy  1.00\n"
          "copy    12.5  8 % of memcpy\n");
}

TEST_CASE("table: a row has a cell for each heading") {
    lanes::Table table({"name", "ms"});
    CHECK_THROWS_AS(table.add_row({"memcpy"}), std::invalid_argument);
    CHECK_THROWS_AS(table.add_row({"memcpy", "1", "2"}), std::invalid_argument);
}

TEST_CASE("numbers: at least three digits, no exponent where a person does not want one") {
    CHECK(lanes::three_digits(4261.4) == "4261");
    CHECK(lanes::three_digits(42.61) == "42.6");
    CHECK(lanes::three_digits(4.261) == "4.26");
    CHECK(lanes::three_digits(0.4261) == "0.426");
    CHECK(lanes::three_digits(0.04261) == "0.0426");
    CHECK(lanes::three_digits(0.004261) == "0.00426");
    CHECK(lanes::three_digits(0.0000004261) == "4.26e-07");
    CHECK(lanes::three_digits(0.0) == "0");
    CHECK(lanes::three_digits(1234567.0) == "1234567");
    CHECK(lanes::three_digits(std::numeric_limits<double>::quiet_NaN()) == "nan");
    CHECK(lanes::three_digits(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("percent") {
    CHECK(lanes::percent(0.634) == "63 %");
    CHECK(lanes::percent(1.006) == "101 %");
    CHECK(lanes::percent(0.0123) == "1.23 %");
    CHECK(lanes::percent(0.0) == "0 %");
}

TEST_CASE("grouped: separators between thousands") {
    CHECK(lanes::grouped(0) == "0");
    CHECK(lanes::grouped(999) == "999");
    CHECK(lanes::grouped(1000) == "1,000");
    CHECK(lanes::grouped(1234567) == "1,234,567");
    CHECK(lanes::grouped(18446744073709551615ULL) == "18,446,744,073,709,551,615");
}
