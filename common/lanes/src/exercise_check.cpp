#include "exercise_check.hpp"

#include "build_folder.hpp"
#include "child.hpp"
#include "emulator_library.hpp"
#include "files.hpp"
#include "gpu.hpp"
#include "temporary_file.hpp"

#include <options.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace lanes {

namespace {

namespace fs = std::filesystem;
using emulator::Error;
using emulator::Result;
using nlohmann::json;

// A warp that executes this many thread instructions is stopped as endless; exercises need a hundredth of it.
constexpr const char* instruction_budget = "50000000";

// The files of one check, gone at its end.
struct Files {
    TemporaryFile ptx{temporary_folder() + "/lanes-ptx"};
    TemporaryFile verdict{temporary_folder() + "/lanes-verdict"};
    TemporaryFile events{temporary_folder() + "/lanes-report"};
    TemporaryFile printed{temporary_folder() + "/lanes-printed"};
    TemporaryFile errors{temporary_folder() + "/lanes-errors"};

    std::string error() const {
        for (const TemporaryFile* file : {&ptx, &verdict, &events, &printed, &errors})
            if (!file->error().empty()) return "no file can be made in " + temporary_folder() + ": " + file->error();
        return {};
    }
};

// A program is run to its end; an error if it did not start, or somebody wants us to end.
Result<ChildResult> run_to_end(const std::vector<std::string>& command,
                               const std::map<std::string, std::string>& variables, const Redirection& redirection) {
    ChildResult child = run_child(command.front(), command, environment_with(variables), redirection);
    if (!child.start_error.empty()) return Error{command.front() + " cannot be started: " + child.start_error};
    if (child.received != 0) return Error{"the check was interrupted"};
    return child;
}

// Why nvcc is not there, or empty.
std::string fault_of_path(const std::string& nvcc) {
    if (access(nvcc.c_str(), X_OK) == 0) return "";
    return nvcc + " cannot be started: " + std::strerror(errno) + "; CUDACXX names another nvcc";
}

// Runs nvcc, as if nobody had set options of his own: they could change what is checked.
Result<ChildResult> run_compiler(std::vector<std::string> arguments, const Files& files) {
    const std::string nvcc = chosen_compiler();
    if (const auto fault = fault_of_path(nvcc); !fault.empty()) return Error{fault};
    arguments.insert(arguments.begin(), {nvcc, "-std=c++20"});
    return run_to_end(arguments, {{"NVCC_APPEND_FLAGS", ""}, {"NVCC_PREPEND_FLAGS", ""}},
                      {files.errors.path(), files.errors.path()});
}

// Why nothing can be compiled here, or empty.
Result<std::string> fault_of_compiler(const Files& files) {
    const TemporaryFile empty(temporary_folder() + "/lanes-empty");
    const auto child = run_compiler({"-ptx", "-x", "cu", "-o", files.ptx.path(), empty.path()}, files);
    if (!child) return child.error();
    if (child->status == 0) return std::string();
    return chosen_compiler() + " cannot compile an empty file here, so nothing is checked:\n" +
           text_or_nothing(files.errors.path()) +
           "It needs a host compiler in PATH, or in NVCC_CCBIN; CUDACXX names another nvcc";
}

// Whether nvcc took the file; an error if it takes none.
Result<bool> compile(const std::vector<std::string>& arguments, const std::string& name, const Files& files,
                     std::string& compiler_errors) {
    const auto child = run_compiler(arguments, files);
    if (!child) return child.error();
    if (child->status == 0) return true;
    compiler_errors = text_or_nothing(files.errors.path());
    if (compiler_errors.find(name) != std::string::npos) return false;
    const auto fault = fault_of_compiler(files);
    if (!fault) return fault.error();
    if (!fault->empty()) return Error{*fault};
    if (compiler_errors.empty()) compiler_errors = "nvcc ended with status " + std::to_string(child->status) + '\n';
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
Result<CheckResult> run_checks(const std::string& program, const std::map<std::string, std::string>& variables,
                               const Files& files) {
    const auto child = run_to_end({program, files.verdict.path()}, variables,
                                  {files.printed.path(), files.errors.path(), printable_bytes});
    if (!child) return child.error();
    CheckResult result = read_check_result(files.verdict.path(), files.events.path(), child->status);
    result.printed = text_or_nothing(files.printed.path());
    result.printed_in_all = result.printed.size();
    result.printed.resize(std::min(result.printed.size(), printed_bytes));
    if (!broke_off(child->status, result)) return result;
    const std::string why = child->signal != 0 ? "signal " + std::to_string(child->signal) + '\n' : "";
    return Error{"the check program broke off, which is no fault of your file: " + why +
                 text_or_nothing(files.errors.path())};
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

// A path that no compiler takes for an option.
std::string as_argument(const fs::path& file) {
    const std::string path = shown(file);
    return path.front() == '-' ? "./" + path : path;
}

// Why a file cannot be read, or empty.
std::string fault_of_file(const fs::path& file) {
    std::error_code ignored;
    const bool is_link = fs::is_symlink(file, ignored);
    const auto type = fs::status(file, ignored).type();
    if (is_link && type == fs::file_type::not_found)
        return file.string() + " is a link to " + fs::read_symlink(file, ignored).string() + ", which is not there";
    if (type == fs::file_type::not_found) return "there is no file " + file.string();
    if (type == fs::file_type::directory) return file.string() + " is a folder";
    const auto text = read_text(file.string());
    return text ? "" : text.error().message;
}

// Why a file cannot be checked at all, or empty.
std::string obstacle(const fs::path& file, const fs::path& needed, const Files& files) {
    std::error_code ignored;
    if (auto fault = fault_of_file(file); !fault.empty()) return fault;
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

bool broke_off(int status, const CheckResult& result) {
    const bool has_failed = std::any_of(result.checks.begin(), result.checks.end(),
                                        [](const json& check) { return !check.value("passed", false); });
    // A kernel or a constant that is not there ends the program as well; that is the file's fault.
    return status >= status_broken && !has_failed && result.report.unexpected_errors() == 0 &&
           result.printed_in_all < printable_bytes;
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
        compile({"-lineinfo", "-ptx", "-arch=compute_80", "-x", "cu", "-o", files.ptx.path(), as_argument(file)},
                file.filename().string(), files, result.compiler_errors);
    if (!compiled) return compiled.error();
    return *compiled
               ? run_checks(program.string(), check_variables(*library, files.ptx.path(), files.events.path()), files)
               : result;
}

Result<CheckResult> check_file_on_gpu(const ExerciseSet& set, const ExerciseFolder& exercise, const fs::path& file) {
    const fs::path library = build_folder() / "lib" / "liblanes_exercise.a";
    const Files files;
    if (const auto error = obstacle(file, library, files); !error.empty()) return Error{error};
    if (const auto error = gpu_obstacle(); !error.empty())
        return Error{"there is no GPU for --gpu: " + error + ". Without --gpu, the emulator checks"};
    const std::string name = exercise.file.filename().string();
    const IncludeFolder student(files.verdict.path() + ".include", file, name);
    if (const auto error = student.error(); !error.empty()) return Error{error};
    const std::string& program = files.ptx.path();
    CheckResult result;
    const auto compiled = compile({"-lineinfo", "-O3", "-arch=native", "-cudart=static", "-I", student.path(), "-I",
                                   (set.root / "exercises").string(), "-I", (set.root / "common" / "include").string(),
                                   "-o", program, (exercise.folder / "check.cu").string(), library.string()},
                                  name, files, result.compiler_errors);
    if (!compiled) return compiled.error();
    return *compiled ? run_checks(program, {}, files) : result;
}

}  // namespace lanes
