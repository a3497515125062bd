#include "fault_log.hpp"

#include "kernel_name.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace lanes::runtime {

void print_message(const char* severity, const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "lanes: %s: %s\n", severity, text.c_str());
}

void FaultLog::add(const emulator::Fault& fault) {
    const std::lock_guard lock(mutex_);
    const bool is_error = fault.severity == emulator::Severity::error;
    ++(is_error ? errors_ : warnings_);
    report_.append(fault_line(fault, expected_));
    std::string text = with_readable_name(fault.message, fault.kernel);
    if (!printed_.insert(text).second) return;
    if (fault.occurrences > 1) text += " (" + std::to_string(fault.occurrences) + " times)";
    print_message(is_error ? "error" : "warning", text);
}

void FaultLog::expect(bool expected) {
    const std::lock_guard lock(mutex_);
    expected_ = expected;
}

std::uint64_t FaultLog::count(emulator::Severity severity) const {
    const std::lock_guard lock(mutex_);
    return severity == emulator::Severity::error ? errors_ : warnings_;
}

}  // namespace lanes::runtime
