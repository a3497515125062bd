#include "command.hpp"

#include <profiles.hpp>

#include <lanes/emulator/checks.hpp>
#include <lanes/emulator/counters.hpp>
#include <lanes/emulator/fault.hpp>

#include <doctest/doctest.h>

#include <string>

using lanes::emulator::Counter;
using lanes::emulator::FaultKind;
using lanes::tests::CommandResult;
using lanes::tests::lanes_command;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

void check_refused(const std::vector<std::string>& arguments, const std::string& part) {
    CAPTURE(arguments.back());
    const CommandResult result = lanes_command(arguments);
    CHECK(result.status == 2);
    CHECK(result.output.empty());
    CHECK_MESSAGE(contains(result.errors, part), result.errors);
}

}  // namespace

TEST_SUITE("usage") {
    TEST_CASE("help teaches: every option, an example, exit statuses, devices") {
        const CommandResult result = lanes_command({"run", "--help"});
        CHECK(result.status == 0);
        for (const char* part : {"--device", "--checks", "--schedule", "--threads", "--budget", "--json", "--lines",
                                 "-cudart=shared", "-lineinfo", "lanes run ./vector_add", "Exit status", "sm_120"})
            CHECK_MESSAGE(contains(result.output, part), part);
        CHECK(contains(lanes_command({"--help"}).output, "run"));
    }

    TEST_CASE("help says what an option takes in words") {
        const std::string help = lanes_command({"grade", "--help"}).output;
        for (const char* part : {"--jobs N ", "--time SECONDS=20", "--bubblewrap WHEN "})
            CHECK_MESSAGE(contains(help, part), part);
        CHECK_FALSE(contains(lanes_command({"hint", "--help"}).output, "UINT"));
    }

    TEST_CASE("a wrong word is answered with the right ones") {
        check_refused({"grade", "submissions", "--exercise", "12_pitch", "--bubblewrap", "maybe"},
                      "--bubblewrap: maybe not in {always,auto,never}");
    }

    TEST_CASE("the version names the library it stands in for") {
        const CommandResult result = lanes_command({"--version"});
        CHECK(result.status == 0);
        CHECK(result.output == "lanes " LANES_VERSION " (libcudart.so." LANES_CUDART_MAJOR ")\n");
    }

    TEST_CASE("devices are listed with their cards") {
        const CommandResult result = lanes_command({"device"});
        CHECK(result.status == 0);
        for (const auto& profile : lanes::runtime::device_profiles()) {
            CHECK(contains(result.output, profile.option()));
            CHECK(contains(result.output, std::string(profile.card)));
        }
        CHECK(contains(result.output, "(default)"));
    }

    TEST_CASE("what is counted, checked and found is listed whole") {
        const CommandResult counters = lanes_command({"counters"});
        CHECK(counters.status == 0);
        for (std::size_t i = 0; i < lanes::emulator::counter_count; ++i)
            CHECK(contains(counters.output, std::string(info(static_cast<Counter>(i)).name) + ' '));
        const CommandResult faults = lanes_command({"faults"});
        CHECK(faults.status == 0);
        for (int kind = 0; kind <= static_cast<int>(FaultKind::unsupported); ++kind)
            CHECK(contains(faults.output, '\n' + std::string(name_of(static_cast<FaultKind>(kind))) + ' '));
        const CommandResult checks = lanes_command({"checks"});
        CHECK(checks.status == 0);
        for (const char* name : {"race_shared", "race_global", "uninitialized_read", "same_value_writes", "leaks"}) {
            CAPTURE(name);
            const auto set = lanes::emulator::parse_checks(name);
            REQUIRE(set);
            CHECK(lanes::emulator::name_of(*set) == name);
            CHECK(contains(checks.output, '\n' + std::string(name) + ' '));
        }
    }

    TEST_CASE("the PTX of a program is printed") {
        const CommandResult result = lanes_command({"ptx", LANES_SHARED_PROGRAM});
        CHECK(result.status == 0);
        CHECK(contains(result.output, ".entry"));
        check_refused({"ptx", LANES_CUBIN_PROGRAM}, "PTX");
        check_refused({"ptx", LANES_COMMAND}, "holds no code for a GPU");
        check_refused({"ptx", "./nowhere"}, "no program ./nowhere");
        check_refused({"ptx", "--device", "sm_70", LANES_SHARED_PROGRAM}, "unknown device");
    }

    TEST_CASE("bad usage is refused, and the message names what was wrong") {
        check_refused({"run"}, "no program given");
        check_refused({"run", "--"}, "no program given");
        check_refused({"run", "--fast", "./program"}, "--fast");
        check_refused({"run", "--device", "sm_70", "./program"}, "unknown device \"sm_70\"");
        check_refused({"run", "--checks", "speed", "./program"}, "speed");
        check_refused({"run", "--schedule", "random", "./program"}, "\"random\" is not a schedule");
        check_refused({"run", "--threads", "0", "./program"}, "\"0\" is not a number of threads");
        check_refused({"run", "--budget", "-1", "./program"}, "\"-1\" is not a number of instructions");
        check_refused({"run", "--json"}, "--json");
        check_refused({"walk"}, "walk");
    }
}
