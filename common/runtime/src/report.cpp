#include "report.hpp"

#include "kernel_name.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace lanes::runtime {

namespace {

using nlohmann::json;

json dimensions(const emulator::Dim3& value) {
    return json::array({value.x, value.y, value.z});
}

json counters(const emulator::CounterSet& values, bool with_zeros) {
    json result = json::object();
    for (std::size_t i = 0; i < emulator::counter_count; ++i) {
        const auto counter = static_cast<emulator::Counter>(i);
        if (with_zeros || values[counter] != 0) result[std::string(emulator::info(counter).name)] = values[counter];
    }
    return result;
}

}  // namespace

json device_line(const DeviceProfile& device) {
    const std::uint32_t capability = device.compute_capability;
    return {{"device",
             {{"name", device.name()},
              {"compute_capability", std::to_string(capability / 10) + "." + std::to_string(capability % 10)},
              {"card", device.card}}}};
}

json launch_line(const LaunchFacts& launch, const emulator::LaunchReport& report) {
    json lines = json::array();
    for (const emulator::LineCounters& line : report.lines)
        lines.push_back({{"file", line.file}, {"line", line.line}, {"counters", counters(line.counters, false)}});
    return {{"launch",
             {{"kernel", demangle(launch.kernel)},
              {"grid", dimensions(launch.grid)},
              {"block", dimensions(launch.block)},
              {"static_shared_bytes", launch.static_shared_bytes},
              {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
              {"counters", counters(report.totals, true)},
              {"lines", lines}}}};
}

json fault_line(const emulator::Fault& fault, bool expected) {
    return {{"fault",
             {{"kind", emulator::name_of(fault.kind)},
              {"severity", fault.severity == emulator::Severity::error ? "error" : "warning"},
              {"message", with_readable_names(fault.message)},
              {"kernel", demangle(fault.kernel)},
              {"block", dimensions(fault.block)},
              {"thread", dimensions(fault.thread)},
              {"file", fault.file},
              {"line", fault.line},
              {"other_file", fault.other_file},
              {"other_line", fault.other_line},
              {"occurrences", fault.occurrences},
              {"expected", expected}}}};
}

json leak_line(const std::string& message) {
    return {{"leak", {{"message", message}}}};
}

ReportFile::ReportFile(const std::string& path) {
    if (path.empty()) return;
    descriptor_ = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    failed_ = descriptor_ < 0;
}

ReportFile::~ReportFile() {
    if (descriptor_ >= 0) close(descriptor_);
}

// Part of a report reads like a whole one of fewer launches, so it says that it is none. What it held makes room.
void ReportFile::give_up(int error) {
    const std::string reason = std::strerror(error);
    std::fprintf(stderr, "lanes: the report cannot be written: %s\n", reason.c_str());
    const std::string text = json{{"incomplete", reason}}.dump() + '\n';
    if (ftruncate(descriptor_, 0) != 0 || write(descriptor_, text.data(), text.size()) < 0)
        std::perror("lanes: the report cannot even say that it is incomplete");
    close(descriptor_);
    descriptor_ = -1;
}

void ReportFile::append(const json& line) {
    if (!enabled()) return;
    // File names and kernel names are whatever bytes a program has: replace what is not UTF-8.
    const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = write(descriptor_, text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            give_up(errno);
            return;
        }
        written += static_cast<std::size_t>(count);
    }
}

}  // namespace lanes::runtime
