// Reports of all sorts of runs, left in a folder for the test that holds them against the JSON Schema.
#include "command.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using lanes::tests::lanes_command;

namespace {

const std::string folder = LANES_REPORT_FOLDER;

void write_report(const std::string& name, int status, std::vector<std::string> arguments) {
    CAPTURE(name);
    const std::string path = folder + "/" + name + ".json";
    arguments.insert(arguments.begin() + 1, {"--json", path});
    CHECK(lanes_command(arguments).status == status);
    CHECK(std::filesystem::file_size(path) > 0);
}

std::string make_executable(const std::string& name, const std::string& text) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), 0755);
    return path;
}

}  // namespace

TEST_SUITE("report_files") {
    TEST_CASE("a report of each sort") {
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder);
        write_report("good", 0, {"run", LANES_SHARED_PROGRAM, "good"});
        write_report("fault", 3, {"run", LANES_SHARED_PROGRAM, "fault"});
        write_report("expected", 0, {"run", LANES_SHARED_PROGRAM, "expected"});
        write_report("refused", 3, {"run", LANES_SHARED_PROGRAM, "refused"});
        write_report("endless", 3, {"run", "--budget", "100000", LANES_SHARED_PROGRAM, "endless"});
        write_report("abort", 134, {"run", LANES_SHARED_PROGRAM, "abort"});
        write_report("no_launch", 0, {"run", LANES_SHARED_PROGRAM});
        write_report("leak", 0, {"run", "--checks", "all,leaks", LANES_SHARED_PROGRAM, "good"});
        write_report("no_ptx_for_device", 3, {"run", "--device", "sm_75", LANES_SHARED_PROGRAM, "good"});
        write_report("no_cuda", 0, {"run", make_executable("no_cuda.sh", "#!/bin/sh\n")});
        write_report("no_start", 127,
                     {"run", make_executable("no_start.sh", "#!/bin/sh\nexec /nonexistent/program\n")});
    }
}
