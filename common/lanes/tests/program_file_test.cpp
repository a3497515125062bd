#include "command.hpp"

#include <program_file.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

using namespace lanes;

namespace {

ProgramFile inspect(const std::string& path) {
    const std::string text = tests::read_text(path);
    return inspect_program({reinterpret_cast<const std::byte*>(text.data()), text.size()});
}

const std::string our_library = "libcudart.so." LANES_CUDART_MAJOR;

}  // namespace

TEST_SUITE("program_file") {
    TEST_CASE("a program with the shared runtime can run") {
        const ProgramFile program = inspect(LANES_SHARED_PROGRAM);
        CHECK(program.kind == ProgramKind::elf);
        CHECK(program.has_device_code);
        CHECK(program.has_ptx);
        CHECK(program.imports_runtime);
        const Verdict verdict = judge_program("program", program, our_library);
        CHECK(verdict.can_run);
        CHECK(verdict.message.empty());
    }

    TEST_CASE("a program with the static runtime is told which option is missing") {
        const ProgramFile program = inspect(LANES_STATIC_PROGRAM);
        CHECK(program.has_device_code);
        CHECK_FALSE(program.imports_runtime);
        const Verdict verdict = judge_program("program", program, our_library);
        CHECK_FALSE(verdict.can_run);
        CHECK(verdict.message.find("-cudart=shared") != std::string::npos);
    }

    TEST_CASE("a program without PTX is told which option is missing") {
        for (const char* path : {LANES_CUBIN_PROGRAM, LANES_CUBIN_LINKED_PROGRAM}) {
            CAPTURE(path);
            const ProgramFile program = inspect(path);
            CHECK_FALSE(program.has_ptx);
            CHECK(program.cubin_architectures == std::vector<std::uint32_t>{80});
            const Verdict verdict = judge_program("program", program, our_library);
            CHECK_FALSE(verdict.can_run);
            CHECK(verdict.message.find("-arch=sm_80") != std::string::npos);
            CHECK(verdict.message.find('\n') == std::string::npos);
        }
    }

    TEST_CASE("the PTX of a program is what nvcc wrote, and is missing where it wrote none") {
        const auto ptx_of = [](const std::string& path, std::uint32_t capability) {
            const std::string text = tests::read_text(path);
            return ptx_of_program({reinterpret_cast<const std::byte*>(text.data()), text.size()}, capability);
        };
        const auto ptx = ptx_of(LANES_SHARED_PROGRAM, 89);
        REQUIRE(ptx);
        CHECK(ptx->find(".target sm_80") != std::string::npos);
        CHECK(ptx->find(".entry") != std::string::npos);
        CHECK(ptx->find('\0') == std::string::npos);
        CHECK_FALSE(ptx_of(LANES_SHARED_PROGRAM, 75));
        CHECK_FALSE(ptx_of(LANES_CUBIN_PROGRAM, 89));
        CHECK(ptx_of("/proc/self/exe", 89));
        CHECK((*ptx_of("/proc/self/exe", 89)).empty());
    }

    TEST_CASE("a program for another CUDA version is told so") {
        const Verdict verdict = judge_program("program", inspect(LANES_SHARED_PROGRAM), "libcudart.so.99");
        CHECK_FALSE(verdict.can_run);
        CHECK(verdict.message.find(our_library) != std::string::npos);
        CHECK(verdict.message.find("libcudart.so.99") != std::string::npos);
    }

    TEST_CASE("a program without CUDA runs, with a note") {
        const Verdict verdict = judge_program("program", inspect("/proc/self/exe"), our_library);
        CHECK(verdict.can_run);
        CHECK_FALSE(verdict.message.empty());
    }

    TEST_CASE("scripts run, and other files do not") {
        const std::string script = "#!/bin/sh\n";
        const auto* start = reinterpret_cast<const std::byte*>(script.data());
        CHECK(judge_program("script", inspect_program({start, script.size()}), our_library).can_run);
        CHECK_FALSE(judge_program("text", inspect_program({start + 2, script.size() - 2}), our_library).can_run);
        CHECK_FALSE(judge_program("empty", inspect_program({}), our_library).can_run);
    }

    TEST_CASE("damaged programs are read without a read outside") {
        const std::string whole = tests::read_text(LANES_SHARED_PROGRAM);
        constexpr std::size_t tables = 8192;  // section headers are at the end of a file
        REQUIRE(whole.size() > tables);
        std::mt19937 random(7);
        int elves = 0;
        for (int i = 0; i < 300; ++i) {
            const std::size_t size = i % 3 == 0 ? tables + random() % (whole.size() - tables) : whole.size();
            const auto copy = std::make_unique<std::byte[]>(size);
            std::copy_n(reinterpret_cast<const std::byte*>(whole.data()), size, copy.get());
            for (int change = 0; change < 20; ++change)
                copy[i % 2 == 0 ? size - 1 - random() % tables : random() % size] = static_cast<std::byte>(random());
            if (inspect_program({copy.get(), size}).kind == ProgramKind::elf) ++elves;
        }
        CHECK(elves > 0);
    }
}
