// The instructor's command: hostile submissions, results in all formats, and runs that are ended and go on.
#include "command.hpp"
#include "hostile.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace lanes::tests;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const std::string reports = LANES_GRADE_FOLDER;

std::string solution() {
    return read_text(std::string(LANES_BUILD) + "/exercises/13_column_sums/solution.cu");
}

std::string skeleton() {
    return read_text(std::string(LANES_BUILD) + "/exercises/13_column_sums/column_sums.cu");
}

// Limits are of processor time, and the sanitized emulator is some thirty times slower.
#ifdef LANES_SANITIZED
const std::string seconds = "60";
const std::string jobs = "8";
#else
const std::string seconds = "2";
const std::string jobs = "2";
#endif

// Submissions of a class, and where its results go.
class Course {
public:
    std::string submissions() const { return folder_.file("submissions"); }
    std::string file(const std::string& name) const { return folder_.file(name); }

    std::string path_of(const std::string& student) const {
        fs::create_directories(submissions() + '/' + student);
        return submissions() + '/' + student + "/column_sums.cu";
    }

    void submit(const std::string& student, const std::string& text) const {
        std::ofstream(path_of(student), std::ios::binary) << text;
    }

    CommandResult grade(std::vector<std::string> more, const std::string& prelude = {}) const {
        std::vector<std::string> arguments{"grade", submissions(), "--exercise", "13", "--jobs", jobs};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return lanes_command(arguments, {}, prelude);
    }

    json results() const { return json::parse(read_text(file("grades.json"))); }

private:
    Folder folder_;
};

json result_of(const json& results, const std::string& student) {
    for (const json& result : results["submissions"])
        if (result["student"] == student) return result;
    return {};
}

std::size_t lines_of(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Folders that a run has left where it was told to have them.
std::ptrdiff_t left_folders(const Course& course) {
    return std::count_if(fs::directory_iterator(course.file("")), fs::directory_iterator(),
                         [](const auto& entry) { return has(entry.path().filename().string(), "lanes-grade."); });
}

void expect_contained(const Course& course, const std::vector<Hostile>& all, const std::string& bubblewrap) {
    const CommandResult ran = course.grade({"--json", course.file("grades.json"), "--time", seconds, "--bubblewrap",
                                            bubblewrap, "--journal", course.file("journal-" + bubblewrap)});
    CHECK(ran.status == 0);
    MESSAGE(ran.output);
    const bool has_bubblewrap = bubblewrap == "auto" && ran.errors.empty();
    if (bubblewrap == "auto" && !has_bubblewrap) MESSAGE("Without bubblewrap: " << ran.errors);
    const json results = course.results();
    CHECK(results["submissions"].size() == all.size());
    for (const Hostile& one : all) {
        CAPTURE(one.student);
        const json result = result_of(results, one.student);
        REQUIRE(result.is_object());
        CHECK(result["grade"] == one.grade);
        const std::string message = result["message"];
        CAPTURE(message);
        // Without bubblewrap, nobody learns from a message which files there are.
        const bool is_silent = !has_bubblewrap && one.grade == "forbidden header";
        CHECK(has(message, is_silent ? "It includes a file that is not there, or is none of the headers" : one.words));
        CHECK_FALSE(has(message, "root:"));         // of /etc/passwd
        CHECK_FALSE(has(message, "[solution]"));    // of a solution with its markers
        CHECK_FALSE(has(message, "lanes-grade."));  // where it was compiled
    }
}

}  // namespace

TEST_SUITE("grade") {
    TEST_CASE("hostile submissions are contained, and reported as what they are") {
        const Course course;
        const std::string trace = course.file("trace");
        const auto all = hostile_submissions(LANES_SOURCE, solution(), trace);
        CHECK(all.size() > 20);
        for (const Hostile& one : all) {
            const std::string file = course.path_of(one.student);
            if (one.make) one.make(file);
            if (!one.text.empty()) course.submit(one.student, one.text);
        }
        expect_contained(course, all, "auto");
        CHECK_FALSE(fs::exists(trace));
    }

    TEST_CASE("without bubblewrap, files are refused that it would hide") {
        const Course course;
        std::vector<Hostile> some;
        for (const Hostile& one : hostile_submissions(LANES_SOURCE, solution(), course.file("trace")))
            if (one.grade == "forbidden header" || one.student == "good" || one.student == "templates") {
                course.submit(one.student, one.text);
                some.push_back(one);
            }
        expect_contained(course, some, "never");
    }

    TEST_CASE("without bubblewrap, the compiler is not asked which files are there") {
        const Course course;
        course.submit("has_include", "#if __has_include(\"/etc/passwd\")\n#endif\n" + solution());
        course.submit("in_two_lines", "#if __has_\\  \ninclude(\"/etc/passwd\")\n#endif\n" + solution());
        course.submit("dependency", "#pragma GCC dependency \"/etc/passwd\"\n" + solution());
        course.submit("pasted", "#define P(a, b) a##b\n#if P(__has_, include)(\"/etc/passwd\")\n#endif\n" + solution());
        CHECK(course.grade({"--json", course.file("grades.json"), "--bubblewrap", "never"}).status == 0);
        const json results = course.results();
        for (const json& result : results["submissions"]) {
            CAPTURE(result["student"]);
            CHECK(result["grade"] == "forbidden header");
            CHECK(has(result["message"], "Where submissions are graded without bubblewrap, none may hold "));
        }
    }

    TEST_CASE("bubblewrap that does not work is said in one line, and refused only where it is insisted on") {
        const Course course;
        course.submit("ada", solution());
        const std::string path = std::getenv("PATH");
        std::ofstream(course.file("bwrap")) << "#!/bin/sh\necho bwrap: no permissions >&2\nexit 1\n";
        fs::permissions(course.file("bwrap"), fs::perms::owner_all);
        setenv("PATH", (fs::path(course.file("bwrap")).parent_path().string() + ':' + path).c_str(), 1);
        const CommandResult without = course.grade({});
        const CommandResult refused = course.grade({"--bubblewrap", "always"});
        setenv("PATH", path.c_str(), 1);
        CHECK(without.status == 0);
        CHECK(has(without.output, "1 submission, 1 passed\n"));
        CHECK(without.errors ==
              "lanes: note: bubblewrap does not work here: bwrap: no permissions; submissions are "
              "confined by limits and the list of headers only\n");
        CHECK(refused.status == 2);
        CHECK(has(refused.errors, "bwrap: no permissions; --bubblewrap auto grades without it"));
    }

    TEST_CASE("a student's folder that is a link is not followed") {
        const Course course;
        course.submit("ada", solution());
        fs::create_directory_symlink(course.submissions() + "/ada", course.submissions() + "/bob");
        CHECK(course.grade({"--json", course.file("grades.json")}).status == 0);
        CHECK(result_of(course.results(), "bob")["grade"] == "not a plain file");
        CHECK(result_of(course.results(), "ada")["grade"] == "passed");
    }

    TEST_CASE("results in all formats") {
        fs::remove_all(reports);
        fs::create_directories(reports + "/json");
        const Course course;
        course.submit("ada", solution());
        course.submit("bob", skeleton());
        course.submit("=cmd()<&>", "int nothing() {\n");
        fs::create_directories(course.submissions() + "/carl");
        const CommandResult ran =
            course.grade({"--csv", reports + "/grades.csv", "--junit", reports + "/grades.xml", "--json",
                          reports + "/json/grades.json", "--gradescope", reports + "/gradescope"});
        CHECK(ran.status == 0);
        CHECK(has(ran.output, "ada        13_column_sums  passed"));
        CHECK(has(ran.output, "4 submissions, 1 does not compile, 1 failed, 1 missing, 1 passed\n"));

        const std::string csv = read_text(reports + "/grades.csv");
        CHECK(lines_of(csv) == 5);
        CHECK(has(csv, "\"ada\",\"13_column_sums\",\"passed\",1,9,\""));
        CHECK(has(csv, "\"'=cmd()<&>\",\"13_column_sums\",\"does not compile\",0,0,\""));
        CHECK(has(csv, "\"carl\",\"13_column_sums\",\"missing\",0,0,\"\",\"There is no file column_sums.cu\"\r\n"));

        const std::string junit = read_text(reports + "/grades.xml");
        CHECK(has(junit, "<testsuite name=\"13_column_sums\" tests=\"4\" failures=\"3\" errors=\"0\" skipped=\"0\">"));
        CHECK(has(junit, "<testcase classname=\"ada\" name=\"13_column_sums\"/>"));
        CHECK(has(junit, "<testcase classname=\"=cmd()&lt;&amp;&gt;\""));
        CHECK(has(junit, "<failure type=\"failed\" message=\""));

        const json ada = json::parse(read_text(reports + "/gradescope/ada/results.json"));
        CHECK(ada["tests"][0]["score"] == 1);
        CHECK(ada["tests"][0]["status"] == "passed");
        const json bob = json::parse(read_text(reports + "/gradescope/bob/results.json"));
        CHECK(bob["tests"][0]["score"] == 0);
        CHECK(has(bob["tests"][0]["output"], "never written"));
        fs::create_directories(reports + "/results");
        for (const auto& student : fs::directory_iterator(reports + "/gradescope"))
            fs::copy_file(student.path() / "results.json",
                          reports + "/results/" + student.path().filename().string() + ".json");
    }

    TEST_CASE("a run that was killed goes on where it was") {
        const Course course;
        course.submit("ada", solution());
        course.submit("bob", skeleton());
        course.submit("carl", "int nothing() {\n");
        const std::string journal = course.file("grades.json.journal");
        const std::string temporary = "TMPDIR='" + course.file("") + '\'';
        const std::string killed = temporary + " '" LANES_COMMAND "' grade '" + course.submissions() +
                                   "' --exercise 13 --jobs 1 --json '" + course.file("grades.json") +
                                   "' > /dev/null & for turn in $(seq 1200); do [ -s '" + journal +
                                   "' ] && break; sleep 0.05; done; kill -9 $!";
        CHECK(std::system(killed.c_str()) == 0);
        CHECK_FALSE(fs::exists(course.file("grades.json")));
        CHECK(left_folders(course) == 1);
        const std::string kept = read_text(journal);
        CHECK(lines_of(kept) >= 1);
        std::ofstream(journal, std::ios::app) << "{\"exercise\":\"13_column_";  // a line that was cut off

        const CommandResult ran = course.grade({"--json", course.file("grades.json")}, temporary);
        CHECK(ran.status == 0);
        CHECK(left_folders(course) == 0);
        CHECK(has(ran.output, std::to_string(lines_of(kept)) + " of them known from " + journal));
        CHECK(result_of(course.results(), "ada")["grade"] == "passed");
        CHECK(result_of(course.results(), "bob")["grade"] == "failed");
        CHECK(result_of(course.results(), "carl")["grade"] == "does not compile");
        CHECK(has(course.grade({"--json", course.file("grades.json")}).output, "3 of them known from "));
    }

    TEST_CASE("a grade is known only of the same file, exercise and tools") {
        const Course course;
        course.submit("ada", skeleton());
        CHECK(course.grade({"--csv", course.file("a")}).status == 0);
        course.submit("ada", solution());
        CHECK_FALSE(has(course.grade({"--csv", course.file("a")}).output, "known"));
        std::string journal = read_text(course.file("a.journal"));
        for (auto at = journal.find("\"version\":\""); at != std::string::npos;
             at = journal.find("\"version\":\"", at + 1))
            journal[at + 11] = 'x';
        std::ofstream(course.file("a.journal")) << journal;
        CHECK_FALSE(has(course.grade({"--csv", course.file("a")}).output, "known"));
    }

    TEST_CASE("the script for Slurm grades the exercise of its task") {
        const Course course;
        course.submit("ada", solution());
        const std::string command = "LANES='" LANES_COMMAND
                                    "' SLURM_ARRAY_TASK_ID=1 SLURM_CPUS_PER_TASK=2 bash '" LANES_SOURCE
                                    "/exercises/grading/slurm.sh' '" +
                                    course.submissions() + "' '" + course.file("results") + "' > /dev/null";
        CHECK(std::system(command.c_str()) == 0);
        CHECK(has(read_text(course.file("results/13_column_sums.csv")), "\"ada\",\"13_column_sums\",\"passed\",1"));
    }

    TEST_CASE("what cannot be graded is said") {
        const Course course;
        CHECK(course.grade({}).status == 2);
        fs::create_directories(course.submissions());
        CHECK(has(course.grade({}).errors, "there is no folder of a student in "));
        course.submit("ada", solution());
        const CommandResult none = lanes_command({"grade", course.submissions(), "--exercise", "99"});
        CHECK(none.status == 2);
        CHECK(has(none.errors, "there is no exercise 99"));
        CHECK(lanes_command({"grade", course.submissions()}).status == 2);
        CHECK(course.grade({"--jobs", "0"}).status == 2);
        setenv("CUDACXX", "/usr/bin/false", 1);
        const CommandResult no_compiler = course.grade({});
        unsetenv("CUDACXX");
        CHECK(no_compiler.status == 2);
        CHECK(has(no_compiler.errors, "cannot compile the allowed headers"));
        setenv("LANES_EMULATOR", course.file("broken").c_str(), 1);
        fs::create_directories(course.file("broken"));
        std::ofstream(course.file("broken/libcudart.so.") + LANES_CUDART_MAJOR) << "no library";
        const CommandResult no_emulator = course.grade({});
        unsetenv("LANES_EMULATOR");
        CHECK(no_emulator.status == 2);
        CHECK(has(no_emulator.errors, "the solution of 13_column_sums itself does not pass here ("));
        CHECK(course.grade({"--csv", course.file("no/such/folder.csv")}).status == 2);
    }
}
