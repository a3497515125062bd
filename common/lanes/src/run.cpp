#include "run.hpp"

#include "child.hpp"
#include "emulator_library.hpp"
#include "files.hpp"
#include "program_file.hpp"
#include "report_output.hpp"
#include "run_report.hpp"
#include "temporary_file.hpp"

#include <options.hpp>
#include <report.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

namespace lanes {

namespace {

std::map<std::string, std::string> variables_of(const RunRequest& request, const std::string& library,
                                                const std::string& report) {
    auto variables = request.variables;
    variables.merge(emulator_variables(library, report));
    return variables;
}

// What the program's runtime will be told, by our options and by the environment.
emulator::Result<runtime::Options> options_of(const RunRequest& request) {
    return runtime::read_options([&](const char* name) -> const char* {
        const auto found = request.variables.find(name);
        return found == request.variables.end() ? std::getenv(name) : found->second.c_str();
    });
}

void print_summary(const ReportOutput& output, const RunReport& report, const ChildResult& child) {
    if (child.signal != 0)
        std::cerr << "lanes: the program was ended by signal " << child.signal << " (" << strsignal(child.signal)
                  << ")\n";
    if (report.device.is_null())
        std::cerr << "lanes: the program made no CUDA call\n";
    else
        output.print(report);
}

// The program's own status, unless it succeeded although its kernels did not.
int status_of(const ChildResult& child, const RunReport& report) {
    const std::size_t errors = report.unexpected_errors();
    if (child.status != 0 || errors == 0) return child.status;
    std::cerr << "lanes: the program's exit status is 0, but " << errors
              << (errors == 1 ? " error was" : " errors were") << " found: the exit status is " << status_faults
              << '\n';
    return status_faults;
}

}  // namespace

int run(const RunRequest& request) {
    const auto options = options_of(request);
    if (!options) return refuse(options.error().message);
    const std::string& name = request.program.front();
    const auto path = find_program(name);
    if (!path) return refuse("there is no program " + name);
    const auto bytes = read_file(*path);
    if (!bytes) return refuse(bytes.error().message);
    const Verdict verdict = judge_program(*path, inspect_program(*bytes), library_name);
    if (!verdict.can_run) return refuse(verdict.message);
    if (!verdict.message.empty()) std::cerr << "lanes: note: " << verdict.message << '\n';
    const auto library = find_emulator_library();
    if (!library) return refuse(library.error().message);

    const TemporaryFile events(temporary_folder() + "/lanes-report");
    if (!events.error().empty()) return refuse("no file can be made in " + temporary_folder() + ": " + events.error());
    ReportOutput output(request.json, request.lines);
    if (!output.error().empty()) return refuse(output.error());

    const ChildResult child =
        run_child(*path, request.program, environment_with(variables_of(request, *library, events.path())));
    if (!child.start_error.empty()) return refuse(*path + " cannot be started: " + child.start_error);
    RunReport report = read_report(events.path());
    if (!report.incomplete.empty())
        return refuse("launches are missing, because " + events.path() + " could not be written: " + report.incomplete +
                      "; TMPDIR names another folder for it");
    print_summary(output, report, child);
    // A program that never asked for the device would have seen this one.
    if (report.device.is_null()) report.device = runtime::device_line(*options->device)["device"];
    if (const auto error = output.write(report, request.program, child.status); !error.empty()) return refuse(error);
    return status_of(child, report);
}

}  // namespace lanes
