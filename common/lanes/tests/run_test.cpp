#include "command.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

using lanes::tests::CommandResult;
using lanes::tests::Folder;
using lanes::tests::lanes_command;
using lanes::tests::read_text;
using nlohmann::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string make_script(const Folder& folder, const std::string& body) {
    const std::string path = folder.file("script");
    std::ofstream(path) << "#!/bin/sh\n" << body << '\n';
    chmod(path.c_str(), 0755);
    return path;
}

}  // namespace

TEST_SUITE("run") {
    TEST_CASE("a good program: its output, its status, a table of its kernels") {
        const CommandResult result = lanes_command({"run", LANES_SHARED_PROGRAM, "good"});
        CHECK(result.status == 0);
        CHECK(result.output == "sum 4950\n");
        CHECK(contains(result.errors, "emulator, as an sm_89"));
        CHECK(contains(result.errors, "fill"));
        CHECK(contains(result.errors, "sectors/request"));
        CHECK_FALSE(contains(result.errors, "error"));
    }

    TEST_CASE("a launch by the call that CUDA 12 compiles <<<...>>> to") {
        const CommandResult result = lanes_command({"run", LANES_SHARED_PROGRAM, "call"});
        CHECK(result.status == 0);
        CHECK(result.output == "sum 4950\n");
        CHECK(contains(result.errors, "fill"));
    }

    TEST_CASE("the program's exit status is handed on") {
        CHECK(lanes_command({"run", LANES_SHARED_PROGRAM, "status"}).status == 7);
    }

    TEST_CASE("a program that a signal ends: 128 + the signal, and what it launched before is not lost") {
        const CommandResult result = lanes_command({"run", LANES_SHARED_PROGRAM, "abort"});
        CHECK(result.status == 128 + 6);
        CHECK(contains(result.errors, "signal 6"));
        CHECK(contains(result.errors, "fill"));
    }

    TEST_CASE("a fault makes a program fail that does not look") {
        const CommandResult result = lanes_command({"run", LANES_SHARED_PROGRAM, "fault"});
        CHECK(result.status == 3);
        CHECK(contains(result.errors, "lanes: error: "));
        CHECK(contains(result.errors, "fill"));
        CHECK(contains(result.errors, "program.cu:"));
    }

    TEST_CASE("a launch that was refused makes a program fail that does not look") {
        const CommandResult result = lanes_command({"run", LANES_SHARED_PROGRAM, "refused"});
        CHECK(result.status == 3);
        CHECK(contains(result.errors, "fill was not launched"));
        CHECK(contains(result.errors, "1025"));
    }

    TEST_CASE("a fault that the program announced does not") {
        CHECK(lanes_command({"run", LANES_SHARED_PROGRAM, "expected"}).status == 0);
    }

    TEST_CASE("a program with a status of its own keeps it, fault or not") {
        CHECK(lanes_command({"run", LANES_SHARED_PROGRAM, "fault", "status"}).status == 7);
    }

    TEST_CASE("lines are listed with their text") {
        const CommandResult result = lanes_command({"run", "--lines", LANES_SHARED_PROGRAM, "good"});
        CHECK(result.status == 0);
        CHECK(contains(result.errors, "program.cu:"));
        CHECK(contains(result.errors, "output[i] = i;"));
    }

    TEST_CASE("the JSON is complete") {
        const Folder folder;
        const std::string path = folder.file("report.json");
        const CommandResult result =
            lanes_command({"run", "--json", path, "--device", "sm_90", "--", LANES_SHARED_PROGRAM, "good"});
        CHECK(result.status == 0);
        const json report = json::parse(read_text(path));
        CHECK(report["lanes"] == LANES_VERSION);
        CHECK(report["device"]["name"] == "emulator, as an sm_90");
        CHECK(report["device"]["compute_capability"] == "9.0");
        CHECK(report["program"] == json::array({LANES_SHARED_PROGRAM, "good"}));
        CHECK(report["exit_code"] == 0);
        CHECK(report["faults"] == json::array());
        REQUIRE(report["launches"].size() == 1);
        const json& launch = report["launches"][0];
        CHECK(launch["kernel"] == "fill(int*, int)");
        CHECK(launch["grid"] == json::array({4, 1, 1}));
        CHECK(launch["block"] == json::array({32, 1, 1}));
        CHECK(launch["static_shared_bytes"] == 0);
        CHECK(launch["dynamic_shared_bytes"] == 0);
        // 100 ints in 4 warps: 3 full warps of 4 sectors, and 4 ints in one.
        CHECK(launch["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_st"] == 13);
        CHECK(launch["counters"]["l1tex__t_requests_pipe_lsu_mem_global_op_st"] == 4);
        unsigned sectors = 0;
        for (const json& line : launch["lines"]) {
            CHECK(contains(line["file"], "program.cu"));
            CHECK(line["line"] > 0);
            sectors += line["counters"].value("l1tex__t_sectors_pipe_lsu_mem_global_op_st", 0U);
        }
        CHECK(sectors == 13);
    }

    TEST_CASE("the JSON of a faulty program names the fault") {
        const Folder folder;
        const std::string path = folder.file("report.json");
        CHECK(lanes_command({"run", "--json", path, LANES_SHARED_PROGRAM, "fault"}).status == 3);
        const json report = json::parse(read_text(path));
        CHECK(report["exit_code"] == 0);
        REQUIRE(report["faults"].size() == 1);
        const json& fault = report["faults"][0];
        CHECK(fault["kind"] == "out_of_bounds");
        CHECK(fault["severity"] == "error");
        CHECK(fault["kernel"] == "fill(int*, int)");
        CHECK(contains(fault["message"], "fill"));
        CHECK_FALSE(contains(fault["message"], "_Z4fillPii"));
        CHECK(fault["block"].size() == 3);
        CHECK(fault["thread"].size() == 3);
        CHECK(contains(fault["file"], "program.cu"));
        CHECK(fault["line"] > 0);
        CHECK(fault.contains("other_file"));
        CHECK(fault.contains("other_line"));
        CHECK(fault["occurrences"] >= 1);
    }

    TEST_CASE("leaks are found when asked for, and are in the JSON") {
        const Folder folder;
        const std::string path = folder.file("report.json");
        const CommandResult result =
            lanes_command({"run", "--checks", "leaks", "--json", path, LANES_SHARED_PROGRAM, "good"});
        CHECK(result.status == 0);
        CHECK(contains(result.errors, "400-byte allocation"));
        const json report = json::parse(read_text(path));
        REQUIRE(report["leaks"].size() == 1);
        CHECK(contains(report["leaks"][0]["message"], "400-byte allocation"));
        CHECK(report["faults"] == json::array());
        CHECK(lanes_command({"run", "--json", path, LANES_SHARED_PROGRAM, "good"}).status == 0);
        CHECK(json::parse(read_text(path))["leaks"] == json::array());
    }

    TEST_CASE("the JSON of a program without CUDA names the device it would have seen") {
        const Folder folder;
        const std::string path = folder.file("report.json");
        CHECK(lanes_command({"run", "--device", "90", "--json", path, "--", make_script(folder, "exit 5")}).status ==
              5);
        const json report = json::parse(read_text(path));
        CHECK(report["device"]["compute_capability"] == "9.0");
        CHECK(report["exit_code"] == 5);
        CHECK(report["launches"] == json::array());
    }

    TEST_CASE("an old result stays whole if a new one cannot be written") {
        const Folder folder;
        CHECK(lanes_command({"run", "--json", folder.file("none/report.json"), LANES_SHARED_PROGRAM, "good"}).status ==
              2);
        std::ofstream(folder.file("report.json")) << "old";
        CHECK(lanes_command({"run", "--json", folder.file("report.json"), "/nonexistent"}).status == 2);
        CHECK(read_text(folder.file("report.json")) == "old");
        CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    }

    TEST_CASE("devices, pipes and links are written to and stay what they are") {
        const Folder folder;
        std::ofstream(folder.file("target.json")) << "old";
        std::filesystem::create_symlink("target.json", folder.file("link.json"));
        CHECK(lanes_command({"run", "--json", folder.file("link.json"), LANES_SHARED_PROGRAM, "good"}).status == 0);
        CHECK(std::filesystem::is_symlink(folder.file("link.json")));
        CHECK(json::parse(read_text(folder.file("target.json")))["exit_code"] == 0);
        std::filesystem::create_symlink("/dev/full", folder.file("full"));  // were it replaced, it would be the link
        const CommandResult full = lanes_command({"run", "--json", folder.file("full"), LANES_SHARED_PROGRAM, "good"});
        CHECK(full.status == 2);
        CHECK(contains(full.errors, "full cannot be written"));
        CHECK(std::filesystem::is_symlink(folder.file("full")));
    }

    TEST_CASE("a report that can go nowhere is refused before the program starts") {
        const Folder folder;
        const CommandResult to_folder = lanes_command({"run", "--json", folder.path(), LANES_SHARED_PROGRAM, "good"});
        CHECK(to_folder.status == 2);
        CHECK(to_folder.output.empty());
        CHECK(contains(to_folder.errors, "it is a folder"));
        const CommandResult unnamed = lanes_command({"run", "--json", "", LANES_SHARED_PROGRAM, "good"});
        CHECK(unnamed.status == 2);
        CHECK(unnamed.output.empty());
    }

    TEST_CASE("arguments that are no text do not cost the report") {
        const Folder folder;
        const std::string path = folder.file("report.json");
        CHECK(lanes_command({"run", "--json", path, make_script(folder, "exit 5"), "\xff"}).status == 5);
        CHECK(json::parse(read_text(path))["program"][1] == "\xef\xbf\xbd");
    }

    TEST_CASE("a table that cannot be printed is an error") {
        const Folder folder;
        const std::string script = make_script(folder, "exec '" LANES_COMMAND "' device >/dev/full");
        const CommandResult result = lanes_command({"run", script});
        CHECK(result.status == 2);
        CHECK(contains(result.errors, "standard output cannot be written"));
    }

    TEST_CASE("a report that lacks launches is none") {
        const Folder folder;
        // Events go to a file that may have one block, and a launch needs more.
        const std::string script =
            make_script(folder, "trap '' XFSZ\nulimit -f 1\nexec '" LANES_COMMAND "' run --json '" +
                                    folder.file("report.json") + "' '" LANES_SHARED_PROGRAM "' good good");
        const CommandResult result = lanes_command({"run", script});
        CHECK(result.status == 2);
        CHECK(result.output == "sum 4950\nsum 4950\n");
        CHECK(contains(result.errors, "launches are missing"));
        CHECK(contains(result.errors, "File too large"));
        CHECK_FALSE(std::filesystem::exists(folder.file("report.json")));
    }

    TEST_CASE("variables with bad values are refused before the program starts") {
        setenv("LANES_DEVICE", "sm_1", 1);
        const CommandResult result = lanes_command({"run", LANES_SHARED_PROGRAM, "good"});
        unsetenv("LANES_DEVICE");
        CHECK(result.status == 2);
        CHECK(contains(result.errors, "LANES_DEVICE: unknown device"));
        CHECK_FALSE(contains(result.errors, "no CUDA call"));
    }

    TEST_CASE("programs that cannot run are refused before they start") {
        const CommandResult missing = lanes_command({"run", "./no-such-program"});
        CHECK(missing.status == 2);
        CHECK(contains(missing.errors, "there is no program ./no-such-program"));
        const CommandResult linked = lanes_command({"run", LANES_STATIC_PROGRAM});
        CHECK(linked.status == 2);
        CHECK(linked.output.empty());
        CHECK(contains(linked.errors, "-cudart=shared"));
        const CommandResult without_ptx = lanes_command({"run", LANES_CUBIN_PROGRAM});
        CHECK(without_ptx.status == 2);
        CHECK(without_ptx.output.empty());
        CHECK(contains(without_ptx.errors, "-gencode arch=compute_80,code=compute_80"));
        const Folder folder;
        std::ofstream(folder.file("text")) << "no program\n";
        CHECK(lanes_command({"run", folder.file("text")}).status == 2);
        CHECK(lanes_command({"run", folder.path()}).status == 2);
    }

    TEST_CASE("a program that may not be executed is named") {
        const Folder folder;
        std::ofstream(folder.file("script")) << "#!/bin/sh\n";
        const CommandResult result = lanes_command({"run", folder.file("script")});
        CHECK(result.status == 2);
        CHECK(contains(result.errors, "cannot be started"));
    }

    TEST_CASE("it works from any directory, for programs by relative path or bare name") {
        const Folder folder;
        std::filesystem::create_symlink(LANES_SHARED_PROGRAM, folder.file("linked"));
        CHECK(lanes_command({"run", "./linked", "good"}, folder.path()).output == "sum 4950\n");
        CHECK(lanes_command({"run", "linked", "good"}, folder.path()).output == "sum 4950\n");
    }

    TEST_CASE("the program's arguments are its own, options or not") {
        const Folder folder;
        const std::string script = make_script(folder, "for a in \"$@\"; do echo \"[$a]\"; done");
        CHECK(lanes_command({"run", script, "--json", "a b", "--", "-x"}).output == "[--json]\n[a b]\n[--]\n[-x]\n");
        CHECK(lanes_command({"run", "--threads", "2", "--", script, "--help"}).output == "[--help]\n");
        CHECK(lanes_command({"run", "--threads=2", "--lines", script, "--threads"}).output == "[--threads]\n");
    }

    TEST_CASE("what a script starts is emulated") {
        const Folder folder;
        const std::string script = make_script(folder, std::string(LANES_SHARED_PROGRAM) + " good");
        const CommandResult result = lanes_command({"run", script});
        CHECK(result.output == "sum 4950\n");
        CHECK(contains(result.errors, "fill"));
    }

    TEST_CASE("a program without CUDA runs") {
        const Folder folder;
        const CommandResult result = lanes_command({"run", make_script(folder, "echo hello")});
        CHECK(result.status == 0);
        CHECK(result.output == "hello\n");
        CHECK(contains(result.errors, "no CUDA call"));
    }

    TEST_CASE("signals that others send are passed on") {
        const Folder folder;
        // The script's parent is lanes: it gets the signal, and hands it on.
        const std::string script =
            make_script(folder, "trap 'echo got it; exit 5' TERM\nkill -TERM $PPID\nwhile :; do sleep 0.05; done");
        const CommandResult result = lanes_command({"run", script});
        CHECK(result.status == 5);
        CHECK(result.output == "got it\n");
    }

    TEST_CASE("no report stays behind") {
        const Folder folder;
        setenv("TMPDIR", folder.path().c_str(), 1);
        CHECK(lanes_command({"run", LANES_SHARED_PROGRAM, "good"}).status == 0);
        unsetenv("TMPDIR");
        CHECK(std::filesystem::is_empty(folder.path()));
    }

    TEST_CASE("counts and results do not depend on the number of threads or the schedule") {
        const Folder folder;
        const auto launches = [&](const std::vector<std::string>& options) {
            std::vector<std::string> arguments = {"run", "--json", folder.file("report.json")};
            arguments.insert(arguments.end(), options.begin(), options.end());
            arguments.insert(arguments.end(), {LANES_SHARED_PROGRAM, "good"});
            CHECK(lanes_command(arguments).output == "sum 4950\n");
            return json::parse(read_text(folder.file("report.json")))["launches"];
        };
        const json first = launches({"--threads", "1"});
        CHECK(launches({"--threads", "4"}) == first);
        CHECK(launches({"--schedule", "123"}) == first);
    }

    TEST_CASE("a program for a newer device is told which one to emulate") {
        const CommandResult result = lanes_command({"run", "--device", "sm_75", LANES_SHARED_PROGRAM, "good"});
        CHECK(result.status != 0);
        CHECK(contains(result.errors, "--device sm_80"));
    }

    TEST_CASE("an endless loop is stopped") {
        const CommandResult result = lanes_command({"run", "--budget", "100000", LANES_SHARED_PROGRAM, "endless"});
        CHECK(result.status == 3);
        CHECK(contains(result.errors, "spin"));
    }
}
