#include "run_report.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <unordered_map>

namespace lanes {

using nlohmann::json;

namespace {

// The runtime writes down each launch's faults; a report has each fault once, with how often it occurred in all.
class FaultList {
public:
    explicit FaultList(std::vector<json>& faults) : faults_(faults) {}

    void add(json fault) {
        const auto [known, is_new] = places_.try_emplace(identity(fault), faults_.size());
        if (is_new) {
            faults_.push_back(std::move(fault));
        } else {
            json& occurrences = faults_[known->second]["occurrences"];
            occurrences = count(occurrences) + count(fault["occurrences"]);
        }
    }

private:
    static std::uint64_t count(const json& occurrences) {
        return occurrences.is_number_unsigned() ? occurrences.get<std::uint64_t>() : 1;
    }

    // Kind, kernel and both lines. Where there is no line, only the message can tell two faults apart.
    static std::string identity(json fault) {
        fault.erase("occurrences");
        if (fault.value("line", 0) != 0)
            for (const char* varying : {"message", "block", "thread"}) fault.erase(varying);
        return fault.dump(-1, ' ', false, json::error_handler_t::replace);
    }

    std::vector<json>& faults_;
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

std::size_t RunReport::unexpected_errors() const {
    return static_cast<std::size_t>(std::count_if(faults.begin(), faults.end(), [](const json& fault) {
        return fault.value("severity", "") == "error" && !fault.value("expected", false);
    }));
}

RunReport read_report(const std::string& path) {
    RunReport report;
    FaultList faults(report.faults);
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const json event = json::parse(line, nullptr, false);
        if (event.is_discarded() || !event.is_object()) continue;
        if (event.contains("device") && report.device.is_null()) report.device = event["device"];
        if (event.contains("launch")) report.launches.push_back(event["launch"]);
        if (event.contains("fault")) faults.add(event["fault"]);
        if (event.contains("incomplete")) report.incomplete = event["incomplete"];
        if (event.contains("leak")) report.leaks.push_back(event["leak"]);
    }
    return report;
}

json report_as_json(const RunReport& report, const std::string& version, const std::vector<std::string>& program,
                    int exit_code) {
    return {{"lanes", version},       {"device", report.device},     {"program", program},
            {"exit_code", exit_code}, {"launches", report.launches}, {"faults", report.faults},
            {"leaks", report.leaks}};
}

}  // namespace lanes
