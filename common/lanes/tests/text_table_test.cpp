#include <text_table.hpp>

#include <doctest/doctest.h>

using namespace lanes;

TEST_SUITE("text_table") {
    TEST_CASE("columns line up: names to the left, numbers to the right") {
        TextTable table({"kernel", "launches", "sectors"});
        table.add({"add", "1", "1,024"});
        table.add({"transpose<32>", "100", "8"}, "note");
        CHECK(table.text() ==
              "kernel         launches  sectors\n"
              "add                   1    1,024\n"
              "transpose<32>       100        8  note\n");
    }

    TEST_CASE("long texts keep their beginning and their end") {
        CHECK(shortened("", 5) == "");
        CHECK(shortened("12345", 5) == "12345");
        CHECK(shortened("123456", 5) == "1...6");
        CHECK(shortened("the_name_of_a_kernel", 10) == "the_...nel");
        CHECK(shortened("the_name_of_a_kernel", 10).size() == 10);
    }

    TEST_CASE("ratios have two digits, and nothing divided by nothing has none") {
        CHECK(ratio(1, 3) == "0.33");
        CHECK(ratio(32, 1) == "32.00");
        CHECK(ratio(0, 0) == "-");
    }
}
