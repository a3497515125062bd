/// How checks are spelled.

#include <doctest/doctest.h>
#include <lanes/emulator/checks.hpp>

using namespace lanes::emulator;

TEST_CASE("all and none") {
    CHECK(*parse_checks("all") == Checks::all());
    CHECK(*parse_checks("none") == Checks::none());
    CHECK(*parse_checks("bounds") == Checks::none());
    CHECK(Checks::all().has(Check::race_shared));
    CHECK(Checks::all().has(Check::race_global));
    CHECK(Checks::all().has(Check::uninitialized_read));
    CHECK_FALSE(Checks::all().has(Check::same_value_writes));
    CHECK_FALSE(Checks::all().has(Check::leaks));
}

TEST_CASE("lists") {
    const Checks races = *parse_checks("races");
    CHECK(races == *parse_checks("race_shared,race_global"));
    CHECK_FALSE(races.has(Check::uninitialized_read));
    const Checks all_and_leaks = *parse_checks("all,leaks");
    CHECK(all_and_leaks.has(Check::leaks));
    CHECK(all_and_leaks.has(Check::race_shared));
}

TEST_CASE("names are read back") {
    CHECK(name_of(Checks::none()) == "none");
    CHECK(*parse_checks(name_of(Checks::all())) == Checks::all());
    CHECK(name_of(*parse_checks("leaks,race_shared")) == "race_shared,leaks");
}

TEST_CASE("what is no check is said") {
    for (const char* const text : {"", "racs", "all,", "none,all", "RACES", "all, leaks"}) {
        const auto checks = parse_checks(text);
        INFO(text);
        REQUIRE_FALSE(checks);
        CHECK(checks.error().message.find("is not a check") != std::string::npos);
    }
    CHECK(parse_checks("races,racs").error().message.find("\"racs\"") == 0);
}
