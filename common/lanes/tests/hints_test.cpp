#include <hints.hpp>

#include <doctest/doctest.h>

using lanes::hints_in;

TEST_SUITE("hints") {
    TEST_CASE("each heading begins a hint, and blank lines around it go") {
        const auto hints = hints_in("# Hints\n\n## A nudge\n\nLook.\n\nAgain.\n\n## More\nHere.\n");
        REQUIRE(hints.size() == 2);
        CHECK(hints[0] == "Look.\n\nAgain.\n");
        CHECK(hints[1] == "Here.\n");
    }

    TEST_CASE("a file without headings has none") {
        CHECK(hints_in("# Hints\n\ntext\n").empty());
        CHECK(hints_in("").empty());
    }
}
