// The learner's commands, in a checkout of two exercises.
#include "command.hpp"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

using namespace lanes::tests;
namespace fs = std::filesystem;

namespace {

// Two exercises of chapter 1, as a student has them; their checks are those of the build.
class Checkout {
public:
    Checkout() {
        for (const char* part : {"chapters/01_coalescing", "exercises/11_sectors", "exercises/13_column_sums"}) {
            fs::create_directories(path(part));
            fs::copy(std::string(LANES_SOURCE) + '/' + part, path(part), fs::copy_options::recursive);
        }
        fs::copy(std::string(LANES_SOURCE) + "/exercises/README.md", path("exercises"));
        CHECK(lanes("reset 13_column_sums").status == 0);
        fs::remove(path("exercises/13_column_sums/column_sums.cu.before_reset"));
    }

    std::string path(const std::string& name) const { return folder_.file(name); }
    std::string sums() const { return path("exercises/13_column_sums/column_sums.cu"); }
    std::string progress() const { return read_text(path("exercises/progress.txt")); }

    // Runs in a folder deep inside.
    CommandResult lanes(const std::string& words) const {
        std::vector<std::string> arguments;
        for (std::size_t at = 0; at <= words.size();) {
            const auto end = std::min(words.find(' ', at), words.size());
            arguments.push_back(words.substr(at, end - at));
            at = end + 1;
        }
        return lanes_command(arguments, path("chapters/01_coalescing"));
    }

    void solve() const {
        fs::copy_file(std::string(LANES_BUILD) + "/exercises/13_column_sums/solution.cu", sums(),
                      fs::copy_options::overwrite_existing);
    }

    void write(const std::string& text) const { std::ofstream(sums()) << text; }

private:
    Folder folder_;
};

bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

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
        std::ofstream(checkout.path("exercises/progress.txt")) << "11_sectors hints 0 solved\n";
        const CommandResult after = checkout.lanes("list");
        CHECK(has(after.output, "11_sectors      solved  predict"));
        CHECK(has(after.output, "1 of 2 solved\n"));
        CHECK(has(after.output, "lanes check 13_column_sums"));
    }

    TEST_CASE("a skeleton does not pass; the message says what is missing, what to read and where to get a hint") {
        const Checkout checkout;
        const CommandResult result = checkout.lanes("check column_sums");
        CHECK(result.status == 1);
        CHECK(has(result.output, "13_column_sums: not yet; 0 checks passed\n"));
        CHECK(has(result.output, "never written"));
        CHECK(has(result.output, "  Read  coalescing.md:17, \"Threads, warps, lanes\"\n"));
        CHECK(has(result.output, "  Stuck? lanes hint 13_column_sums\n"));
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
        CHECK(checkout.progress() == "13_column_sums hints 0 solved\n");
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
        const bool has_gpu = has_usable_gpu();
        CHECK(result.status == (has_gpu ? 0 : 1));
        CHECK(has(result.output, has_gpu ? "13_column_sums: passed, 6 checks" : "There is no GPU"));
        CHECK(checkout.progress() == "");
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
                  "column_sums(float const*, double*, unsigned int, unsigned int): "
                  "the parameters must stay as they were"));
        checkout.write("__device__ int nothing;\n");
        const CommandResult result = checkout.lanes("check 13");
        CHECK(result.status == 1);
        CHECK(has(result.output, "has no kernel of that name"));
    }

    TEST_CASE("a constant that is gone is named") {
        const Checkout checkout;
        std::ofstream(checkout.path("exercises/11_sectors/sectors.cu")) << "__device__ int nothing;\n";
        const CommandResult result = checkout.lanes("check 11");
        CHECK(result.status == 1);
        CHECK(has(result.output, "in its place has no"));
    }

    TEST_CASE("an endless loop ends, at its line") {
        const Checkout checkout;
        checkout.write(
            "__global__ void column_sums(const float*, float* sums, unsigned, unsigned) {\n"
            "    while (true) *(volatile float*)sums = 0;\n}\n");
        const CommandResult result = checkout.lanes("check 13");
        CHECK(result.status == 1);
        CHECK(has(result.output, "does this loop end?"));
        CHECK(has(result.output, "       2 | while (true)"));
    }

    TEST_CASE("hints come one after the other, and then from the first again") {
        const Checkout checkout;
        CHECK(has(checkout.lanes("hint 13").output, "13_column_sums, hint 1 of 3\n\nOne thread"));
        CHECK(has(checkout.lanes("hint 13").output, "hint 2 of 3"));
        CHECK(has(checkout.lanes("hint 13").output, "hint 3 of 3"));
        CHECK(has(checkout.lanes("hint 13").output, "hint 1 of 3"));
        CHECK(checkout.progress() == "13_column_sums hints 4\n");
        CHECK(has(checkout.lanes("hint").output, "11_sectors, hint 1 of 3"));
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

    TEST_CASE("watch checks again when the file is saved, and ends when it passes") {
        const Checkout checkout;
        std::thread saving([&] {
            std::this_thread::sleep_for(std::chrono::seconds(2));
            checkout.solve();
        });
        const CommandResult result = checkout.lanes("watch 13");
        saving.join();
        CHECK(result.status == 0);
        CHECK(has(result.output, "Watching ../../exercises/13_column_sums/column_sums.cu"));
        CHECK(has(result.output, "passed, 9 checks"));
    }

    TEST_CASE("names that are none, or several") {
        const Checkout checkout;
        const CommandResult none = checkout.lanes("check 99_nothing");
        CHECK(none.status == 2);
        CHECK(has(none.errors, "there is no exercise 99_nothing; there are\n  11_sectors\n  13_column_sums"));
        CHECK(has(checkout.lanes("check _").errors, "several exercises have a name like _"));
        CHECK(checkout.lanes("reset").status == 2);
    }

    TEST_CASE("outside of a checkout, the one of the build is meant") {
        const Folder elsewhere;
        const CommandResult result = lanes_command({"list"}, elsewhere.path());
        CHECK(result.status == 0);
        CHECK(has(result.output, "22_barrier"));
    }
}
