#include "summary.hpp"

#include "text_table.hpp"

#include <kernel_name.hpp>

#include <lanes/emulator/counters.hpp>
#include <lanes/table.hpp>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <map>
#include <utility>

namespace lanes {

namespace {

using emulator::Counter;
using nlohmann::json;

// The columns of both tables.
struct Costs {
    unsigned long long requests = 0;
    unsigned long long sectors = 0;
    unsigned long long wavefronts = 0;
    unsigned long long conflicts = 0;
    unsigned long long instructions = 0;

    void add(const json& counters) {
        requests += sum(counters, {Counter::global_ld_requests, Counter::global_st_requests});
        sectors += sum(counters, {Counter::global_ld_sectors, Counter::global_st_sectors});
        wavefronts += sum(counters, {Counter::shared_ld_wavefronts, Counter::shared_st_wavefronts});
        conflicts += sum(counters, {Counter::shared_ld_conflicts, Counter::shared_st_conflicts});
        instructions += sum(counters, {Counter::inst_executed});
    }

    static unsigned long long sum(const json& counters, std::initializer_list<Counter> names) {
        unsigned long long total = 0;
        for (const Counter name : names)
            total += counters.value(std::string(emulator::info(name).name), std::uint64_t{0});
        return total;
    }

    std::vector<std::string> cells() const {
        return {grouped(requests),   grouped(sectors),   ratio(sectors, requests),
                grouped(wavefronts), grouped(conflicts), grouped(instructions)};
    }
};

const std::vector<std::string> cost_columns = {"requests",   "sectors",   "sectors/request",
                                               "wavefronts", "conflicts", "instructions"};

std::vector<std::string> row_of(std::vector<std::string> front, const std::vector<std::string>& back) {
    front.insert(front.end(), back.begin(), back.end());
    return front;
}

// Names of templates can be longer than any terminal is wide. The JSON has them in full.
constexpr std::size_t widest_name = 60;

struct KernelRow {
    std::string name;
    unsigned long long launches = 0;
    unsigned long long faults = 0;
    Costs costs;
};

KernelRow& row_for(std::vector<KernelRow>& rows, const json& event) {
    const std::string name = runtime::short_name(event.value("kernel", ""));
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const KernelRow& row) { return row.name == name; });
    if (found != rows.end()) return *found;
    rows.push_back({name.empty() ? "(no kernel)" : name, 0, 0, {}});
    return rows.back();
}

// Source files, read once.
class Sources {
public:
    std::string line(const std::string& file, std::size_t number) {
        const auto [entry, is_new] = files_.try_emplace(file);
        if (is_new) read(file, entry->second);
        if (number == 0 || number > entry->second.size()) return {};
        const std::string& text = entry->second[number - 1];
        const std::size_t start = text.find_first_not_of(" \t");
        return start == std::string::npos ? std::string() : text.substr(start);
    }

private:
    static void read(const std::string& file, std::vector<std::string>& lines) {
        std::ifstream stream(file);
        for (std::string text; std::getline(stream, text);) lines.push_back(text);
    }

    std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace

std::string kernel_table(const RunReport& report) {
    std::vector<KernelRow> rows;
    for (const json& launch : report.launches) {
        KernelRow& row = row_for(rows, launch);
        ++row.launches;
        row.costs.add(launch.at("counters"));
    }
    for (const json& fault : report.faults) ++row_for(rows, fault).faults;
    if (rows.empty()) return "No kernel was launched.\n";
    TextTable table(row_of(row_of({"kernel", "launches"}, cost_columns), {"faults"}));
    for (const KernelRow& row : rows)
        table.add(row_of(row_of({shortened(row.name, widest_name), grouped(row.launches)}, row.costs.cells()),
                         {grouped(row.faults)}));
    return table.text();
}

std::string line_table(const RunReport& report) {
    std::map<std::pair<std::string, std::size_t>, Costs> lines;
    for (const json& launch : report.launches)
        for (const json& line : launch.at("lines"))
            lines[{line.value("file", ""), line.value("line", std::size_t{0})}].add(line.at("counters"));
    std::erase_if(lines, [](const auto& item) { return item.first.first.empty(); });
    if (lines.empty()) return "The kernels have no line information: build the program with -lineinfo.\n";
    TextTable table(row_of({"line"}, cost_columns));
    Sources sources;
    for (const auto& [position, costs] : lines) {
        const auto& [file, number] = position;
        const std::string name = file.substr(file.find_last_of('/') + 1);
        table.add(row_of({name + ":" + std::to_string(number)}, costs.cells()), sources.line(file, number));
    }
    return table.text();
}

}  // namespace lanes
