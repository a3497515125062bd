// The check `leaks`: device memory that nobody freed, said when the process ends.
#include "process.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

namespace lanes::runtime {

namespace {

// Runs after the program's own destructors, which may free memory: the program depends on this library.
__attribute__((destructor)) void report_leaks() {
    if (!process_exists()) return;
    Process& state = process();
    if (!state.options.checks.has(emulator::Check::leaks) || state.owner != getpid()) return;
    for (const std::string& leak : describe_leaks(state.memory)) {
        print_message("warning", leak);
        state.report.append(leak_line(leak));
    }
}

}  // namespace

}  // namespace lanes::runtime
