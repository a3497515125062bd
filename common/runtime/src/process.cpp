#include "process.hpp"

#include "host_capacity.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace lanes::runtime {

namespace {

constexpr int status_bad_option = 2;

std::atomic<bool> exists{false};

// Not std::exit: this may run before main, inside the construction of the very object that exit handlers use.
[[noreturn]] void refuse(const std::string& message) {
    print_message("error", message);
    _exit(status_bad_option);
}

Options options_or_exit() {
    auto options = read_options([](const char* name) { return std::getenv(name); });
    if (!options) refuse(options.error().message);
    return *options;
}

model::MultiprocessorLimits limits_of(const DeviceProfile& profile) {
    const unsigned capability = profile.compute_capability;
    return *model::multiprocessor_limits({capability / 10, capability % 10});
}

}  // namespace

Process::Process()
    : options(options_or_exit()),
      limits(limits_of(*options.device)),
      report(options.report),
      faults(report),
      pool(options.threads) {
    if (report.failed())
        refuse(std::string(variable::report) + ": cannot write " + options.report + ": " + std::strerror(errno));
    memory.set_capacity(std::min(profile().memory_bytes(), host_capacity()));
    report.append(device_line(profile()));
}

Process& process() {
    static Process& instance = *new Process;
    exists = true;
    return instance;
}

bool process_exists() {
    return exists;
}

}  // namespace lanes::runtime
