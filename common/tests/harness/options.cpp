#include "lanes/options.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using Arguments = std::vector<std::string>;

std::string error_of(const Arguments& arguments) {
    try {
        lanes::parse_options(arguments);
        return "none";
    } catch (const lanes::UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("options: none means test, then measure") {
    const auto options = lanes::parse_options({});
    CHECK(options.tests);
    CHECK(options.measurements);
    CHECK_FALSE(options.counts);
    CHECK(options.json.empty());
}

TEST_CASE("options: each switches what it says") {
    CHECK_FALSE(lanes::parse_options({"--no-bench"}).measurements);
    CHECK_FALSE(lanes::parse_options({"--bench-only"}).tests);
    CHECK(lanes::parse_options({"--quick"}).quick);
    CHECK(lanes::parse_options({"--help"}).help);
    const auto counts = lanes::parse_options({"--counts", "--json", "a.json"});
    CHECK(counts.counts);
    CHECK_FALSE(counts.tests);
    CHECK_FALSE(counts.measurements);
    CHECK(counts.json == "a.json");
    CHECK(lanes::parse_options({"--json=b.json"}).json == "b.json");
    CHECK(lanes::parse_options({"--show", "race"}).demonstration == "race");
}

TEST_CASE("options: doctest's are passed on, in all their spellings") {
    const Arguments arguments{"-tc=copy*", "--test-case=a,b", "--dt-success", "-s=true", "-dt-ns", "-r=junit"};
    const auto options = lanes::parse_options(arguments);
    CHECK(options.doctest == arguments);
    CHECK_FALSE(options.query);
}

TEST_CASE("options: doctest's questions need no device") {
    for (const std::string argument : {"-ltc", "--list-test-cases", "--dt-help", "--dt-h", "--version", "-c"}) {
        CAPTURE(argument);
        CHECK(lanes::parse_options({argument}).query);
    }
}

TEST_CASE("options: what nobody knows is an error") {
    CHECK(error_of({"--jsn", "a"}) == "there is no option --jsn");
    CHECK(error_of({"--no-benchmark"}) == "there is no option --no-benchmark");
    CHECK(error_of({"-x=1"}) == "there is no option -x=1");
    CHECK(error_of({"copy"}) == "unexpected argument 'copy'");
    CHECK(error_of({""}) == "unexpected argument ''");
    CHECK(error_of({"--"}) == "unexpected argument '--'");
}

TEST_CASE("options: a missing value is an error") {
    CHECK(error_of({"--json"}) == "--json needs a value: --json ...");
    CHECK(error_of({"--json="}) == "--json needs a value: --json ...");
    CHECK(error_of({"--json", ""}) == "--json needs a value: --json ...");
    CHECK(error_of({"-tc"}) == "-tc needs a value: -tc=...");
    CHECK(error_of({"--test-case", "copy"}) == "--test-case needs a value: --test-case=...");
}

TEST_CASE("options: contradictions are errors") {
    CHECK(error_of({"--no-bench", "--bench-only"}) != "none");
    CHECK(error_of({"--counts", "--quick"}) != "none");
    CHECK(error_of({"--counts", "--no-bench"}) != "none");
    CHECK(error_of({"--bench-only", "-tc=a"}) != "none");
    CHECK(error_of({"--show", "race", "--counts"}) != "none");
    CHECK(error_of({"--show=race", "-tc=a"}) != "none");
    CHECK(error_of({"--quick", "--bench-only"}) == "none");
}
