#include <options.hpp>

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace lanes::runtime;

namespace {

lanes::emulator::Result<Options> read_from(const std::map<std::string, std::string>& variables) {
    return read_options([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

// The message of a bad value names the variable and quotes the value.
void check_refused(const std::string& name, const std::string& value) {
    CAPTURE(name);
    CAPTURE(value);
    const auto options = read_from({{name, value}});
    REQUIRE_FALSE(options);
    CHECK(options.error().message.find(name) != std::string::npos);
    CHECK(options.error().message.find("\"" + value + "\"") != std::string::npos);
}

}  // namespace

TEST_SUITE("options") {
    TEST_CASE("defaults") {
        const auto options = read_from({});
        REQUIRE(options);
        CHECK(options->device->option() == "sm_89");
        CHECK(options->threads >= 1);
        const lanes::emulator::LaunchConfig emulator_defaults;
        CHECK(options->budget == emulator_defaults.instruction_budget);
        CHECK(options->schedule.lockstep);
        CHECK(options->checks == lanes::emulator::Checks::all());
        CHECK(options->report.empty());
        CHECK(options->module.empty());
    }

    TEST_CASE("a device goes by its option or by its number") {
        for (const char* text : {"sm_90", "90"}) {
            const auto options = read_from({{"LANES_DEVICE", text}});
            REQUIRE(options);
            CHECK(options->device->option() == "sm_90");
        }
    }

    TEST_CASE("every variable is read") {
        const auto options = read_from({{"LANES_DEVICE", "sm_75"},
                                        {"LANES_THREADS", "3"},
                                        {"LANES_BUDGET", "1000"},
                                        {"LANES_SCHEDULE", "42"},
                                        {"LANES_CHECKS", "race_shared,leaks"},
                                        {"LANES_REPORT", "report.jsonl"},
                                        {"LANES_MODULE", "other.ptx"}});
        REQUIRE(options);
        CHECK(options->device->compute_capability == 75);
        CHECK(options->threads == 3);
        CHECK(options->budget == 1000);
        CHECK_FALSE(options->schedule.lockstep);
        CHECK(options->schedule.seed == 42);
        CHECK(options->checks.has(lanes::emulator::Check::race_shared));
        CHECK(options->checks.has(lanes::emulator::Check::leaks));
        CHECK_FALSE(options->checks.has(lanes::emulator::Check::race_global));
        CHECK(options->report == "report.jsonl");
        CHECK(options->module == "other.ptx");
    }

    TEST_CASE("bad values are refused, and the message says which") {
        check_refused("LANES_DEVICE", "sm_70");
        check_refused("LANES_DEVICE", "");
        check_refused("LANES_DEVICE", "70");
        check_refused("LANES_DEVICE", "sm_");
        for (const char* value : {"0", "-1", "1025", "two", "3 ", "", "99999999999999999999"})
            check_refused("LANES_THREADS", value);
        for (const char* value : {"0", "1e9", "-5", ""}) check_refused("LANES_BUDGET", value);
        for (const char* value : {"random", "-1", "1.5", ""}) check_refused("LANES_SCHEDULE", value);
        check_refused("LANES_CHECKS", "speed");
    }

    TEST_CASE("an unknown device is answered with the list of those there are") {
        const auto options = read_from({{"LANES_DEVICE", "sm_70"}});
        REQUIRE_FALSE(options);
        for (const DeviceProfile& profile : device_profiles())
            CHECK(options.error().message.find(profile.option()) != std::string::npos);
    }
}
