#include "command.hpp"

#include <run_report.hpp>
#include <summary.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace lanes;
using nlohmann::json;

TEST_SUITE("run_report") {
    TEST_CASE("what a crash cut off is left out, and what came before is kept") {
        const tests::Folder folder;
        std::ofstream(folder.file("events"))
            << R"json({"device":{"name":"d","compute_capability":"8.9"}})json" << '\n'
            << R"json({"launch":{"kernel":"a(int)","counters":{},"lines":[]}})json" << '\n'
            << "no JSON\n"
            << R"json({"fault":{"severity":"error","expected":true}})json" << '\n'
            << R"json({"fault":{"severity":"warning"}})json" << '\n'
            << R"json({"fault":{"severity":"error"}})json" << '\n'
            << R"json({"launch":{"kernel":"b(i)json";
        const RunReport report = read_report(folder.file("events"));
        CHECK(report.device["name"] == "d");
        CHECK(report.launches.size() == 1);
        CHECK(report.faults.size() == 3);
        CHECK(report.unexpected_errors() == 1);
    }

    TEST_CASE("a fault is listed once, however many launches had it") {
        const tests::Folder folder;
        std::ofstream(folder.file("events"))
            << R"json({"fault":{"kernel":"a","line":4,"message":"at 0x10","occurrences":2}})json" << '\n'
            << R"json({"fault":{"kernel":"a","line":5,"message":"at 0x10","occurrences":1}})json" << '\n'
            << R"json({"fault":{"kernel":"a","line":4,"message":"at 0x20","occurrences":3}})json" << '\n'
            << R"json({"fault":{"kernel":"a","line":0,"message":"a was not launched","occurrences":1}})json" << '\n'
            << R"json({"fault":{"kernel":"a","line":0,"message":"another reason","occurrences":1}})json" << '\n'
            << R"json({"fault":{"kernel":"a","line":0,"message":"a was not launched","occurrences":1}})json" << '\n'
            << R"json({"fault":{"kernel":"b","line":4,"message":"at 0x10","occurrences":1}})json" << '\n';
        const RunReport report = read_report(folder.file("events"));
        REQUIRE(report.faults.size() == 5);
        CHECK(report.faults[0]["message"] == "at 0x10");
        CHECK(report.faults[0]["occurrences"] == 5);
        CHECK(report.faults[1]["occurrences"] == 1);
        CHECK(report.faults[2]["occurrences"] == 2);
        CHECK(report.faults[3]["occurrences"] == 1);
        CHECK(report.faults[4]["kernel"] == "b");
    }

    TEST_CASE("no file is an empty report") {
        const RunReport report = read_report("/nonexistent/events");
        CHECK(report.device.is_null());
        CHECK(report.launches.empty());
        CHECK(kernel_table(report) == "No kernel was launched.\n");
    }

    TEST_CASE("launches of a kernel are added up, kernels in the order in which they came") {
        RunReport report;
        const json counters = {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 10},
                               {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 40}};
        const json lines = json::array();
        report.launches = {{{"kernel", "second(int)"}, {"counters", counters}, {"lines", lines}},
                           {{"kernel", "first(int)"}, {"counters", json::object()}, {"lines", lines}},
                           {{"kernel", "second(int)"}, {"counters", counters}, {"lines", lines}}};
        report.faults = {{{"kernel", "first(int)"}, {"severity", "error"}}};
        const std::string table = kernel_table(report);
        CHECK(table.find("second         2        20       80             4.00") != std::string::npos);
        CHECK(table.find("second") < table.find("first "));
        CHECK(line_table(report).find("-lineinfo") != std::string::npos);
    }
}
