// Parts of the grader: limits, headers, and text of strangers.
#include "command.hpp"

#include <confined_child.hpp>
#include <file_probe.hpp>
#include <header_list.hpp>
#include <scratch_folder.hpp>
#include <submission.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace lanes;
using lanes::tests::Folder;

namespace {

// What a shell does under limits.
ConfinedResult run(const std::string& script, const Folder& folder, std::uint64_t memory = 0) {
    constexpr std::uint64_t output_bytes = 1000;
    return run_confined({"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"},
                        {std::chrono::seconds(1), memory, output_bytes}, folder.file("log"));
}

}  // namespace

TEST_SUITE("grade_parts") {
    TEST_CASE("a confined program ends with its status, and what it prints is kept") {
        const Folder folder;
        CHECK(run("echo out; echo err >&2; exit 3", folder).status == 3);
        CHECK(tests::read_text(folder.file("log")) == "out\nerr\n");
        CHECK_FALSE(run_confined({"/no/program"}, {}, {}, folder.file("log")).start_error.empty());
    }

    TEST_CASE("it has no variables of ours and no open files") {
        const Folder folder;
        setenv("LANES_TEST_SECRET", "secret", 1);
        run("env; ls /proc/self/fd | wc -l", folder);
        const std::string text = tests::read_text(folder.file("log"));
        CHECK(text.find("secret") == std::string::npos);
        CHECK(text.find("\n4\n") != std::string::npos);  // three, and the folder that ls reads
    }

    TEST_CASE("it is ended at its limits") {
        const Folder folder;
        CHECK(run("while :; do :; done", folder).status == 128 + SIGKILL);
        const ConfinedResult asleep = run("sleep 100 & sleep 100", folder);
        CHECK(asleep.timed_out);
        run("yes", folder);
        CHECK(std::filesystem::file_size(folder.file("log")) == 1000);
        constexpr std::uint64_t memory = 64 << 20;
        CHECK(run("x=12345678; while :; do x=$x$x; done", folder, memory).status != 0);
    }

    TEST_CASE("the files that a compilation opened") {
        CHECK(opened_files("") == std::vector<std::string>());
        CHECK(opened_files("a.o: /x/a.cu \\\n /x/../y/b.h /z/with\\ blank.h\n") ==
              std::vector<std::string>{"/x/a.cu", "/y/b.h", "/z/with blank.h"});
        CHECK(first_forbidden({"/x/a.cu", "/y/b.h"}, {"/x/a.cu"}) == "/y/b.h");
        CHECK(first_forbidden({"/x/a.cu"}, {"/x/a.cu"}) == "");
    }

    TEST_CASE("what asks for files without opening them") {
        CHECK(file_probe("#if __has_include(<x>)") == "__has_include");
        CHECK(file_probe("#if __has_\\\ninclude_next(<x>)") == "__has_include");
        CHECK(file_probe("_Pragma(\"GCC dependency \\\"x\\\"\")") == "dependency");
        CHECK(file_probe("#define P(a, b) a %:%: b") == "##");
        CHECK(file_probe("// ## a heading\nint has_include = '\\\\';") == "");
    }

    TEST_CASE("a folder for a while goes away, and so does one whose owner is gone") {
        const Folder temporary;
        setenv("TMPDIR", temporary.path().c_str(), 1);
        const std::string left = temporary.file("some.left");
        std::filesystem::create_directories(left + "/more");
        std::ofstream(left + "/lock") << "";
        std::filesystem::create_directories(temporary.file("some.other"));  // without a lock: not one of ours
        std::string path;
        {
            const ScratchFolder scratch("some");
            const ScratchFolder second("some");  // does not take the first for left
            path = scratch.path().string();
            CHECK(std::filesystem::is_directory(path));
            CHECK_FALSE(std::filesystem::exists(left));
        }
        unsetenv("TMPDIR");
        CHECK_FALSE(std::filesystem::exists(path));
        CHECK(std::filesystem::exists(temporary.file("some.other")));
    }

    TEST_CASE("text of strangers") {
        CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");  // FIPS 180-2
        CHECK(printable("a\tb\n\x1b[31m\x7f", 100) == "a\tb\n?[31m?");
        CHECK(printable("caf\xe9", 100) == "caf\xef\xbf\xbd");
        CHECK(printable("abcdef", 3) == "abc\n...");
    }
}
