/// @file
/// @brief Faults shown on purpose: a program that has one, run in a process of its own.
///
/// A kernel's fault ends every later CUDA call of its process, so a test cannot survive it. `PROGRAM --show NAME` runs
/// one demonstration and nothing else; a test starts that and looks at what came of it.
#pragma once

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstddef>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// A fault that a chapter shows on purpose.
struct Demonstration {
    std::string name;           ///< for `--show`
    std::function<void()> run;  ///< makes the fault; a failing lanes::check ends it
};

/// What a demonstration did in its own process.
struct DemonstrationResult {
    int exit_code = 0;   ///< 0 if nobody noticed the fault; 128 + signal if one ended the process; 124: out of time
    std::string output;  ///< what it printed, errors included
};

namespace detail {

/// The environment without the file of the report that `lanes run` makes: a demonstration's faults are wanted.
inline std::vector<char*> environment_without_report() {
    constexpr std::string_view report = "LANES_REPORT=";
    std::vector<char*> environment;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (std::string_view(*variable).substr(0, report.size()) != report) environment.push_back(*variable);
    }
    environment.push_back(nullptr);
    return environment;
}

/// The path of the running program.
inline std::string own_path() {
    std::array<char, PATH_MAX> path{};
    const auto length = readlink("/proc/self/exe", path.data(), path.size());
    if (length <= 0) throw std::runtime_error("cannot find this program's own file in /proc/self/exe");
    return {path.data(), static_cast<std::size_t>(length)};
}

/// Starts this program with `--show name` and all that it prints going into the pipe. Returns the process.
inline pid_t start_demonstration(const std::string& name, const std::array<int, 2>& pipe_ends) {
    std::string program = own_path();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
    posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
    std::string option = "--show=" + name;
    std::array<char*, 3> arguments{program.data(), option.data(), nullptr};
    auto environment = environment_without_report();
    pid_t process = 0;
    const int status = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) throw std::runtime_error("cannot start " + program + ": " + std::strerror(status));
    return process;
}

/// Reads until the other end closes; false if that takes longer than `limit`.
inline bool read_to_end(int descriptor, std::chrono::milliseconds limit, std::string& text) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + limit;
    std::array<char, 4096> buffer{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        pollfd waiting{descriptor, POLLIN, 0};
        if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) == 0) return false;
        const auto got = read(descriptor, buffer.data(), buffer.size());
        if (got == 0 || (got < 0 && errno != EINTR)) return true;
        if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

/// Waits for a process that has closed its output, or ends it; its exit code as a shell would give it.
inline int exit_code_of(pid_t process, bool in_time) {
    if (!in_time) kill(process, SIGKILL);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    if (!in_time) return 124;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace detail

/// @brief Runs this very program again with `--show NAME` and waits for it.
/// @param name  a demonstration's name
/// @param limit when to end it: a fault may hang a GPU
/// @return its exit code and what it printed
/// @throws std::runtime_error if the process cannot be started
inline DemonstrationResult demonstrate(const std::string& name,
                                       std::chrono::milliseconds limit = std::chrono::seconds(60)) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error(std::string("demonstrate: no pipe: ") + std::strerror(errno));
    pid_t process = 0;
    try {
        process = detail::start_demonstration(name, ends);
    } catch (...) {
        close(ends[0]);
        close(ends[1]);
        throw;
    }
    close(ends[1]);
    DemonstrationResult result;
    const bool in_time = detail::read_to_end(ends[0], limit, result.output);
    close(ends[0]);
    result.exit_code = detail::exit_code_of(process, in_time);
    return result;
}

}  // namespace lanes
