#include "report.hpp"

#include <lanes/table.hpp>
#include <text_table.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <ostream>
#include <thread>

namespace lanes::benchmark {

namespace {

using Json = nlohmann::ordered_json;

std::string processor_name() {
    std::ifstream stream("/proc/cpuinfo");
    for (std::string line; std::getline(stream, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

/// "1.23e+09"
std::string scientific(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2e", value);
    return text.data();
}

std::string fixed(double value, int digits) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

/// "12 %"
std::string percent(double ratio) {
    return fixed(100 * ratio, 0) + " %";
}

std::string list_of(const std::vector<unsigned>& numbers) {
    std::string list;
    for (const unsigned number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
    return list;
}

Json json_of(const Statistics& statistics) {
    return {{"samples", statistics.samples},
            {"median", statistics.median},
            {"minimum", statistics.minimum},
            {"maximum", statistics.maximum},
            {"spread", statistics.spread()}};
}

Json json_of(const Provenance& provenance) {
    return {{"processor", provenance.processor},
            {"cores", provenance.cores},
            {"load_before", provenance.load_before},
            {"date", provenance.date},
            {"command", provenance.command}};
}

Json json_of(const Speed& speed) {
    return {{"kernel", speed.kernel},
            {"checks", speed.checked ? "all" : "none"},
            {"threads", speed.threads},
            {"thread_instructions", speed.instructions},
            {"per_second_and_core", json_of(speed.per_core)},
            {"per_second", json_of(speed.together)}};
}

Json json_of(const Scale& scale) {
    return {{"thread_instructions", scale.instructions}, {"nanoseconds_each", json_of(scale.nanoseconds)}};
}

Json json_of(const Agreement& agreement) {
    return {{"kernel", agreement.kernel}, {"threads", agreement.threads}, {"different", agreement.different}};
}

Json json_of(const CheckMemory& memory) {
    return {{"kernel", memory.kernel},
            {"note", memory.note},
            {"device_bytes", memory.device_bytes},
            {"check_bytes", memory.check_bytes},
            {"ratio", memory.ratio()}};
}

Json json_of(const OtherInterpreter& oclgrind) {
    if (!oclgrind.installed) return {{"installed", false}};
    return {{"installed", true},
            {"version", oclgrind.version},
            {"instructions", oclgrind.instructions},
            {"per_second", json_of(oclgrind.per_second)},
            {"per_second_with_race_check", json_of(oclgrind.checked_per_second)}};
}

template <typename Row>
Json array_of(const std::vector<Row>& rows) {
    Json array = Json::array();
    for (const Row& row : rows) array.push_back(json_of(row));
    return array;
}

}  // namespace

Provenance provenance_of(int argc, char** argv) {
    Provenance provenance;
    provenance.processor = processor_name();
    provenance.cores = std::max(1U, std::thread::hardware_concurrency());
    getloadavg(&provenance.load_before, 1);
    provenance.date = utc_now();
    for (int i = 0; i < argc; ++i) provenance.command += (i == 0 ? "" : " ") + std::string(argv[i]);
    return provenance;
}

bool Report::counts_agree() const {
    return std::all_of(agreements.begin(), agreements.end(),
                       [](const Agreement& agreement) { return agreement.different.empty(); });
}

void print(std::ostream& out, const Provenance& provenance) {
    out << provenance.processor << ", " << provenance.cores << " cores, load " << fixed(provenance.load_before, 1)
        << ", " << provenance.date << "\n";
}

void print(std::ostream& out, const std::vector<Speed>& speeds) {
    out << "\nSpeed: thread instructions a second, by CPU time (a core) and by wall time (all host threads)\n";
    TextTable table({"kernel", "checks", "threads", "instructions", "a core", "spread", "all threads", "spread"}, 2);
    for (const Speed& speed : speeds)
        table.add({speed.kernel, speed.checked ? "all" : "none", std::to_string(speed.threads),
                   scientific(speed.instructions), scientific(speed.per_core.median), percent(speed.per_core.spread()),
                   scientific(speed.together.median), percent(speed.together.spread())});
    out << table.text() << std::flush;
}

void print(std::ostream& out, const std::vector<Scale>& scales) {
    out << "\nScaling: CPU time of a thread instruction of matmul_16, all checks, all host threads\n";
    TextTable table({"instructions", "nanoseconds each", "spread"}, 0);
    for (const Scale& scale : scales)
        table.add(
            {scientific(scale.instructions), fixed(scale.nanoseconds.median, 3), percent(scale.nanoseconds.spread())});
    out << table.text() << std::flush;
}

void print(std::ostream& out, const std::vector<Agreement>& agreements) {
    out << "\nCounts, of the launch and of each source line, against those of one host thread\n";
    TextTable table({"kernel", "host threads", "result"}, 3);
    for (const Agreement& agreement : agreements)
        table.add({agreement.kernel, list_of(agreement.threads),
                   agreement.different.empty() ? "identical" : "DIFFERENT with " + list_of(agreement.different)});
    out << table.text() << std::flush;
}

void print(std::ostream& out, const std::vector<CheckMemory>& memory) {
    out << "\nMemory of the checks: resident bytes that the first checked launch adds\n";
    TextTable table({"kernel", "device memory", "checks", "a byte"}, 1);
    for (const CheckMemory& row : memory)
        table.add({row.kernel, grouped(row.device_bytes), grouped(row.check_bytes), fixed(row.ratio(), 2)}, row.note);
    out << table.text() << std::flush;
}

void print_start_up(std::ostream& out, const Statistics& milliseconds) {
    out << "\nStart-up: a trivial program under `lanes run` takes " << fixed(milliseconds.median, 1) << " ms ("
        << fixed(milliseconds.minimum, 1) << " to " << fixed(milliseconds.maximum, 1) << ")\n";
}

void print(std::ostream& out, const OtherInterpreter& oclgrind) {
    if (!oclgrind.installed) {
        out << "\nOclgrind is not installed (Debian: apt install oclgrind): no row to compare with\n";
        return;
    }
    out << "\n"
        << oclgrind.version << " on matmul_16 in OpenCL, by CPU time: " << scientific(oclgrind.per_second.median)
        << " instructions a second (spread " << percent(oclgrind.per_second.spread()) << "), "
        << scientific(oclgrind.checked_per_second.median) << " with its race check (spread "
        << percent(oclgrind.checked_per_second.spread()) << ")\n";
}

nlohmann::ordered_json to_json(const Report& report) {
    return {{"schema", "thirty-two-lanes/speed/1"},    {"provenance", json_of(report.provenance)},
            {"speed", array_of(report.speeds)},        {"scaling", array_of(report.scales)},
            {"counts", array_of(report.agreements)},   {"memory", array_of(report.memory)},
            {"start_up_ms", json_of(report.start_up)}, {"oclgrind", json_of(report.oclgrind)}};
}

}  // namespace lanes::benchmark
