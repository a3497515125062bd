#include <replacement.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using lanes::emulator::ptx::Module;
using lanes::emulator::ptx::parse;
using lanes::runtime::Interface;
using lanes::runtime::misfit;

namespace {

// void scale(float*, int), and the variable `answer`.
const Interface program = {{"_Z5scalePfi"}, {"answer"}};

Module module_of(const std::string& text) {
    auto module = parse(".version 8.0\n.target sm_80\n.address_size 64\n" + text);
    REQUIRE(module);
    return *module;
}

const std::string answer = ".visible .const .align 4 .u32 answer = 7;\n";
const std::string scale = ".visible .entry _Z5scalePfi(.param .u64 a, .param .u32 n) { ret; }\n";

std::string misfit_of(const std::string& replacement) {
    return misfit(program, {module_of(answer + scale)}, module_of(replacement));
}

}  // namespace

TEST_SUITE("replacement") {
    TEST_CASE("the same kernels and variables fit, and there may be more of them") {
        CHECK(misfit_of(answer + scale) == "");
        CHECK(misfit_of(answer + scale + ".visible .entry more() { ret; }\n") == "");
    }

    TEST_CASE("a kernel that is missing is named as in the source") {
        CHECK(misfit_of(answer) == "defines no kernel named scale(float*, int), which is launched.");
        const std::string renamed = ".visible .entry _Z5scalsPfi(.param .u64 a, .param .u32 n) { ret; }\n";
        CHECK(misfit_of(answer + renamed) ==
              "defines no kernel named scale(float*, int), which is launched. It defines scals(float*, int).");
    }

    TEST_CASE("other parameters are shown beside the wanted ones") {
        const std::string other = ".visible .entry _Z5scalePfl(.param .u64 a, .param .u64 n) { ret; }\n";
        CHECK(misfit_of(answer + other) ==
              "defines scale(float*, long), and what is launched is scale(float*, int): the parameters must stay as "
              "they were.");
    }

    TEST_CASE("a kernel with the name of C is told from one with other parameters") {
        CHECK(misfit_of(answer + ".visible .entry scale(.param .u64 a, .param .u32 n) { ret; }\n") ==
              "defines scale as extern \"C\", and what is launched is scale(float*, int), a function of C++.");
    }

    TEST_CASE("a parameter of the same name and another size is found") {
        const std::string larger = ".visible .entry _Z5scalePfi(.param .u64 a, .param .u64 n) { ret; }\n";
        CHECK(misfit_of(answer + larger) ==
              "defines scale(float*, int) with 8 bytes for parameter 2, and it is launched with 4.");
        const std::string fewer = ".visible .entry _Z5scalePfi(.param .u64 a) { ret; }\n";
        CHECK(misfit_of(answer + fewer) == "defines scale(float*, int) with 1 parameters, and it is launched with 2.");
    }

    TEST_CASE("a variable must be there, and of the same size") {
        CHECK(misfit_of(scale) == "defines no variable named answer, which is used.");
        CHECK(misfit_of(scale + ".visible .const .align 8 .u64 answer = 7;\n") ==
              "defines answer with 8 bytes, and it is used with 4.");
    }
}
