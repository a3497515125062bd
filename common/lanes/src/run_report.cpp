#include "run_report.hpp"

#include <algorithm>
#include <fstream>

namespace lanes {

using nlohmann::json;

std::size_t RunReport::unexpected_errors() const {
    return static_cast<std::size_t>(std::count_if(faults.begin(), faults.end(), [](const json& fault) {
        return fault.value("severity", "") == "error" && !fault.value("expected", false);
    }));
}

RunReport read_report(const std::string& path) {
    RunReport report;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const json event = json::parse(line, nullptr, false);
        if (event.is_discarded() || !event.is_object()) continue;
        if (event.contains("device") && report.device.is_null()) report.device = event["device"];
        if (event.contains("launch")) report.launches.push_back(event["launch"]);
        if (event.contains("fault")) report.faults.push_back(event["fault"]);
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
