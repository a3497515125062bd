#include "measurements.hpp"
#include "workload.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace lanes::benchmark {

namespace {

/// A kernel to run, and what is special about it.
struct Case {
    Workload::Kernel kernel;
    std::string note;
};

std::vector<Case> cases_of(const Effort& effort) {
    const unsigned array = effort.size(1U << 20, 1U << 22);
    std::vector<Case> cases;
    cases.push_back({matmul(16, effort.size(256, 512)), "two matrices read, one written"});
    cases.push_back({copy(array), "one array read, one written"});
    cases.push_back({increment(array), "one array read and written"});
    cases.push_back({increment(array / 16), "the same, in an allocation of 16 times the size"});
    cases.back().kernel.untouched = std::size_t{array} / 16 * 15;
    return cases;
}

/// Bytes of this process that are in memory and belong to no file, such as its code.
std::uint64_t resident_bytes() {
    std::ifstream stream("/proc/self/smaps_rollup");
    std::string word;
    while (stream >> word) {
        std::uint64_t kibibytes = 0;
        if (word == "Anonymous:" && stream >> kibibytes) return kibibytes * 1024;
    }
    throw std::runtime_error("cannot read Anonymous: in /proc/self/smaps_rollup");
}

/// Resident bytes that the first launch with checks adds to those of launches without.
std::uint64_t measure_check_bytes(const Workload::Kernel& kernel) {
    Workload workload(kernel);
    emulator::SingleThread thread;
    workload.run(emulator::Checks::none(), thread);
    const std::uint64_t before = resident_bytes();
    workload.run(emulator::Checks::all(), thread);
    const std::uint64_t after = resident_bytes();
    return after > before ? after - before : 0;
}

/// In a process of its own: memory that another kernel has given back would not show.
std::uint64_t measure_apart(const Workload::Kernel& kernel) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        int status = EXIT_FAILURE;
        try {
            const std::uint64_t bytes = measure_check_bytes(kernel);
            if (write(ends[1], &bytes, sizeof bytes) == sizeof bytes) status = EXIT_SUCCESS;
        } catch (const std::exception& error) {
            std::cerr << "lanes-bench: " << error.what() << '\n';
        }
        _exit(status);
    }
    close(ends[1]);
    std::uint64_t bytes = 0;
    const bool received = read(ends[0], &bytes, sizeof bytes) == sizeof bytes;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!received || status != 0) throw std::runtime_error("could not measure the memory of " + kernel.name);
    return bytes;
}

}  // namespace

std::vector<CheckMemory> measure_memory(const Effort& effort) {
    std::vector<CheckMemory> rows;
    for (const Case& measured : cases_of(effort))
        rows.push_back({.kernel = measured.kernel.name,
                        .note = measured.note,
                        .device_bytes = measured.kernel.bytes(),
                        .check_bytes = measure_apart(measured.kernel)});
    return rows;
}

}  // namespace lanes::benchmark
