#include "grade_options.hpp"

#include "grade_command.hpp"

#include <map>
#include <memory>
#include <string>

namespace lanes {

namespace {

constexpr const char* footer = R"(
SUBMISSIONS holds a folder a student, and each of them files named as in exercises/: SUBMISSIONS/ada/pitch.cu.
A file is compiled to PTX, with limits and in bubblewrap if it works here, and interpreted; none of its host code runs.
A run that was ended goes on with what its journal knows; that is beside the first file of results, or --journal.
Exit status: 0 if all were graded, whatever their grades; 1 if one could not be graded; 2 if nothing could be.

  lanes grade submissions --exercise 12_pitch --exercise 13_column_sums --csv grades.csv
)";

}  // namespace

void add_grade_command(CLI::App& app, std::function<int()>& action) {
    // What each option takes is said in words: the descriptions of the checks are for programmers.
    constexpr unsigned most_jobs = 1024;
    constexpr unsigned most_seconds = 3600;
    const auto request = std::make_shared<GradeRequest>();
    const auto seconds = std::make_shared<unsigned>(static_cast<unsigned>(request->settings.time.count()));
    CLI::App& grade = *app.add_subcommand("grade", "Grade folders of submissions")->group("Exercises")->footer(footer);
    grade.add_option("submissions", request->folder, "Folder with a folder a student")
        ->required()
        ->type_name("SUBMISSIONS");
    grade.add_option("--exercise", request->exercises, "An exercise; may be repeated")->required()->type_name("NAME");
    grade.add_option("--jobs", request->jobs, "Submissions at once; one a core if not given")
        ->check(CLI::Range(1U, most_jobs).description(""))
        ->type_name("N");
    grade.add_option("--junit", request->junit, "Write JUnit XML")->type_name("FILE");
    grade.add_option("--csv", request->csv, "Write CSV")->type_name("FILE");
    grade.add_option("--json", request->json, "Write JSON; book/results/schema/lanes-grade.schema.json describes it")
        ->type_name("FILE");
    grade.add_option("--gradescope", request->gradescope, "Write STUDENT/results.json for Gradescope")
        ->type_name("FOLDER");
    grade.add_option("--journal", request->journal, "Keep grades here during the run, and take known ones from it")
        ->type_name("FILE");
    grade.add_option("--time", *seconds, "Processor time for compiling a submission, and again for checking it")
        ->check(CLI::Range(1U, most_seconds).description(""))
        ->capture_default_str()
        ->type_name("SECONDS");
    const std::map<std::string, SandboxChoice> choices{
        {"auto", SandboxChoice::automatic}, {"always", SandboxChoice::required}, {"never", SandboxChoice::none}};
    grade
        .add_option_function<std::string>(
            "--bubblewrap",
            [request, choices](const std::string& word) { request->settings.sandbox = choices.at(word); },
            "auto (the default), always or never")
        ->check(CLI::IsMember(choices).description(""))
        ->type_name("WHEN");
    grade.callback([&action, request, seconds] {
        action = [request, seconds] {
            request->settings.time = std::chrono::seconds(*seconds);
            return grade_submissions(*request);
        };
    });
}

}  // namespace lanes
