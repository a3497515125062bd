/// Every arithmetic form on edge values, against what an H200 computed (hardware/h200.txt; hardware/README.md tells
/// how).

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "hardware/documented_error.hpp"
#include "hardware/form_kernel.hpp"
#include "hardware/form_results.hpp"
#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::hardware;

namespace {

/// Differences of a form that are printed; all are counted.
constexpr std::size_t differences_shown = 5;

std::map<std::string, FormResults> recorded_results() {
    std::ifstream file(LANES_HARDWARE_RESULTS);
    REQUIRE_MESSAGE(file, LANES_HARDWARE_RESULTS << " cannot be read");
    std::string problem;
    std::map<std::string, FormResults> results;
    for (FormResults& form : read_results(file, problem)) results[form.key] = std::move(form);
    REQUIRE_MESSAGE(problem.empty(), LANES_HARDWARE_RESULTS << ": " << problem);
    return results;
}

FormResults emulate(tests::TestProgram& program, const FormCase& form, std::size_t index) {
    tests::DeviceArray<std::uint64_t> sources(program.memory, std::max<std::size_t>(form.operands.size(), 1));
    tests::DeviceArray<std::uint64_t> results(program.memory, form.threads() * form.results, 0xeeeeeeeeeeeeeeeeu);
    for (std::size_t i = 0; i < form.operands.size(); ++i) sources[i] = form.operands[i];
    const auto blocks = static_cast<std::uint32_t>(form.threads() / FormCase::warp_threads);
    const LaunchReport report = program.launch(kernel_name(index), {blocks, 1, 1}, {FormCase::warp_threads, 1, 1},
                                               sources.address(), results.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(form.key << ": " << fault.message);
    return results_of(form, results.values());
}

/// "add.s32 of 1 7fffffff: the hardware's is 80000000, not 7fffffff".
std::string difference(const FormCase& form, std::size_t result, std::uint64_t expected, std::uint64_t actual) {
    std::ostringstream text;
    text << std::hex << form.key << ", result " << result % form.results << " of";
    const std::size_t combination = result / form.results;
    for (std::size_t i = 0; i < form.sources; ++i) text << " " << form.operands[combination * form.sources + i];
    text << ": the hardware's is " << expected << ", not " << actual;
    return text.str();
}

void compare(const FormCase& form, const FormResults& expected, const FormResults& actual) {
    REQUIRE(actual.values.size() == expected.values.size());
    const std::string name = form.key.substr(0, form.key.find(' '));
    std::size_t differences = 0;
    for (std::size_t i = 0; i < actual.values.size(); ++i) {
        const std::uint64_t operand = form.sources == 0 ? 0 : form.operands[i / form.results * form.sources];
        const std::size_t bytes = form.result_bytes(i % form.results);
        if (agree(name, operand, expected.values[i], actual.values[i], bytes)) continue;
        ++differences;
        if (differences > differences_shown) continue;
        FAIL_CHECK(difference(form, i, expected.values[i], actual.values[i]));
    }
    CHECK_MESSAGE(differences == 0, form.key << ": " << differences << " of " << actual.values.size() << " differ");
}

bool bounded(const std::string& form) {
    return form.find(".approx") != std::string::npos || form.find(".full") != std::string::npos;
}

}  // namespace

TEST_CASE("every form computes what the H200 computes") {
    const std::map<std::string, FormResults> recorded = recorded_results();
    const std::vector<FormCase> cases = form_cases();
    CHECK(cases.size() > 1800);
    tests::TestProgram program(module_text(cases, 0));
    std::size_t compared = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto expected = recorded.find(cases[i].key);
        if (expected == recorded.end()) {
            FAIL_CHECK(cases[i].key << " was not run on the hardware: see hardware/README.md");
            continue;
        }
        if (expected->second.fingerprint != cases[i].fingerprint()) {
            FAIL_CHECK(cases[i].key << " was run on other operands: see hardware/README.md");
            continue;
        }
        const FormResults actual = emulate(program, cases[i], i);
        compare(cases[i], expected->second, actual);
        compared += actual.values.size();
    }
    CHECK(compared > 500000);
}

TEST_CASE("every recorded form is one of the list") {
    std::map<std::string, FormResults> recorded = recorded_results();
    for (const FormCase& form : form_cases()) recorded.erase(form.key);
    for (const auto& [key, results] : recorded) FAIL_CHECK(key << " was run on the hardware, but is not in the list");
    CHECK(recorded.empty());
}

TEST_CASE("every form that is not compared has a reason, and every reason a form") {
    std::map<const IncomparableForm*, std::size_t> uses;
    std::size_t comparable = 0;
    for (const SupportedForm& form : supported_forms()) {
        const IncomparableForm* const reason = find_incomparable(form);
        if (reason == nullptr) {
            ++comparable;
        } else {
            ++uses[reason];
        }
    }
    CHECK(comparable > 1800);
    for (const IncomparableForm& entry : incomparable_forms()) {
        CHECK_MESSAGE(uses[&entry] > 0, "no form is " << entry.opcode << "..." << entry.modifier);
        CHECK(!entry.reason.empty());
    }
}

TEST_CASE("only approximate forms may differ, and by no more than is documented") {
    for (const FormCase& form : form_cases()) {
        const std::string name = form.key.substr(0, form.key.find(' '));
        // 1.0 and its neighbours in any format that has them.
        CHECK_MESSAGE((bounded(name) || !agree(name, 0, 0x3f800000u, 0x3f800001u, 4)), name);
    }
    CHECK(agree("ex2.approx.f32", 0, 0x3f800000u, 0x3f800002u, 4));
    CHECK_FALSE(agree("ex2.approx.f32", 0, 0x3f800000u, 0x3f800003u, 4));
    CHECK(agree("rcp.approx.ftz.f32", 0, 0x3f800000u, 0x3f800001u, 4));
    CHECK_FALSE(agree("rcp.approx.ftz.f32", 0, 0x3f800000u, 0x3f800002u, 4));
    CHECK_FALSE(agree("rcp.approx.ftz.f64", 0, 0x3ff0000000000000u, 0x3ff0000100000000u, 8));
    CHECK(agree("rsqrt.approx.ftz.f64", 0, 0x3ff0000000000000u, 0x3ff0000100000000u, 8));
    CHECK_FALSE(agree("ex2.approx.f32", 0, 0x7fffffffu, 0x7fc00000u, 4));
    CHECK_FALSE(agree("ex2.approx.f32", 0, 0x7f800000u, 0x7f7fffffu, 4));
    // sin near pi: 2^-20.5 is documented up to 2 pi, nothing beyond 100 pi.
    CHECK(agree("sin.approx.f32", 0x40490fdbu, 0, 0x35000000u, 4));
    CHECK_FALSE(agree("sin.approx.f32", 0x40490fdbu, 0, 0x35800000u, 4));
    CHECK(agree("sin.approx.f32", 0x50490fdbu, 0, 0x3f800000u, 4));
    CHECK(agree("ex2.approx.f16x2", 0, 0x3c003c00u, 0x3c013c01u, 4));
    CHECK_FALSE(agree("ex2.approx.f16x2", 0, 0x3c003c00u, 0x3c003c03u, 4));
    CHECK_FALSE(agree("ex2.approx.f16x2", 0, 0x3c003c00u, 0x3c033c00u, 4));
}

TEST_CASE("results survive being written and read") {
    const std::vector<FormResults> results = {{"a b 0x5", 7, {0, 1, 1, 1, 0xffffffffffffffffu}},
                                              {"c d", 8, {0, 1, 1, 1, 0xffffffffffffffffu}},
                                              {"e f", 9, std::vector<std::uint64_t>(5000, 0x123456789u)}};
    std::stringstream file;
    write_results(file, "a comment", results);
    std::string problem;
    const std::vector<FormResults> copies = read_results(file, problem);
    CHECK(problem.empty());
    REQUIRE(copies.size() == results.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        CHECK(copies[i].key == results[i].key);
        CHECK(copies[i].fingerprint == results[i].fingerprint);
        CHECK(copies[i].values == results[i].values);
    }
}

TEST_CASE("a damaged file of results is refused") {
    const auto problem_of = [](const std::string& text) {
        std::istringstream file(text);
        std::string problem;
        read_results(file, problem);
        return problem;
    };
    CHECK(problem_of("# comment\na b 2 7\n 1 2\n").empty());
    CHECK(problem_of("a b 3 7\n 1 2\n") == "a b has too few or too many results");
    CHECK(problem_of("a b 2 7\n 1 x\n") == "line 2 cannot be read:  1 x");
    CHECK(problem_of(" 1 2\n") == "line 1 cannot be read:  1 2");
    CHECK(problem_of("= a b\n") == "line 1 cannot be read: = a b");
    CHECK(problem_of("a b 1 7\n 1\nc d 1 8\n= e f\n") == "line 4 cannot be read: = e f");
    CHECK(problem_of("a b\n") == "line 1 cannot be read: a b");
    CHECK(problem_of("a b 1 7\n 1\na b 1 7\n 1\n") == "line 3 cannot be read: a b 1 7");
    CHECK(problem_of("a b 1 7\n 1*99999999\n") == "line 2 cannot be read:  1*99999999");
}
