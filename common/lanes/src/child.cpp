#include "child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace lanes {

namespace {

constexpr int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
constexpr int status_of_signal = 128;  // as shells count

// Signals are taken from a queue and not by handlers: then there is no moment at which one is lost, and no global.
class SignalQueue {
public:
    SignalQueue() {
        sigemptyset(&signals_);
        sigaddset(&signals_, SIGCHLD);
        for (const int signal : passed_on) sigaddset(&signals_, signal);
        sigprocmask(SIG_BLOCK, &signals_, &before_);
    }
    ~SignalQueue() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    SignalQueue(const SignalQueue&) = delete;
    SignalQueue& operator=(const SignalQueue&) = delete;

    siginfo_t wait() const {
        siginfo_t info{};
        while (sigwaitinfo(&signals_, &info) < 0 && errno == EINTR) {
        }
        return info;
    }
    const sigset_t& before() const { return before_; }

private:
    sigset_t signals_{};
    sigset_t before_{};
};

void redirect(posix_spawn_file_actions_t& actions, int descriptor, const std::string& file) {
    constexpr mode_t owner_only = 0600;
    if (!file.empty())
        posix_spawn_file_actions_addopen(&actions, descriptor, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, owner_only);
}

int spawn(pid_t& child, const std::string& path, const std::vector<std::string>& arguments,
          const std::vector<std::string>& environment, const Redirection& redirection, const sigset_t& mask) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    redirect(actions, STDOUT_FILENO, redirection.output);
    redirect(actions, STDERR_FILENO, redirection.errors);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error = posix_spawn(&child, path.c_str(), &actions, &attributes, pointers_to(arguments).data(),
                                  pointers_to(environment).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// Sent by a process, so meant for the program; the terminal's own signals go to the whole group.
bool is_sent(const siginfo_t& info) {
    return info.si_code <= 0;
}

ChildResult result_of(int wait_status, int received) {
    if (WIFEXITED(wait_status)) return {WEXITSTATUS(wait_status), 0, received, {}};
    return {status_of_signal + WTERMSIG(wait_status), WTERMSIG(wait_status), received, {}};
}

// posix_spawn sets no limits; nobody writes much in the moment between.
void limit_files(pid_t child, std::uint64_t bytes) {
    const rlimit both{bytes, bytes};
    if (bytes != 0) prlimit(child, RLIMIT_FSIZE, &both, nullptr);
}

}  // namespace

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> result;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text(*variable);
        if (!changes.contains(text.substr(0, text.find('=')))) result.push_back(text);
    }
    for (const auto& [name, value] : changes) result.emplace_back(name).append("=").append(value);
    return result;
}

ChildResult run_child(const std::string& path, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment, const Redirection& redirection) {
    const SignalQueue queue;
    pid_t child = 0;
    if (const int error = spawn(child, path, arguments, environment, redirection, queue.before()); error != 0)
        return {0, 0, 0, std::strerror(error)};
    limit_files(child, redirection.output_bytes);
    int received = 0;
    while (true) {
        const siginfo_t info = queue.wait();
        if (info.si_signo != SIGCHLD) {
            received = info.si_signo;
            if (is_sent(info)) kill(child, info.si_signo);
            continue;
        }
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) return result_of(status, received);
    }
}

}  // namespace lanes
