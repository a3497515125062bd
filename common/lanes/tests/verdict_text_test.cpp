#include <verdict_text.hpp>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <string>

using namespace lanes;
using nlohmann::json;

namespace {

ExerciseFolder exercise() {
    ExerciseFolder folder;
    folder.name = "12_pitch";
    return folder;
}

json check_line(bool passed, const std::string& kind, const std::string& input, const std::string& message,
                json details = json::object()) {
    return {{"passed", passed}, {"kind", kind},  {"input", input},    {"message", message},
            {"why", ""},        {"section", ""}, {"details", details}};
}

std::string text_of(const CheckResult& result, Colour colour = Colour::none) {
    return verdict_text(ExerciseSet{}, exercise(), result, {.colour = colour});
}

const json sectors = {{"costs", {"sectors"}}, {"per", "requests"}, {"value", 18.0}, {"most", 4.0}};

json line(unsigned number, unsigned requests, unsigned sectors_moved) {
    return {{"file", "none.cu"}, {"line", number}, {"counters", {{"requests", requests}, {"sectors", sectors_moved}}}};
}

}  // namespace

TEST_SUITE("verdict_text") {
    TEST_CASE("what passed says what it cost") {
        CheckResult result;
        result.passed = true;
        result.checks = {check_line(true, "result", "n = 1", "all equal"),
                         check_line(true, "budget", "n = 1", "sectors a load request",
                                    {{"costs", {"sectors"}}, {"per", "requests"}, {"value", 3.5}, {"most", 4.0}})};
        CHECK(text_of(result) == "12_pitch: passed, 2 checks\n  sectors a load request: 3.50, at most 4\n");
    }

    TEST_CASE("only a terminal gets colour") {
        CheckResult result;
        result.passed = true;
        result.checks = {check_line(true, "result", "n = 1", "all equal")};
        CHECK(text_of(result, Colour::terminal) == "12_pitch: \033[32mpassed\033[0m, 1 check\n");
    }

    TEST_CASE("a missed budget names the lines that miss it, the dearest first") {
        CheckResult result;
        result.checks = {check_line(false, "budget", "n = 9", "sectors a load request", sectors)};
        result.report.launches = {{{"lines", {line(3, 10, 40), line(5, 10, 320), line(7, 10, 180)}}}};
        const std::string text = text_of(result);
        CHECK(text.find("n = 9: sectors a load request: 18, at most 4 are allowed\n    32 at\n    18 at\n") !=
              std::string::npos);
        CHECK(text.find("    4 at") == std::string::npos);
    }

    TEST_CASE("of many faults three are shown") {
        CheckResult result;
        result.checks = {check_line(false, "fault", "n = 9", "")};
        for (const char* message : {"one", "two", "three", "four", "five"})
            result.report.faults.push_back({{"severity", "error"}, {"message", message}, {"line", 0}});
        const std::string text = text_of(result);
        CHECK(text.find("    three\n    and 2 more\n") != std::string::npos);
        CHECK(text.find("four") == std::string::npos);
    }

    TEST_CASE("what kernels printed ends in a line of its own, and says how much is left out") {
        CheckResult result;
        CHECK(printed_text(result) == "");
        result.printed = "hello";
        result.printed_in_all = 5;
        CHECK(printed_text(result) == "hello\n");
        result.printed_in_all = 12;
        CHECK(printed_text(result) == "hello\n  and 7 bytes more that your kernel printed, not shown\n");
    }

    TEST_CASE("a check program that broke off is no verdict, unless something was found before") {
        CheckResult result;
        CHECK(broke_off(status_broken, result));
        CHECK_FALSE(broke_off(1, result));
        result.checks = {check_line(true, "result", "n = 1", "")};
        CHECK(broke_off(139, result));
        result.report.faults.push_back({{"severity", "error"}, {"message", "LANES_MODULE: the file lacks x"}});
        CHECK_FALSE(broke_off(status_broken, result));
        CHECK(text_of(result).find("  Your file lacks x\n\n  lanes reset 12_pitch gives") != std::string::npos);
    }

    TEST_CASE("what a failure usually means is not said of a kernel that was stopped") {
        CheckResult result;
        result.checks = {check_line(false, "fault", "n = 9", "")};
        result.checks[0]["why"] = "The second block is missing.";
        result.report.faults = {{{"severity", "error"}, {"kind", "race_shared"}, {"message", "a race"}, {"line", 0}}};
        CHECK(text_of(result).find("    The second block is missing.\n") != std::string::npos);
        for (const char* kind : {"trap", "assert", "instruction_budget", "unsupported"}) {
            result.report.faults[0]["kind"] = kind;
            CHECK(text_of(result).find("missing") == std::string::npos);
        }
    }

    TEST_CASE("the compiler's words stand alone") {
        CheckResult result;
        result.compiler_errors = "a.cu(1): error\n";
        CHECK(text_of(result) == "12_pitch: does not compile\na.cu(1): error\n");
    }
}
