// The learner's commands, in a checkout of two exercises.
#include "checkout.hpp"

#include <progress.hpp>

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

using namespace lanes::tests;
namespace fs = std::filesystem;

namespace {

// As the check programs ask. A driver may be there, and its GPUs hidden by CUDA_VISIBLE_DEVICES or too old for it.
bool has_usable_gpu() {
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

}  // namespace

TEST_SUITE("exercises") {
    TEST_CASE("list says what there is, what is solved and what comes next") {
        const Checkout checkout;
        const CommandResult before = checkout.lanes("list");
        CHECK(before.status == 0);
        CHECK(has(before.output, "11_sectors        predict           Sectors before you run\n"));
        CHECK(has(before.output, "0 of 2 solved\nNext: read ../../exercises/11_sectors/README.md, edit"));
        const std::string hash = lanes::content_hash(read_text(checkout.path("exercises/11_sectors/sectors.cu")));
        std::ofstream(checkout.path("exercises/progress.txt")) << "11_sectors hints 0 solved " << hash << '\n';
        const CommandResult after = checkout.lanes("list");
        CHECK(has(after.output, "11_sectors      solved  predict"));
        CHECK(has(after.output, "1 of 2 solved\n"));
        CHECK(has(after.output, "lanes check 13_column_sums"));
    }

    TEST_CASE("only the file that passed is solved") {
        const Checkout checkout;
        checkout.solve();
        CHECK(checkout.lanes("check 13").status == 0);
        CHECK(has(checkout.lanes("list").output, "13_column_sums  solved  write"));
        std::ofstream(checkout.sums(), std::ios::app) << "// changed\n";
        const CommandResult changed = checkout.lanes("list");
        CHECK(has(changed.output, "13_column_sums  changed since  write"));
        CHECK(has(changed.output, "0 of 2 solved\n1 passed once, and changed since: check again\n"));
        CHECK(checkout.lanes("solution 13").status == 0);
    }

    TEST_CASE("a skeleton does not pass; the message says what is missing, what to read and where to get a hint") {
        const Checkout checkout;
        const CommandResult result = checkout.lanes("check column_sums");
        CHECK(result.status == 1);
        CHECK(has(result.output, "13_column_sums: not yet; 0 checks passed\n"));
        CHECK(has(result.output, "never written"));
        CHECK(has(result.output, "  Read  coalescing.md:17, \"Threads, warps, lanes\"\n"));
        CHECK(has(result.output, "  Stuck? " LANES_COMMAND " hint 13_column_sums\n"));
        CHECK_FALSE(has(result.output, "\033"));
        CHECK(checkout.progress() == "");
    }

    TEST_CASE("what passes is kept as solved, and only then shows our solution") {
        const Checkout checkout;
        const CommandResult refused = checkout.lanes("solution 13");
        CHECK(refused.status == 2);
        CHECK(has(refused.errors, "13_column_sums is not solved yet"));
        CHECK(has(checkout.lanes("solution 13 --reveal").output, "__global__ void column_sums"));
        checkout.solve();
        const CommandResult passed = checkout.lanes("check 1.3");
        CHECK(passed.status == 0);
        CHECK(has(passed.output, "13_column_sums: passed, 9 checks\n"));
        CHECK(has(passed.output, "sectors a load request: 4, at most 4"));
        CHECK(has(passed.output, "  Our solution: " LANES_COMMAND " solution 13_column_sums\n"));
        CHECK(checkout.progress() ==
              "13_column_sums hints 0 solved " + lanes::content_hash(read_text(checkout.sums())) + '\n');
        CHECK(has(checkout.lanes("solution 13").output, "__global__ void column_sums"));
    }

    TEST_CASE("a file elsewhere is checked, and nothing is kept") {
        const Checkout checkout;
        const CommandResult result =
            checkout.lanes("check 13 --file " + std::string(LANES_BUILD) + "/exercises/13_column_sums/solution.cu");
        CHECK(result.status == 0);
        CHECK(checkout.progress() == "");
        CHECK(checkout.lanes("check 13 --file /nowhere.cu").status == 2);
    }

    TEST_CASE("on a GPU the results are checked; without one that is said") {
        const Checkout checkout;
        checkout.solve();
        fs::create_directories(checkout.path("common"));
        fs::copy(std::string(LANES_SOURCE) + "/common/include", checkout.path("common/include"),
                 fs::copy_options::recursive);
        const CommandResult result = checkout.lanes("check 13 --gpu");
        CAPTURE(result.output);
        CAPTURE(result.errors);
        const bool has_gpu = has_usable_gpu();
        CHECK(result.status == (has_gpu ? 0 : 2));
        CHECK(has(result.output + result.errors, has_gpu ? "13_column_sums: passed, 6 checks" : "there is no GPU"));
        CHECK(checkout.progress() == "");
    }

    TEST_CASE("a GPU that is hidden is none") {
        const Checkout checkout;
        checkout.solve();
        const CommandResult result = checkout.lanes("check 13 --gpu", "CUDA_VISIBLE_DEVICES=");
        CHECK(result.status == 2);
        CHECK(has(result.errors, "there is no GPU for --gpu: "));
        CHECK(result.output == "");
    }

    TEST_CASE("what does not compile is shown as nvcc shows it") {
        const Checkout checkout;
        checkout.write("__global__ void column_sums( {}\n");
        const CommandResult result = checkout.lanes("check 13");
        CHECK(result.status == 1);
        CHECK(has(result.output, "13_column_sums: does not compile\n"));
        CHECK(has(result.output, "column_sums.cu(1): error"));
    }

    TEST_CASE("a kernel with other parameters, or none, is not mistaken for a wrong result") {
        const Checkout checkout;
        checkout.write("__global__ void column_sums(const float*, double*, unsigned, unsigned) {}\n");
        CHECK(has(checkout.lanes("check 13").output,
                  "  Your file defines column_sums(float const*, double*, unsigned int, unsigned int), and what is "
                  "launched is column_sums(float const*, float*, unsigned int, unsigned int): "
                  "the parameters must stay as they were."));
        checkout.write("__global__ void sums_of_columns() {}\n");
        const CommandResult result = checkout.lanes("check 13");
        CHECK(result.status == 1);
        CHECK(has(result.output,
                  "  Your file defines no kernel named column_sums(float const*, float*, unsigned int, unsigned int), "
                  "which is launched. It defines sums_of_columns().\n"));
        CHECK_FALSE(has(result.output, "There are 64 threads"));  // what is said of a wrong result
        CHECK(has(result.output, "lanes reset 13_column_sums"));
    }

    TEST_CASE("a constant that is gone is named") {
        const Checkout checkout;
        std::ofstream(checkout.path("exercises/11_sectors/sectors.cu")) << "__device__ int nothing;\n";
        const CommandResult result = checkout.lanes("check 11");
        CHECK(result.status == 1);
        CHECK(has(result.output, "  Your file defines no "));
    }

    TEST_CASE("an endless loop ends, at its line, and what is said of wrong results is not said of it") {
        const Checkout checkout;
        checkout.write(
            "__global__ void column_sums(const float*, float* sums, unsigned, unsigned) {\n"
            "    while (true) *(volatile float*)sums = 0;\n}\n");
        const CommandResult result = checkout.lanes("check 13");
        CHECK(result.status == 1);
        CHECK(has(result.output, "does this loop end?"));
        CHECK(has(result.output, "       2 | while (true)"));
        CHECK_FALSE(has(result.output, "There are 64 threads"));
    }

    TEST_CASE("what a kernel prints is shown, but not without end") {
        const Checkout checkout;
        checkout.write(
            "#include <cstdio>\n"
            "__global__ void column_sums(const float*, float*, unsigned, unsigned width) {\n"
            "    do printf(\"hello\\n\"); while (width > 0);\n}\n");
        const CommandResult result = checkout.lanes("check 13");
        CHECK(result.status == 1);
        CHECK(has(result.output, "hello\n"));
        CHECK(has(result.output, "bytes more that your kernel printed, not shown\n"));
        CHECK(has(result.output, "Your kernel printed more than 8 MiB, and was stopped."));
        CHECK(result.output.size() < 20000);
    }

    TEST_CASE("hints come one after the other, and then from the first again") {
        const Checkout checkout;
        CHECK(has(checkout.lanes("hint 13").output, "13_column_sums, hint 1 of 3\n\nOne thread"));
        CHECK(has(checkout.lanes("hint 13").output, "hint 2 of 3"));
        const std::string last = checkout.lanes("hint 13").output;
        CHECK(has(last, "hint 3 of 3"));
        CHECK(has(last, "\nThat was the last one: "));
        CHECK(has(checkout.lanes("hint 13").output, "hint 1 of 3"));
        CHECK(checkout.progress() == "13_column_sums hints 4\n");
        CHECK(has(checkout.lanes("hint").output, "11_sectors, hint 1 of 3"));
        CHECK(has(checkout.lanes("hint 13 3").output, "hint 3 of 3"));
        CHECK(has(checkout.lanes("hint 13 4").errors, "13_column_sums has 3 hints, and none of number 4"));
    }

    TEST_CASE("reset gives the skeleton back and keeps the work") {
        const Checkout checkout;
        const std::string skeleton = read_text(checkout.sums());
        checkout.write("my work\n");
        CHECK(checkout.lanes("reset 13").status == 0);
        CHECK(read_text(checkout.sums()) == skeleton);
        CHECK(read_text(checkout.sums() + ".before_reset") == "my work\n");
        CHECK(has(checkout.lanes("reset 13").output, "as it was in the beginning, already"));
        checkout.write("more work\n");
        CHECK(has(checkout.lanes("reset 13").output, ".before_reset.2"));
        CHECK(read_text(checkout.sums() + ".before_reset") == "my work\n");
        CHECK(read_text(checkout.sums() + ".before_reset.2") == "more work\n");
    }

    TEST_CASE("watch checks again when the file is saved, says that it is gone, and ends when it passes") {
        const Checkout checkout;
        fs::remove(checkout.sums());
        std::thread saving([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(1300));
            checkout.write("__global__ void column_sums(\n");
            std::this_thread::sleep_for(std::chrono::milliseconds(1000));
            checkout.solve();
        });
        const CommandResult result = checkout.lanes("watch 13");
        saving.join();
        CHECK(result.status == 0);
        CHECK(has(result.output, "Watching ../../exercises/13_column_sums/column_sums.cu"));
        CHECK(has(result.output, "column_sums.cu is gone; waiting until it is there again.\n"));
        CHECK(has(result.output, "does not compile"));
        CHECK(has(result.output, "passed, 9 checks"));
    }

    TEST_CASE("names that are none, or several") {
        const Checkout checkout;
        const CommandResult none = checkout.lanes("check 99_nothing");
        CHECK(none.status == 2);
        CHECK(has(none.errors, "there is no exercise 99_nothing; `" LANES_COMMAND " list` shows them all\n"));
        CHECK(has(checkout.lanes("check Colum_sums").errors,
                  "there is no exercise Colum_sums; did you mean 13_column_sums?\n"));
        CHECK(has(checkout.lanes("check 1").errors,
                  "several exercises have a name like 1:\n  11_sectors\n  13_column_sums\n"));
        CHECK(has(checkout.lanes("check 3").errors, "there is no exercise 3"));
        CHECK(checkout.lanes("reset").status == 2);
    }

    TEST_CASE("the path of an exercise's file or folder is a name of it") {
        const Checkout checkout;
        for (const char* path : {"../../exercises/13_column_sums/column_sums.cu", "../../exercises/13_column_sums/",
                                 "exercises/13_column_sums/column_sums.cu", "column_sums.cu"}) {
            CAPTURE(path);
            CHECK(has(checkout.lanes("hint " + std::string(path)).output, "13_column_sums, hint "));
        }
        CHECK(has(checkout.lanes("hint coalescing.md").errors, "there is no exercise coalescing.md"));
        const CommandResult elsewhere = checkout.lanes("hint ./coalescing.md");
        CHECK(elsewhere.status == 2);
        CHECK(has(elsewhere.errors, "./coalescing.md is no file of an exercise in "));
    }

    TEST_CASE("a file elsewhere is for the exercise that has a file of its name") {
        const Checkout checkout;
        const std::string file = checkout.path("column_sums.cu");
        std::ofstream(file) << "nothing\n";
        CHECK(has(checkout.lanes("check --file " + file).output, "13_column_sums: does not compile\n"));
        std::ofstream(checkout.path("chapters/01_coalescing/-x.cu")) << "nothing\n";
        CHECK(has(checkout.lanes("check 13 --file=-x.cu").output, "-x.cu(1): error"));
        const std::string other = checkout.path("mine.cu");
        std::ofstream(other) << "nothing\n";
        const CommandResult unknown = checkout.lanes("check --file " + other);
        CHECK(unknown.status == 2);
        CHECK(has(unknown.errors, "lanes check NAME --file " + other + '\n'));
    }

    TEST_CASE("outside of a checkout, the one of the build is meant") {
        const Folder elsewhere;
        const CommandResult result = lanes_command({"list"}, elsewhere.path());
        CHECK(result.status == 0);
        CHECK(has(result.output, "22_barrier"));
    }
}
