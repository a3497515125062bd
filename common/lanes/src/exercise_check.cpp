#include "exercise_check.hpp"

#include "build_folder.hpp"
#include "child.hpp"
#include "emulator_library.hpp"
#include "temporary_file.hpp"

#include <options.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace lanes {

namespace {

namespace fs = std::filesystem;
using emulator::Error;
using emulator::Result;
using nlohmann::json;

// A warp that executes this many thread instructions is stopped as endless; exercises need a hundredth of it.
constexpr const char* instruction_budget = "50000000";

std::string text_of(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

// The files of one check, gone at its end.
struct Files {
    TemporaryFile ptx{temporary_folder() + "/lanes-ptx"};
    TemporaryFile verdict{temporary_folder() + "/lanes-verdict"};
    TemporaryFile events{temporary_folder() + "/lanes-report"};
    TemporaryFile errors{temporary_folder() + "/lanes-errors"};

    std::string error() const {
        for (const TemporaryFile* file : {&ptx, &verdict, &events, &errors})
            if (!file->error().empty()) return "no file can be made in " + temporary_folder() + ": " + file->error();
        return {};
    }
};

// Runs nvcc; an error only if it cannot be started.
Result<bool> compile(std::vector<std::string> arguments, const Files& files, std::string& compiler_errors) {
    const std::string nvcc = chosen_compiler();
    arguments.insert(arguments.begin(), {nvcc, "-std=c++20", "-lineinfo"});
    const ChildResult child =
        run_child(nvcc, arguments, environment_with({}), {files.errors.path(), files.errors.path()});
    if (!child.start_error.empty())
        return Error{nvcc + " cannot be started: " + child.start_error + "; CUDACXX names another nvcc"};
    if (child.status == 0) return true;
    compiler_errors = text_of(files.errors.path());
    if (compiler_errors.empty()) compiler_errors = "nvcc ended with status " + std::to_string(child.status) + '\n';
    return false;
}

std::vector<json> read_checks(const std::string& path) {
    std::vector<json> checks;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        json check = json::parse(line, nullptr, false);
        if (check.is_object()) checks.push_back(std::move(check));
    }
    return checks;
}

// Runs a check program and reads what it found.
Result<CheckResult> run_checks(const fs::path& program, const std::map<std::string, std::string>& variables,
                               const Files& files) {
    const ChildResult child = run_child(program, {program.string(), files.verdict.path()}, environment_with(variables),
                                        {"", files.errors.path()});
    if (!child.start_error.empty()) return Error{program.string() + " cannot be started: " + child.start_error};
    CheckResult result = read_check_result(files.verdict.path(), files.events.path(), child.status);
    if (child.status >= status_broken) result.program_errors = text_of(files.errors.path());
    return result;
}

// A folder in which a file has the name that a check program includes; gone at the end, the file is not.
class IncludeFolder {
public:
    IncludeFolder(const std::string& path, const fs::path& file, const std::string& name) : path_(path) {
        fs::create_directory(path_, error_);
        if (!error_) fs::create_symlink(fs::absolute(file), path_ / name, error_);
    }
    ~IncludeFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    IncludeFolder(const IncludeFolder&) = delete;
    IncludeFolder& operator=(const IncludeFolder&) = delete;

    std::string error() const { return error_ ? path_.string() + " cannot be made: " + error_.message() : ""; }
    std::string path() const { return path_.string(); }

private:
    fs::path path_;
    std::error_code error_;
};

// Why a file cannot be checked at all, or empty.
std::string obstacle(const fs::path& file, const fs::path& needed, const Files& files) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return "there is no file " + file.string();
    if (!fs::exists(needed, ignored)) return needed.string() + " is not there; build the target exercises";
    return files.error();
}

}  // namespace

std::map<std::string, std::string> check_variables(const std::string& library, const std::string& ptx,
                                                   const std::string& events) {
    auto variables = emulator_variables(library, events);
    variables[runtime::variable::module] = ptx;
    variables[runtime::variable::budget] = instruction_budget;
    variables[runtime::variable::device] = runtime::default_device;
    variables[runtime::variable::schedule] = "lockstep";
    variables[runtime::variable::checks] = "all";
    return variables;
}

CheckResult read_check_result(const std::string& verdict, const std::string& events, int status) {
    CheckResult result;
    result.checks = read_checks(verdict);
    result.report = read_report(events);
    result.passed = status == 0 && !result.checks.empty() &&
                    std::all_of(result.checks.begin(), result.checks.end(),
                                [](const json& check) { return check.value("passed", false); });
    return result;
}

std::string chosen_compiler() {
    const char* chosen = std::getenv("CUDACXX");
    return chosen == nullptr || *chosen == '\0' ? LANES_NVCC : chosen;
}

Result<CheckResult> check_file(const ExerciseFolder& exercise, const fs::path& file) {
    const fs::path program = exercise.built / "check";
    const Files files;
    if (const auto error = obstacle(file, program, files); !error.empty()) return Error{error};
    const auto library = find_emulator_library();
    if (!library) return library.error();
    CheckResult result;
    const auto compiled =
        compile({"-ptx", "-arch=compute_80", "-o", files.ptx.path(), shown(file)}, files, result.compiler_errors);
    if (!compiled) return compiled.error();
    return *compiled ? run_checks(program, check_variables(*library, files.ptx.path(), files.events.path()), files)
                     : result;
}

Result<CheckResult> check_file_on_gpu(const ExerciseSet& set, const ExerciseFolder& exercise, const fs::path& file) {
    const fs::path library = build_folder() / "lib" / "liblanes_exercise.a";
    const Files files;
    if (const auto error = obstacle(file, library, files); !error.empty()) return Error{error};
    const IncludeFolder student(files.verdict.path() + ".include", file, exercise.file.filename().string());
    if (const auto error = student.error(); !error.empty()) return Error{error};
    const std::string& program = files.ptx.path();
    CheckResult result;
    const auto compiled = compile({"-O3", "-arch=native", "-cudart=static", "-I", student.path(), "-I",
                                   (set.root / "exercises").string(), "-I", (set.root / "common" / "include").string(),
                                   "-o", program, (exercise.folder / "check.cu").string(), library.string()},
                                  files, result.compiler_errors);
    if (!compiled) return compiled.error();
    return *compiled ? run_checks(program, {}, files) : result;
}

}  // namespace lanes
