#include <report.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

using namespace lanes::runtime;
using nlohmann::json;
namespace emulator = lanes::emulator;

TEST_SUITE("report") {
    TEST_CASE("a launch says all that the command's JSON promises") {
        emulator::LaunchReport report;
        report.totals[emulator::Counter::global_ld_sectors] = 128;
        report.lines.push_back({"add.cu", 7, {}});
        report.lines[0].counters[emulator::Counter::global_ld_sectors] = 128;
        const json line = launch_line({"_Z3addPf", {2, 1, 1}, {32, 4, 1}, 16, 64}, report)["launch"];
        CHECK(line["kernel"] == "add(float*)");
        CHECK(line["grid"] == json::array({2, 1, 1}));
        CHECK(line["block"] == json::array({32, 4, 1}));
        CHECK(line["static_shared_bytes"] == 16);
        CHECK(line["dynamic_shared_bytes"] == 64);
        CHECK(line["counters"].size() == emulator::counter_count);
        CHECK(line["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"] == 128);
        CHECK(line["lines"][0]["file"] == "add.cu");
        CHECK(line["lines"][0]["line"] == 7);
        CHECK(line["lines"][0]["counters"] == json{{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 128}});
    }

    TEST_CASE("a fault says all that the command's JSON promises") {
        emulator::Fault fault;
        fault.kind = emulator::FaultKind::out_of_bounds;
        fault.severity = emulator::Severity::warning;
        fault.message = "_Z3addPf, block (1,0,0): beyond";
        fault.kernel = "_Z3addPf";
        fault.block = {1, 0, 0};
        fault.file = "add.cu";
        fault.line = 9;
        const json line = fault_line(fault, true)["fault"];
        CHECK(line["kind"] == "out_of_bounds");
        CHECK(line["severity"] == "warning");
        CHECK(line["message"] == "add, block (1,0,0): beyond");
        CHECK(line["kernel"] == "add(float*)");
        CHECK(line["block"] == json::array({1, 0, 0}));
        CHECK(line["thread"] == json::array({0, 0, 0}));
        CHECK(line["file"] == "add.cu");
        CHECK(line["line"] == 9);
        CHECK(line["other_file"] == "");
        CHECK(line["occurrences"] == 1);
        CHECK(line["expected"] == true);
    }

    TEST_CASE("lines are appended whole, and bytes that are no UTF-8 do no harm") {
        char name[] = "/tmp/lanes-report-test.XXXXXX";
        const int descriptor = mkstemp(name);
        REQUIRE(descriptor >= 0);
        close(descriptor);
        {
            ReportFile first(name);
            ReportFile second(name);
            REQUIRE(first.enabled());
            first.append({{"text", "\xff\xfe"}});
            second.append(device_line(device_profiles().front()));
        }
        std::ifstream file(name);
        std::string line;
        REQUIRE(std::getline(file, line));
        CHECK(json::parse(line).contains("text"));
        REQUIRE(std::getline(file, line));
        CHECK(json::parse(line)["device"]["compute_capability"] == "7.5");
        CHECK_FALSE(std::getline(file, line));
        unlink(name);
    }

    TEST_CASE("a file that cannot be opened is noticed") {
        const ReportFile report("/nonexistent-folder/report");
        CHECK(report.failed());
        CHECK_FALSE(report.enabled());
        CHECK_FALSE(ReportFile("").failed());
    }
}
