#include "grade_command.hpp"

#include "files.hpp"
#include "grade_journal.hpp"
#include "grade_reports.hpp"
#include "report_output.hpp"
#include "temporary_file.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <thread>

namespace lanes {

namespace {

namespace fs = std::filesystem;
using emulator::Error;
using emulator::Result;

// A file of a student for an exercise, to be graded.
struct Task {
    std::string student;
    const ExerciseFolder* exercise;
    fs::path file;
};

Result<std::vector<std::string>> students_in(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> students;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) || entry.is_symlink(error)) students.push_back(entry.path().filename().string());
    if (error) return Error{folder + " cannot be read: " + error.message()};
    if (students.empty()) return Error{"there is no folder of a student in " + folder};
    std::sort(students.begin(), students.end());
    return students;
}

Result<std::vector<ExerciseFolder>> chosen_exercises(const ExerciseSet& set, const std::vector<std::string>& names) {
    std::vector<ExerciseFolder> exercises;
    for (const std::string& name : names) {
        const auto exercise = choose_exercise(set, name);
        if (!exercise) return exercise.error();
        if (!fs::exists(exercise->built / "check"))
            return Error{(exercise->built / "check").string() + " is not there; build the target exercises"};
        exercises.push_back(*exercise);
    }
    return exercises;
}

// Why an exercise cannot be graded here, or empty: our own solution must pass, or a broken toolkit or sandbox would
// look like a class that failed. A handout has no solutions.
std::string obstacle_of(const Grader& grader, const ExerciseFolder& exercise) {
    const Submission own = read_submission(exercise.built / "solution.cu");
    if (own.state != SubmissionState::readable) return "";
    const Grade grade = grader.grade(exercise, own);
    if (grade.status == GradeStatus::passed) return "";
    return "the solution of " + exercise.name + " itself does not pass here (" + name_of(grade.status) +
           "), so nothing is graded: " + grade.message;
}

// Grades all tasks, some at once.
class Run {
public:
    Run(const Grader& grader, const std::vector<Task>& tasks, GradeJournal& journal)
        : grader_(grader), tasks_(tasks), journal_(journal), results_(tasks.size()) {
        for (const Task& task : tasks)
            if (!versions_.contains(task.exercise->name))
                versions_[task.exercise->name] = grader.version(*task.exercise);
    }

    void go(unsigned jobs) {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < std::max(1U, jobs); ++i) threads.emplace_back([this] { work(); });
    }

    const std::vector<GradedSubmission>& results() const { return results_; }
    std::size_t known() const { return known_; }

private:
    void work() {
        for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
            try {
                grade(tasks_[i], results_[i]);
            } catch (const std::exception& error) {
                results_[i].grade = {GradeStatus::not_graded, 0, error.what()};
            }
        }
    }

    void grade(const Task& task, GradedSubmission& result) {
        result.student = task.student;
        result.exercise = task.exercise->name;
        const Submission submission = read_submission(task.file);
        if (submission.state != SubmissionState::readable) {
            result.grade = grader_.grade(*task.exercise, submission);
            return;
        }
        result.hash = sha256(submission.text);
        const GradeKey key{task.exercise->name, result.hash, versions_.at(task.exercise->name)};
        if (const auto known = journal_.find(key)) {
            result.grade = *known;
            ++known_;
            return;
        }
        result.grade = grader_.grade(*task.exercise, submission);
        journal_.add(key, result.grade);
    }

    const Grader& grader_;
    const std::vector<Task>& tasks_;
    GradeJournal& journal_;
    std::map<std::string, std::string> versions_;
    std::vector<GradedSubmission> results_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> known_ = 0;
};

std::string save(const std::string& path, const std::string& text) {
    return path.empty() ? "" : write_file(path, std::as_bytes(std::span(text)));
}

std::string json_text(const nlohmann::json& value) {
    return value.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string save_gradescope(const std::string& folder, const std::vector<GradedSubmission>& results) {
    if (folder.empty()) return "";
    std::set<std::string> students;
    for (const GradedSubmission& result : results) students.insert(result.student);
    for (const std::string& student : students) {
        const fs::path own = fs::path(folder) / student;
        std::error_code error;
        fs::create_directories(own, error);
        if (error) return own.string() + " cannot be made: " + error.message();
        auto failure = save((own / "results.json").string(), json_text(grade_gradescope(results, student)));
        if (!failure.empty()) return failure;
    }
    return "";
}

// Why the results could not be written, or empty.
std::string write_results(const GradeRequest& request, const std::vector<GradedSubmission>& results, bool isolated) {
    for (const auto& error :
         {save(request.junit, grade_junit(results)), save(request.csv, grade_csv(results)),
          save(request.json, json_text(grade_json(results, isolated))), save_gradescope(request.gradescope, results)})
        if (!error.empty()) return error;
    return "";
}

// Beside the first file of results.
std::string journal_of(const GradeRequest& request) {
    if (!request.journal.empty()) return request.journal;
    for (const std::string* file : {&request.json, &request.csv, &request.junit})
        if (!file->empty()) return *file + ".journal";
    return "";
}

// A link could name another student's folder: then it is the link that is graded, as what it is.
fs::path file_of(const fs::path& folder, const ExerciseFolder& exercise) {
    return fs::is_symlink(folder) ? folder : folder / exercise.file.filename();
}

std::vector<Task> tasks_of(const std::string& folder, const std::vector<std::string>& students,
                           const std::vector<ExerciseFolder>& exercises) {
    std::vector<Task> tasks;
    for (const ExerciseFolder& exercise : exercises)
        for (const std::string& student : students)
            tasks.push_back({student, &exercise, file_of(fs::path(folder) / student, exercise)});
    return tasks;
}

}  // namespace

int grade_submissions(const GradeRequest& request) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercises = chosen_exercises(*set, request.exercises);
    if (!exercises) return refuse(exercises.error().message);
    const auto students = students_in(request.folder);
    if (!students) return refuse(students.error().message);
    const auto grader = Grader::make(*set, request.settings);
    if (!grader) return refuse(grader.error().message);
    if (!grader->sandbox().isolates())
        std::cerr << "lanes: note: " << grader->sandbox().obstacle()
                  << "; submissions are confined by limits and the list of headers only\n";
    for (const ExerciseFolder& exercise : *exercises)
        if (const auto obstacle = obstacle_of(*grader, exercise); !obstacle.empty()) return refuse(obstacle);
    const std::string journal_file = journal_of(request);
    GradeJournal journal(journal_file);
    if (!journal.error().empty()) return refuse(journal.error());
    const auto tasks = tasks_of(request.folder, *students, *exercises);
    Run run(*grader, tasks, journal);
    run.go(request.jobs == 0 ? std::thread::hardware_concurrency() : request.jobs);
    std::cout << grade_table(run.results());
    if (run.known() > 0) std::cout << run.known() << " of them known from " << journal_file << '\n';
    const auto error = write_results(request, run.results(), grader->sandbox().isolates());
    if (!error.empty()) return refuse(error);
    const bool all_graded = std::none_of(run.results().begin(), run.results().end(), [](const GradedSubmission& r) {
        return r.grade.status == GradeStatus::not_graded;
    });
    return all_graded ? 0 : status_ungraded;
}

}  // namespace lanes
