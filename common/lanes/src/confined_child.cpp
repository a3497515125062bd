#include "confined_child.hpp"

#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace lanes {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int status_of_signal = 128;  // as shells count
constexpr int status_not_started = 127;
constexpr mode_t owner_only = 0600;
constexpr int clock_factor = 3;  // other programs run too
constexpr auto pause_between_looks = std::chrono::milliseconds(5);

void limit(int resource, std::uint64_t most) {
    const rlimit both{most, most};
    setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void set_limits(const Limits& limits) {
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.time.count()));
    limit(RLIMIT_FSIZE, limits.output_bytes);
    if (limits.memory_bytes != 0) limit(RLIMIT_AS, limits.memory_bytes);
}

// Between fork and exec of a process with threads: nothing here may allocate.
[[noreturn]] void become(char* const* command, char* const* environment, const Limits& limits, const char* output) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int input = open("/dev/null", O_RDONLY);
    const int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, owner_only);
    if (input < 0 || file < 0) _exit(status_not_started);
    dup2(input, STDIN_FILENO);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
    set_limits(limits);
    execve(command[0], command, environment);
    _exit(status_not_started);
}

// Waits; at the limit of time the whole group is ended.
ConfinedResult wait_for(pid_t child, std::chrono::seconds time) {
    ConfinedResult result;
    const auto end = Clock::now() + clock_factor * time;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) != child) {
        if (Clock::now() > end && !result.timed_out) {
            result.timed_out = true;
            kill(-child, SIGKILL);
            kill(child, SIGKILL);  // had it no time yet to make its group
        }
        std::this_thread::sleep_for(pause_between_looks);
    }
    kill(-child, SIGKILL);  // whoever it left behind
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : status_of_signal + WTERMSIG(status);
    return result;
}

}  // namespace

ConfinedResult run_confined(const std::vector<std::string>& command, const std::vector<std::string>& environment,
                            const Limits& limits, const std::string& output) {
    if (access(command.front().c_str(), X_OK) != 0) return {0, false, std::strerror(errno)};
    const auto arguments = pointers_to(command);
    const auto variables = pointers_to(environment);
    const pid_t child = fork();
    if (child < 0) return {0, false, std::strerror(errno)};
    if (child == 0) become(arguments.data(), variables.data(), limits, output.c_str());
    return wait_for(child, limits.time);
}

}  // namespace lanes
