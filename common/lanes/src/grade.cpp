#include "grade.hpp"

#include "confined_child.hpp"
#include "emulator_library.hpp"
#include "exercise_check.hpp"
#include "file_probe.hpp"
#include "files.hpp"
#include "header_list.hpp"
#include "verdict_text.hpp"

#include <options.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace lanes {

namespace {

namespace fs = std::filesystem;
using emulator::Error;
using emulator::Result;
using nlohmann::json;

constexpr std::uint64_t mebibyte = 1 << 20;
constexpr std::uint64_t file_bytes = 64 * mebibyte;
constexpr std::uint64_t ptx_bytes = 8 * mebibyte;
constexpr std::size_t message_bytes = 4000;
constexpr int status_of_signal = 128;
#ifdef LANES_SANITIZER_RUNTIME
constexpr std::uint64_t memory_bytes = 0;  // sanitizers reserve terabytes of addresses
#else
constexpr std::uint64_t memory_bytes = 2048 * mebibyte;
#endif

const std::map<GradeStatus, const char*> status_names{
    {GradeStatus::passed, "passed"},
    {GradeStatus::failed, "failed"},
    {GradeStatus::does_not_compile, "does not compile"},
    {GradeStatus::forbidden_header, "forbidden header"},
    {GradeStatus::compile_limit, "too costly to compile"},
    {GradeStatus::run_limit, "too costly to check"},
    {GradeStatus::broke_off, "broke off"},
    {GradeStatus::missing, "missing"},
    {GradeStatus::not_plain, "not a plain file"},
    {GradeStatus::empty, "empty"},
    {GradeStatus::too_large, "too large"},
    {GradeStatus::not_text, "not text"},
    {GradeStatus::not_graded, "not graded"},
};

bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

bool contains_any(const std::string& text, std::initializer_list<const char*> all) {
    return std::any_of(all.begin(), all.end(), [&](const char* words) { return contains(text, words); });
}

void erase_all(std::string& text, const std::string& words) {
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at)) text.erase(at, words.size());
}

// Folders of one submission: what is compiled, what comes of it, what the check program writes. Gone at the end.
class JobFolder {
public:
    explicit JobFolder(const fs::path& parent) {
        std::string path = (parent / "job.XXXXXX").string();
        if (mkdtemp(path.data()) == nullptr) return;
        root = path;
        std::error_code error;
        for (const fs::path& folder : {source(), compiled(), result()}) fs::create_directory(folder, error);
    }
    ~JobFolder() {
        std::error_code ignored;
        if (!root.empty()) fs::remove_all(root, ignored);
    }
    JobFolder(const JobFolder&) = delete;
    JobFolder& operator=(const JobFolder&) = delete;

    fs::path source() const { return root / "source"; }
    fs::path compiled() const { return root / "compiled"; }
    fs::path result() const { return root / "result"; }
    fs::path log() const { return root / "log"; }

    fs::path root;
};

std::vector<std::string> compile_environment(const JobFolder& folder) {
    return {"PATH=/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + folder.compiled().string()};
}

// Lines of a source are shown only if they are the submission's own: PTX can name any file.
void forget_other_files(json& place, const std::string& own) {
    for (const char* name : {"file", "other_file"})
        if (place.contains(name) && place[name] != own) place[name] = "";
}

void forget_other_files(RunReport& report, const std::string& own) {
    for (json& fault : report.faults) forget_other_files(fault, own);
    for (json& launch : report.launches)
        if (launch.contains("lines"))
            for (json& line : launch["lines"]) forget_other_files(line, own);
}

std::string limit_text(const Limits& limits, const std::string& what) {
    return what + ": at most " + std::to_string(limits.time.count()) + " s of processor time, " +
           std::to_string(memory_bytes / mebibyte) + " MiB of memory and " + std::to_string(file_bytes / mebibyte) +
           " MiB of output are allowed\n";
}

bool is_ended_by_limit(const ConfinedResult& result) {
    const int signal = result.status - status_of_signal;
    return result.timed_out || signal == SIGXFSZ || signal == SIGKILL;
}

// nvcc outlives the programs it starts, and says how they ended.
bool says_limit(const std::string& log) {
    return contains_any(log, {"died due to signal", "terminated program", "out of memory", "Cannot allocate memory",
                              "cannot allocate memory", "bad_alloc", "File size limit"});
}

fs::path toolkit_of(const std::string& nvcc) {
    return fs::path(nvcc).parent_path().parent_path();
}

}  // namespace

const char* name_of(GradeStatus status) {
    return status_names.at(status);
}

GradeStatus status_of_name(const std::string& name) {
    for (const auto& [status, known] : status_names)
        if (name == known) return status;
    return GradeStatus::not_graded;
}

// The way of one submission, step by step; each returns a grade if it is the last one.
class Grader::Job {
public:
    Job(const Grader& grader, const ExerciseFolder& exercise)
        : grader_(grader),
          exercise_(exercise),
          folder_(grader.scratch_->path()),
          source_(folder_.source() / exercise.file.filename()) {}

    Grade run(const std::string& text) {
        if (folder_.root.empty())
            return {GradeStatus::not_graded, 0, "no folder can be made in " + grader_.scratch_->path().string()};
        if (const auto probe = file_probe(text); !grader_.sandbox_.isolates() && !probe.empty())
            return forbidden("Where submissions are graded without bubblewrap, none may hold " + probe +
                             ": it could tell which files are there");
        std::ofstream(source_, std::ios::binary) << text;
        if (auto grade = compile()) return *grade;
        return check();
    }

    // The files that a source opens; for the list of those that are allowed.
    std::vector<std::string> files_opened_by(const std::string& text) {
        std::ofstream(source_, std::ios::binary) << text;
        preprocess_and_compile();
        return opened_files(text_or_nothing((folder_.compiled() / "opened").string()));
    }

    std::string source() const { return source_.string(); }
    std::string log() const { return text_or_nothing(folder_.log().string()); }

private:
    fs::path ptx() const { return folder_.compiled() / "submission.ptx"; }

    ConfinedResult preprocess_and_compile() {
        const std::string rule = "-MD,-MF," + (folder_.compiled() / "opened").string();
        const std::vector<std::string> nvcc{grader_.nvcc_,      "-std=c++20",    "-lineinfo", "-ptx",
                                            "-arch=compute_80", "-Xcompiler",    rule,        "-o",
                                            ptx().string(),     source_.string()};
        return run_confined(grader_.sandbox_.command(nvcc, {{folder_.source()}, folder_.compiled()}),
                            compile_environment(folder_), grader_.limits_, folder_.log().string());
    }

    std::optional<Grade> compile() {
        const ConfinedResult result = preprocess_and_compile();
        if (!result.start_error.empty()) return Grade{GradeStatus::not_graded, 0, "nvcc: " + result.start_error};
        const std::string text = log();
        if (is_ended_by_limit(result) || (result.status != 0 && says_limit(text)))
            return Grade{GradeStatus::compile_limit, 0, limit_text(grader_.limits_, "The compiler was stopped")};
        // Before anything of its messages is shown: they quote the files that were included.
        const auto opened = opened_files(text_or_nothing((folder_.compiled() / "opened").string()));
        auto allowed = grader_.allowed_files_;
        allowed.insert(source());
        if (const auto file = first_forbidden(opened, allowed); !file.empty())
            return forbidden(without_names(file + " is none of the headers that may be included"));
        // The preprocessor tells the files unless one of them is not there, or not to be seen from the sandbox.
        if (opened.empty() && result.status != 0) return forbidden(without_names(missing_header(text)));
        if (opened.empty()) return Grade{GradeStatus::not_graded, 0, "nvcc did not say which files it opened\n"};
        if (result.status != 0) return Grade{GradeStatus::does_not_compile, 0, shown_to_student(text)};
        std::error_code error;
        if (fs::file_size(ptx(), error) > ptx_bytes || error)
            return Grade{GradeStatus::compile_limit, 0, "It compiles to more than 8 MiB of PTX\n"};
        return std::nullopt;
    }

    Grade forbidden(const std::string& reason) const {
        return {GradeStatus::forbidden_header, 0, shown_to_student(reason + '\n')};
    }

    // Where nothing is hidden, nobody is to learn which files there are.
    std::string without_names(const std::string& reason) const {
        if (grader_.sandbox_.isolates()) return reason;
        return "It includes a file that is not there, or is none of the headers that may be included";
    }

    // The one line about a header that is not there; others may quote files that are.
    std::string missing_header(const std::string& text) const {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (line.compare(0, source().size(), source()) == 0 && contains(line, ": fatal error: ")) return line;
        return "A header that it includes cannot be read";
    }

    Grade check() {
        const fs::path program = exercise_.built / "check";
        const std::string verdict = (folder_.result() / "verdict").string();
        const std::string events = (folder_.result() / "events").string();
        auto variables = check_variables(grader_.emulator_, ptx().string(), events);
        variables[runtime::variable::threads] = "1";
        // By env, as bubblewrap must not take LD_PRELOAD for itself.
        std::vector<std::string> command{"/usr/bin/env"};
        for (const auto& [name, value] : variables) command.emplace_back(name).append("=").append(value);
        command.insert(command.end(), {program.string(), verdict});
        const Visible visible{{program, grader_.emulator_, folder_.compiled()}, folder_.result()};
        const ConfinedResult ended =
            run_confined(grader_.sandbox_.command(command, visible), {}, grader_.limits_, folder_.log().string());
        if (!ended.start_error.empty())
            return {GradeStatus::not_graded, 0, program.string() + ": " + ended.start_error};
        return grade_of(ended, read_check_result(verdict, events, ended.status));
    }

    Grade grade_of(const ConfinedResult& ended, CheckResult result) {
        forget_other_files(result.report, source());
        Grade grade;
        grade.checks_passed = static_cast<std::size_t>(std::count_if(
            result.checks.begin(), result.checks.end(), [](const json& c) { return c.value("passed", false); }));
        grade.status = result.passed ? GradeStatus::passed : status_of(ended, result);
        const bool has_verdict = grade.status == GradeStatus::passed || grade.status == GradeStatus::failed;
        if (grade.status == GradeStatus::run_limit)
            grade.message = limit_text(grader_.limits_, "The checks were stopped");
        else if (has_verdict)
            grade.message =
                shown_to_student(verdict_text(grader_.set_, exercise_, result, {.folder = grader_.set_.root}));
        else
            grade.message = "The check program ended with status " + std::to_string(ended.status) + '\n';
        return grade;
    }

    GradeStatus status_of(const ConfinedResult& ended, const CheckResult& result) const {
        const std::string text = log();
        const bool out_of_memory = std::any_of(result.checks.begin(), result.checks.end(), [](const json& check) {
            return contains(check.value("message", ""), "bad_alloc");
        });
        if (is_ended_by_limit(ended) || out_of_memory || contains(text, "bad_alloc")) return GradeStatus::run_limit;
        const bool has_failed = std::any_of(result.checks.begin(), result.checks.end(),
                                            [](const json& check) { return !check.value("passed", false); });
        if (ended.status == 1 && has_failed) return GradeStatus::failed;
        // The checks could not go on, as a kernel or a constant of the exercise is not there.
        if (ended.status == status_broken && result.report.unexpected_errors() > 0) return GradeStatus::failed;
        return GradeStatus::broke_off;
    }

    std::string shown_to_student(std::string text) const {
        erase_all(text, folder_.source().string() + '/');
        erase_all(text, folder_.root.string());
        return printable(text, message_bytes);
    }

    const Grader& grader_;
    const ExerciseFolder& exercise_;
    JobFolder folder_;
    fs::path source_;
};

Grader::Grader(ExerciseSet set, std::string nvcc, std::string library, const GradeSettings& settings)
    : set_(std::move(set)),
      nvcc_(std::move(nvcc)),
      emulator_(std::move(library)),
      scratch_(std::make_shared<ScratchFolder>("lanes-grade")),
      limits_{settings.time, memory_bytes, file_bytes},
      sandbox_(settings.sandbox, toolkit_of(nvcc_), set_.root) {}

Result<Grader> Grader::make(const ExerciseSet& set, const GradeSettings& settings) {
    std::error_code error;
    const auto nvcc = fs::canonical(chosen_compiler(), error);
    if (error) return Error{"there is no nvcc at " + chosen_compiler() + "; CUDACXX names another"};
    const auto library = find_emulator_library();
    if (!library) return library.error();
    Grader grader(set, nvcc.string(), *library, settings);
    if (!grader.scratch_->error().empty()) return Error{grader.scratch_->error()};
    if (settings.sandbox == SandboxChoice::required && !grader.sandbox_.isolates())
        return Error{grader.sandbox_.obstacle() + "; --bubblewrap auto grades without it"};
    if (const auto failure = grader.learn_headers(); !failure.empty()) return Error{failure};
    return grader;
}

std::string Grader::learn_headers() {
    ExerciseFolder none;
    none.file = "headers.cu";
    Job job(*this, none);
    for (const std::string& file : job.files_opened_by(allowed_headers_source())) allowed_files_.insert(file);
    allowed_files_.erase(job.source());
    return allowed_files_.empty() ? nvcc_ + " cannot compile the allowed headers:\n" + job.log() : "";
}

std::string Grader::version(const ExerciseFolder& exercise) const {
    std::string versions = std::to_string(limits_.time.count());
    for (const std::string& file :
         {std::string("/proc/self/exe"), nvcc_, emulator_, (exercise.built / "check").string()})
        versions += ' ' + sha256(text_or_nothing(file));
    return sha256(versions);
}

Grade Grader::grade(const ExerciseFolder& exercise, const Submission& submission) const {
    switch (submission.state) {
        case SubmissionState::missing:
            return {GradeStatus::missing, 0, "There is no file " + exercise.file.filename().string() + '\n'};
        case SubmissionState::not_plain:
            return {GradeStatus::not_plain, 0, "It is a link, a folder, a device or a file that cannot be read\n"};
        case SubmissionState::empty:
            return {GradeStatus::empty, 0, "There is nothing in the file\n"};
        case SubmissionState::too_large:
            return {GradeStatus::too_large, 0, "The file has more than 256 KiB\n"};
        case SubmissionState::not_text:
            return {GradeStatus::not_text, 0, "The file is not UTF-8 text\n"};
        case SubmissionState::readable:
            break;
    }
    return Job(*this, exercise).run(submission.text);
}

}  // namespace lanes
