#include "fault_log.hpp"

#include "kernel_name.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace lanes::runtime {

void print_message(const char* severity, const std::string& text) {
    std::fflush(stdout);
    std::fprintf(stderr, "lanes: %s: %s\n", severity, text.c_str());
}

namespace {

/// The same for faults that are one and the same mistake, whichever launch they happened in.
std::string place_of(const emulator::Fault& fault) {
    if (fault.file.empty()) return fault.message;
    std::string place = fault.kernel + ' ' + std::string(emulator::name_of(fault.kind)) + ' ';
    place += fault.file + ':' + std::to_string(fault.line) + ' ';
    return place + fault.other_file + ':' + std::to_string(fault.other_line);
}

}  // namespace

void FaultLog::add(const emulator::Fault& fault) {
    const std::lock_guard lock(mutex_);
    const bool is_error = fault.severity == emulator::Severity::error;
    ++(is_error ? errors_ : warnings_);
    report_.append(fault_line(fault, expected_));
    std::string text = with_readable_names(fault.message);
    if (!printed_.insert(place_of(fault)).second) return;
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
