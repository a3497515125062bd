#include "lanes/report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace {

lanes::Report sample_report() {
    lanes::Report report;
    report.program = "coalescing";
    report.provenance.device = "NVIDIA H200";
    report.sources = {{"copy", "0123456789abcdef"}};
    lanes::Measurement copy;
    copy.name = "copy_1";
    copy.snippets = {"copy"};
    copy.parameters = {{"elements", 1024}, {"fraction", 0.5}, {"order", std::string("odd")}};
    copy.bytes = 8192;
    copy.milliseconds = lanes::statistics_of({1.0, 2.0, 3.0});
    copy.ceiling = "memcpy";
    copy.ratio = 0.5;
    report.measurements = {copy};
    report.cases = {{.name = "offset_1", .snippets = {"copy"}, .kernel = "copy", .predicted = {{"sectors", 160}}}};
    return report;
}

}  // namespace

TEST_CASE("report: every field arrives in the JSON under its name") {
    const auto json = nlohmann::json::parse(lanes::times_json(sample_report()));
    CHECK(json.at("schema") == "thirty-two-lanes/times/1");
    CHECK(json.at("program") == "coalescing");
    CHECK(json.at("provenance").at("device") == "NVIDIA H200");
    CHECK_FALSE(json.at("provenance").contains("kernel_driver"));
    CHECK(json.at("sources").at("copy") == "0123456789abcdef");
    const auto& measurement = json.at("measurements").at(0);
    CHECK(measurement.at("parameters") == nlohmann::json{{"elements", 1024}, {"fraction", 0.5}, {"order", "odd"}});
    CHECK(measurement.at("median_ms") == 2.0);
    CHECK(measurement.at("samples") == 3);
    CHECK(measurement.at("spread") == 1.0);
    CHECK(measurement.at("ratio") == 0.5);
    CHECK_FALSE(measurement.contains("operations"));
    CHECK(json.at("cases").at(0).at("predicted").at("sectors") == 160);
    CHECK(json.at("cases").at(0).at("parameters") == nlohmann::json::object());
}

TEST_CASE("report: without measurements and cases there are empty arrays") {
    const auto json = nlohmann::json::parse(lanes::times_json({}));
    CHECK(json.at("measurements") == nlohmann::json::array());
    CHECK(json.at("cases") == nlohmann::json::array());
    CHECK(json.at("sources") == nlohmann::json::object());
}

TEST_CASE("report: a snippet that the source does not have is an error") {
    auto report = sample_report();
    report.measurements[0].snippets = {"cpoy"};
    CHECK_THROWS_AS(lanes::times_json(report), std::invalid_argument);
    report = sample_report();
    report.cases[0].snippets = {"cpoy"};
    CHECK_THROWS_AS(lanes::times_json(report), std::invalid_argument);
}

TEST_CASE("report: a file that cannot be written is an error") {
    CHECK_THROWS_AS(lanes::write_file("no/such/directory/a.json", "{}"), std::runtime_error);
}

TEST_CASE("report: dates are UTC") {
    const auto date = lanes::utc_now();
    CHECK(date.size() == 20);
    CHECK(date[10] == 'T');
    CHECK(date.back() == 'Z');
}

TEST_CASE("counted cases that cannot be counted or cited are refused") {
    const lanes::CountedCase sound{.name = "a", .kernel = "copy", .predicted = {{"sectors", 1}}, .launch = [] {}};
    CHECK_NOTHROW(lanes::require_sound(lanes::CountedCases{sound}));
    CHECK_THROWS_AS(lanes::require_sound(lanes::CountedCases{}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::require_sound({sound, sound}), std::invalid_argument);
    for (auto* const spoil :
         {+[](lanes::CountedCase& c) { c.name = ""; }, +[](lanes::CountedCase& c) { c.kernel = ""; },
          +[](lanes::CountedCase& c) { c.predicted = {}; }, +[](lanes::CountedCase& c) { c.launch = nullptr; }}) {
        auto spoiled = sound;
        spoil(spoiled);
        CHECK_THROWS_AS(lanes::require_sound(lanes::CountedCases{spoiled}), std::invalid_argument);
    }
}

TEST_CASE("predicted_count: of a case by its name; a wrong name or counter is an error that repeats it") {
    const lanes::CountedCases cases{{.name = "a", .kernel = "k", .predicted = {{"sectors", 1}, {"requests", 2}}},
                                    {.name = "b", .kernel = "k", .predicted = {{"sectors", 3}}}};
    CHECK(lanes::predicted_count(cases, "a", "requests") == 2);
    CHECK(lanes::predicted_count(cases, "b", "sectors") == 3);
    CHECK_THROWS_WITH_AS(lanes::predicted_count(cases, "c", "sectors"), "no counted case is called c",
                         std::invalid_argument);
    CHECK_THROWS_WITH_AS(lanes::predicted_count(cases, "b", "requests"), "counted case b does not predict requests",
                         std::invalid_argument);
}
