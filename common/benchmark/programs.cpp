#include "measurements.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace lanes::benchmark {

namespace {

/// A folder for files of one measurement.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "lanes-bench.XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
        path_ = name;
    }
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

std::string read_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// How long a program ran.
struct Duration {
    double seconds = 0;      ///< of wall time
    double cpu_seconds = 0;  ///< of all its threads
};

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// Runs a program found on PATH to its end; what it prints goes to a file.
/// @throws std::runtime_error if it does not start, or its exit status is not 0
Duration run_program(std::vector<std::string> command, const std::string& output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    const auto begin = std::chrono::steady_clock::now();
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot run " + command[0] + ": " + std::strerror(error));
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (status != 0) throw std::runtime_error(command[0] + " failed:\n" + read_text(output));
    return {elapsed.count(), seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime)};
}

bool is_on_path(const std::string& program) {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

/// The product of n x n matrices of ones, as oclgrind-kernel wants to be told of it.
std::string write_simulation(const Folder& folder, unsigned n) {
    const std::string bytes = std::to_string(n * n * sizeof(float));
    std::string name = folder.file("matmul_" + std::to_string(n) + ".sim");
    std::ofstream(name) << LANES_BENCHMARK_OPENCL "\nmatmul_16\n"
                        << n << ' ' << n << " 1\n16 16 1\n<size=" << bytes << " float noinit>\n<size=" << bytes
                        << " float fill=1>\n<size=" << bytes << " float fill=1>\n<size=4 int>\n"
                        << n << '\n';
    return name;
}

/// Sums the table of oclgrind's --inst-counts: lines of a number, " - " and what was executed so often.
double sum_of_counts(const std::string& text) {
    double sum = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(" - ") == std::string::npos) continue;
        line.erase(std::remove(line.begin(), line.end(), ','), line.end());
        sum += std::strtod(line.c_str(), nullptr);
    }
    return sum;
}

/// oclgrind-kernel on a file of write_simulation, on one host thread.
struct Simulation {
    const Folder& folder;
    std::string file;

    double cpu_seconds(const std::vector<std::string>& options) const {
        std::vector<std::string> command{"oclgrind-kernel", "--num-threads", "1"};
        command.insert(command.end(), options.begin(), options.end());
        command.push_back(file);
        return run_program(std::move(command), folder.file("output")).cpu_seconds;
    }
    double instructions() const {
        cpu_seconds({"--inst-counts"});
        return sum_of_counts(read_text(folder.file("output")));
    }
};

/// Instructions a second of what a large product is more than a small one: start-up takes as long as many instructions.
Statistics speed_beyond(const Simulation& small, const Simulation& large, const std::vector<std::string>& options,
                        double instructions, unsigned samples) {
    std::vector<double> speeds;
    for (unsigned sample = 0; sample < samples; ++sample) {
        const double seconds = large.cpu_seconds(options) - small.cpu_seconds(options);
        if (seconds > 0) speeds.push_back(instructions / seconds);
    }
    if (speeds.empty()) throw std::runtime_error("oclgrind's start-up takes longer than its work: try again");
    return statistics_of(std::move(speeds));
}

}  // namespace

Statistics measure_start_up(const Effort& effort) {
    const Folder folder;
    std::vector<double> milliseconds;
    run_program({LANES_COMMAND, "run", LANES_TRIVIAL_PROGRAM}, folder.file("output"));
    for (unsigned sample = 0; sample < 2 * effort.samples; ++sample)
        milliseconds.push_back(
            1e3 * run_program({LANES_COMMAND, "run", LANES_TRIVIAL_PROGRAM}, folder.file("output")).seconds);
    return statistics_of(std::move(milliseconds));
}

OtherInterpreter measure_oclgrind(const Effort& effort) {
    OtherInterpreter result;
    if (!is_on_path("oclgrind-kernel")) return result;
    result.installed = true;
    const Folder folder;
    run_program({"oclgrind-kernel", "--version"}, folder.file("output"));
    std::istringstream version(read_text(folder.file("output")));
    while (result.version.empty() && std::getline(version, result.version)) {
    }
    const Simulation small{folder, write_simulation(folder, 16)};
    const Simulation large{folder, write_simulation(folder, effort.size(64, 192))};
    const unsigned samples = effort.quick ? 1 : std::min(effort.samples, 3U);
    result.instructions = large.instructions() - small.instructions();
    result.per_second = speed_beyond(small, large, {}, result.instructions, samples);
    result.checked_per_second = speed_beyond(small, large, {"--data-races"}, result.instructions, samples);
    return result;
}

}  // namespace lanes::benchmark
