#include "damage.hpp"
#include "sample_file.hpp"

#include <cubin.hpp>

#include <doctest/doctest.h>

#include <regex>
#include <string>

using namespace lanes::runtime;
using namespace lanes::runtime::tests;

namespace {

// What ptxas itself printed when it made the cubin: "Used 12 registers, used 1 barriers, 400 bytes cumulative stack".
KernelResources as_printed(const std::string& log, const std::string& kernel) {
    const std::size_t start = log.find("Compiling entry function '" + kernel + "'");
    REQUIRE(start != std::string::npos);
    const std::string text = log.substr(start);
    std::smatch match;
    KernelResources resources;
    REQUIRE(std::regex_search(text, match, std::regex("Used ([0-9]+) registers(, used ([0-9]+) barriers)?")));
    resources.registers = static_cast<std::uint32_t>(std::stoul(match[1]));
    resources.barriers = match[3].matched ? static_cast<std::uint32_t>(std::stoul(match[3])) : 0;
    REQUIRE(std::regex_search(text, match, std::regex("([0-9]+) bytes stack frame")));
    resources.local_bytes = static_cast<std::uint32_t>(std::stoul(match[1]));
    return resources;
}

void compare_with_ptxas(const std::string& architecture) {
    CAPTURE(architecture);
    const auto cubin = read_cubin(read_sample(architecture + ".cubin"));
    const auto log_bytes = read_sample(architecture + ".log");
    const std::string log(reinterpret_cast<const char*>(log_bytes.data()), log_bytes.size());
    REQUIRE(cubin);
    CHECK(cubin->constant_bytes == 16);
    for (const std::string kernel : {"_Z5scalePKfPfi", "_Z15shuffle_locallyPi"}) {
        CAPTURE(kernel);
        const KernelResources expected = as_printed(log, kernel);
        REQUIRE(cubin->kernels.contains(kernel));
        CHECK(cubin->kernels.at(kernel).registers == expected.registers);
        CHECK(cubin->kernels.at(kernel).local_bytes == expected.local_bytes);
        CHECK(cubin->kernels.at(kernel).barriers == expected.barriers);
    }
}

}  // namespace

TEST_SUITE("cubin") {
    TEST_CASE("registers, local memory and barriers are those that ptxas printed") {
        for (const char* architecture : {LANES_SAMPLE_CUBINS}) compare_with_ptxas(architecture);
    }

    TEST_CASE("truncated and changed cubins never read outside") {
        const auto whole = read_sample("sm_80.cubin");
        REQUIRE(read_cubin(whole));
        int refused = 0;
        const auto use = [&](std::span<const std::byte> bytes) {
            if (!read_cubin(bytes)) ++refused;
        };
        for_each_truncation(whole, 7, use);
        CHECK(refused > 0);
        for_each_mutation(whole, 3000, use);
    }

    TEST_CASE("what is no ELF file is refused") {
        const std::vector<std::byte> zeros(4096);
        CHECK_FALSE(read_cubin(zeros));
        CHECK_FALSE(read_cubin({}));
    }
}
