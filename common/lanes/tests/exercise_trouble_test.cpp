// What is no fault of the student's file: it ends with status 2, and says what to do.
#include "checkout.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace lanes::tests;
namespace fs = std::filesystem;

namespace {

// That the command could not do its work, and what it said.
void expect_trouble(const CommandResult& result, const std::string& words) {
    CAPTURE(words);
    CHECK(result.status == 2);
    CHECK_MESSAGE(has(result.errors, words), result.errors);
    CHECK(result.output == "");
}

}  // namespace

TEST_SUITE("exercise_trouble") {
    TEST_CASE("a compiler that cannot compile anything is not taken for a wrong file") {
        const Checkout checkout;
        expect_trouble(checkout.lanes("check 13", "env -i"),
                       "cannot compile an empty file here, so nothing is checked");
        expect_trouble(checkout.lanes("check 13", "CUDACXX=/no/nvcc"),
                       "/no/nvcc cannot be started: No such file or directory; CUDACXX names another nvcc");
    }

    TEST_CASE("options that a person has set for nvcc, and a closed stdin, change nothing") {
        const Checkout checkout;
        checkout.solve();
        CHECK(checkout.lanes("check 13", "NVCC_APPEND_FLAGS=--bogus NVCC_PREPEND_FLAGS=-G").status == 0);
        CHECK(checkout.lanes("check 13", "exec <&- ;").status == 0);
        CHECK(checkout.lanes("list", "exec <&- ;").status == 0);
    }

    TEST_CASE("a check program that ends on its own is not taken for a wrong result") {
        const Checkout checkout;
        fs::create_directories(checkout.path("broken"));
        std::ofstream(checkout.path("broken/libcudart.so.") + LANES_CUDART_MAJOR) << "no library";
        expect_trouble(checkout.lanes("check 13", "LANES_EMULATOR='" + checkout.path("broken") + '\''),
                       "the check program broke off, which is no fault of your file");
    }

    TEST_CASE("what is in the place of the file is named") {
        const Checkout checkout;
        fs::remove(checkout.sums());
        expect_trouble(checkout.lanes("check 13"), "there is no file " + checkout.sums() +
                                                       "; `" LANES_COMMAND
                                                       " reset 13_column_sums` makes the file anew");
        fs::create_symlink("/nowhere.cu", checkout.sums());
        expect_trouble(checkout.lanes("check 13"), "is a link to /nowhere.cu, which is not there; `");
        CHECK(checkout.lanes("reset 13").status == 0);
        CHECK(fs::is_symlink(checkout.sums() + ".before_reset"));
        fs::remove(checkout.sums());
        fs::create_directory(checkout.sums());
        expect_trouble(checkout.lanes("check 13"), "column_sums.cu is a folder; `");
        expect_trouble(checkout.lanes("check 13 --file /proc/self/mem"), "/proc/self/mem cannot be read: Input/output");
        expect_trouble(checkout.lanes("check 13 --file /dev/null"), "/dev/null cannot be read: it is no plain file");
    }

    TEST_CASE("progress that cannot be kept is said, and keeps nobody from going on") {
        const Checkout checkout;
        checkout.solve();
        fs::create_directory(checkout.path("exercises/progress.txt"));
        const CommandResult passed = checkout.lanes("check 13");
        CHECK(passed.status == 0);
        CHECK(has(passed.errors, "lanes: note: that it is solved cannot be kept: "));
        const CommandResult first = checkout.lanes("hint 13");
        CHECK(first.status == 0);
        CHECK(has(first.output, "hint 1 of 3"));
        CHECK(has(first.errors, "progress.txt cannot be read: it is a folder. `" LANES_COMMAND
                                " hint 13_column_sums 2` shows it.\n"));
        CHECK(has(checkout.lanes("hint 13 2").output, "hint 2 of 3"));
        fs::remove(checkout.path("exercises/progress.txt"));
        CHECK(mkfifo(checkout.path("exercises/progress.txt").c_str(), 0600) == 0);
        expect_trouble(checkout.lanes("list"), "progress.txt cannot be read: it is no plain file");
    }

    TEST_CASE("a check that is interrupted says so, and nothing of the file") {
        const Checkout checkout;
        const std::string compiler = checkout.path("nvcc");
        std::ofstream(compiler) << "#!/bin/sh\nkill -TERM $PPID\nexec sleep 20\n";
        fs::permissions(compiler, fs::perms::owner_all);
        expect_trouble(checkout.lanes("check 13", "CUDACXX='" + compiler + '\''), "the check was interrupted");
    }
}
