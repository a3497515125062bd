/// @file
/// @brief The command `lanes`.

#include "devices.hpp"
#include "emulator_library.hpp"
#include "exercise_options.hpp"
#include "grade_options.hpp"
#include "launch.hpp"
#include "ptx.hpp"
#include "reference.hpp"
#include "report_output.hpp"
#include "run.hpp"

#include <options.hpp>

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using lanes::LaunchRequest;
using lanes::RunRequest;
using Variables = std::map<std::string, std::string>;

constexpr const char* run_footer = R"(
PROGRAM is built by nvcc with -cudart=shared, and with -lineinfo for source lines:
  nvcc -cudart=shared -lineinfo -arch=sm_80 -o vector_add vector_add.cu
  lanes run ./vector_add
  lanes run --lines --json cost.json ./vector_add 1000
lanes checks, lanes faults and lanes counters say what the names in --checks and in the report mean.
The summary goes to stderr. Exit status: the program's own; 3 if that is 0 and a kernel had an error;
128 + n if signal n ended the program; 2 if it could not be run.

Devices:
)";

constexpr const char* launch_footer = R"(
An argument is a number (u32:5, f32:2.5) or an array in device memory: f32:[1,2,3] has these elements,
f32[256]:0 has 256 zeros, f32[256] has 256 elements that nobody has written, f32:@in.bin has the bytes of a file.
Types: u8 to u64, s8 to s64, f32, f64. At the end the first elements of each array are printed; --save 2=out.bin
writes all of argument 2, counted from 0, to a file.
  nvcc -ptx -lineinfo -arch=sm_80 vector_add.cu
  lanes launch vector_add.ptx --grid 2 --block 128 --arg f32[256]:1 --arg f32[256]:2 --arg f32[256] --arg s32:256
)";

// CLI11 sees no program in the command line: everything after the options is one.
class RunFormatter final : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
        return "Usage: lanes run [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n";
    }
};

// An option that stands for an environment variable of the runtime, checked by the runtime's own parser.
template <typename Parse>
void add_variable(CLI::App& command, Variables& variables, const char* option, const char* variable, Parse parse,
                  const std::string& description, const std::string& placeholder) {
    command
        .add_option_function<std::string>(
            option, [&variables, variable](const std::string& text) { variables[variable] = text; }, description)
        ->check([parse](const std::string& text) {
            const auto value = parse(text);
            return value ? std::string() : value.error().message;
        })
        ->type_name(placeholder);
}

// The options that `run` and `launch` share.
void add_emulator_options(CLI::App& command, Variables& variables, std::optional<std::string>& json, bool& lines) {
    using namespace lanes::runtime;
    add_variable(command, variables, "--device", variable::device, find_profile,
                 "Device to emulate, sm_89 if not given", "sm_XX");
    add_variable(command, variables, "--checks", variable::checks, lanes::emulator::parse_checks,
                 "Checks of the kernels: all (the default), none, or names with commas between: races, race_shared, "
                 "race_global, uninitialized_read, same_value_writes, leaks; bounds (alone) leaves only what is always "
                 "checked: bounds, barriers and masks",
                 "LIST");
    add_variable(command, variables, "--schedule", variable::schedule, parse_schedule,
                 "How warps take turns: lockstep (the default), or any number, the seed of a random order",
                 "lockstep|SEED");
    add_variable(command, variables, "--threads", variable::threads, parse_threads,
                 "Host threads that run blocks, all cores if not given", "N");
    add_variable(command, variables, "--budget", variable::budget, parse_budget,
                 "Thread instructions, 32 each time a warp executes one, after which the warp is stopped as endless",
                 "N");
    command.add_option("--json", json, "Write launches, counts and faults to a file")->type_name("FILE");
    command.add_flag("--lines", lines, "Print what each source line cost");
}

CLI::App& add_run(CLI::App& app, RunRequest& request) {
    CLI::App& run = *app.add_subcommand("run", "Run a CUDA program on the emulator and print what its kernels cost");
    run.formatter(std::make_shared<RunFormatter>());
    add_emulator_options(run, request.variables, request.json, request.lines);
    run.footer(run_footer + lanes::device_table());
    return run;
}

CLI::App& add_launch(CLI::App& app, LaunchRequest& request) {
    CLI::App& launch = *app.add_subcommand("launch", "Launch one kernel of a PTX file and print what it cost");
    launch.add_option("file", request.file, "What nvcc -ptx makes")->required()->type_name("FILE.ptx");
    launch.add_option("--kernel", request.kernel, "The kernel, if the file has several")->type_name("NAME");
    launch.add_option("--grid", request.grid, "Blocks, 1 if not given")->type_name("X[,Y[,Z]]");
    launch.add_option("--block", request.block, "Threads of a block, 1 if not given")->type_name("X[,Y[,Z]]");
    launch.add_option("--shared", request.shared_bytes, "Bytes of dynamic shared memory")
        ->check([](const std::string& text) {
            const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            return is_number && text.size() < 10 ? std::string() : '"' + text + "\" is not a number of bytes";
        })
        ->type_name("N");
    launch.add_flag("--cooperative", request.cooperative,
                    "All blocks at once, as cudaLaunchCooperativeKernel: for grid.sync()");
    launch.add_option("--arg", request.arguments, "An argument of the kernel, in order; may be repeated")
        ->type_name("TYPE:VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->delimiter('\0');
    launch.add_option("--save", request.saves, "Write an array to a file at the end; may be repeated")
        ->type_name("N=FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->delimiter('\0');
    add_emulator_options(launch, request.variables, request.json, request.lines);
    launch.footer(launch_footer);
    return launch;
}

// What `lanes ptx` was asked to do.
struct PtxRequest {
    std::string program;
    std::string device{lanes::runtime::default_device};
};

CLI::App& add_ptx(CLI::App& app, PtxRequest& request) {
    CLI::App& ptx = *app.add_subcommand("ptx", "Print the PTX that a program brings along: what the emulator runs");
    ptx.add_option("program", request.program, "What nvcc made")->required()->type_name("PROGRAM");
    ptx.add_option("--device", request.device, "Device that would be given it, sm_89 if not given")->type_name("sm_XX");
    return ptx;
}

// A command that prints a table.
void add_table(CLI::App& app, const char* name, const char* description, std::string (*table)()) {
    app.add_subcommand(name, description)->callback([table] { std::cout << table(); });
}

// Where the program starts in the arguments of `run`: after "--", or at the first argument that is no option and no
// option's value. CLI11 would take the program's own options for ours.
std::size_t find_program_start(const CLI::App& run, const std::vector<std::string>& arguments) {
    std::size_t i = 1;
    for (; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--" || argument.empty() || argument.front() != '-') break;
        const CLI::Option* option = run.get_option_no_throw(argument);
        if (option != nullptr && option->get_items_expected_min() > 0) ++i;
    }
    return std::min(i, arguments.size());
}

// Takes the program off the end of the arguments.
void split_program(const CLI::App& run, std::vector<std::string>& arguments, RunRequest& request) {
    if (arguments.empty() || arguments.front() != run.get_name()) return;
    const auto start = arguments.begin() + static_cast<std::ptrdiff_t>(find_program_start(run, arguments));
    const bool separated = start != arguments.end() && *start == "--";
    request.program.assign(start + (separated ? 1 : 0), arguments.end());
    arguments.erase(start, arguments.end());
}

int run_program(const RunRequest& request) {
    if (!request.program.empty()) return lanes::run(request);
    std::cerr << "lanes: error: no program given\nRun with --help for more information.\n";
    return lanes::status_usage;
}

// The number of a closed one would go to the next file that is opened, and what is printed would go into that. What
// stands in for it here cannot be written, so nothing is lost in silence.
void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != stream)
            throw std::runtime_error("a standard stream is closed, and /dev/null cannot be opened");
}

int main_checked(int argc, char** argv) {
    CLI::App app("Runs CUDA programs without a GPU, counts what their kernels cost, and checks the book's exercises",
                 "lanes");
    app.set_version_flag("--version", "lanes " LANES_VERSION " (" + lanes::library_name + ")");
    app.require_subcommand(0, 1);
    RunRequest run_request;
    LaunchRequest launch_request;
    const CLI::App& run = add_run(app, run_request);
    const CLI::App& launch = add_launch(app, launch_request);
    PtxRequest ptx_request;
    const CLI::App& ptx = add_ptx(app, ptx_request);
    add_table(app, "device", "List the devices that can be emulated", lanes::device_table);
    add_table(app, "counters", "List what is counted, and how far to trust it", lanes::counter_table);
    add_table(app, "checks", "List the checks that --checks chooses from", lanes::check_table);
    add_table(app, "faults", "List the kinds of fault that are found", lanes::fault_table);
    std::function<int()> exercise_action;
    lanes::add_exercise_commands(app, exercise_action);
    lanes::add_grade_command(app, exercise_action);
    std::vector<std::string> arguments(argv + 1, argv + argc);
    split_program(run, arguments, run_request);
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the end
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : lanes::status_usage;
    }
    if (run.parsed()) return run_program(run_request);
    if (launch.parsed()) return lanes::launch(launch_request);
    if (ptx.parsed()) return lanes::print_ptx(ptx_request.program, ptx_request.device);
    if (exercise_action) return exercise_action();
    if (!app.get_subcommands().empty()) return 0;
    std::cerr << app.help();
    return lanes::status_usage;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        open_standard_streams();
        const int status = main_checked(argc, argv);
        if (std::cout.flush()) return status;
        std::cerr << "lanes: error: standard output cannot be written\n";
        return lanes::status_usage;
    } catch (const std::exception& error) {
        std::cerr << "lanes: error: " << error.what() << '\n';
        return lanes::status_usage;
    }
}
