#include "exercise_check.hpp"

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
constexpr int status_broken = 2;  // of a check program, see common/exercises/main.cpp

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

std::string compiler() {
    const char* chosen = std::getenv("CUDACXX");
    return chosen == nullptr || *chosen == '\0' ? LANES_NVCC : chosen;
}

// Runs nvcc; an error only if it cannot be started.
Result<bool> compile(const fs::path& file, const Files& files, std::string& compiler_errors) {
    const std::string nvcc = compiler();
    const std::vector<std::string> arguments = {nvcc, "-ptx",           "-std=c++20", "-lineinfo", "-arch=compute_80",
                                                "-o", files.ptx.path(), shown(file)};
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

// Every check and launch is the same on every machine, whatever a person has set.
std::map<std::string, std::string> variables_of(const std::string& library, const Files& files) {
    auto variables = emulator_variables(library, files.events.path());
    variables[runtime::variable::module] = files.ptx.path();
    variables[runtime::variable::budget] = instruction_budget;
    variables[runtime::variable::device] = runtime::default_device;
    variables[runtime::variable::schedule] = "lockstep";
    variables[runtime::variable::checks] = "all";
    return variables;
}

}  // namespace

Result<CheckResult> check_file(const ExerciseFolder& exercise, const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return Error{"there is no file " + file.string()};
    const fs::path program = exercise.built / "check";
    if (!fs::exists(program, ignored))
        return Error{"the checks of " + exercise.name + " are not built; build the target exercises"};
    const auto library = find_emulator_library();
    if (!library) return library.error();
    const Files files;
    if (const auto error = files.error(); !error.empty()) return Error{error};

    CheckResult result;
    const auto compiled = compile(file, files, result.compiler_errors);
    if (!compiled) return compiled.error();
    if (!*compiled) return result;
    const ChildResult child = run_child(program, {program.string(), files.verdict.path()},
                                        environment_with(variables_of(*library, files)), {"", files.errors.path()});
    if (!child.start_error.empty()) return Error{program.string() + " cannot be started: " + child.start_error};
    result.checks = read_checks(files.verdict.path());
    result.report = read_report(files.events.path());
    if (child.status >= status_broken) result.program_errors = text_of(files.errors.path());
    result.passed = child.status == 0 && !result.checks.empty() &&
                    std::all_of(result.checks.begin(), result.checks.end(),
                                [](const json& check) { return check.value("passed", false); });
    return result;
}

}  // namespace lanes
