#include "report_output.hpp"

#include "summary.hpp"

#include <iostream>
#include <utility>

namespace lanes {

int refuse(const std::string& message) {
    std::cerr << "lanes: error: " << message << '\n';
    return status_usage;
}

ReportOutput::ReportOutput(std::string json, bool lines) : json_(std::move(json)), lines_(lines) {
    if (!json_.empty()) file_ = std::make_unique<TemporaryFile>(json_);
}

std::string ReportOutput::error() const {
    return file_ && !file_->error().empty() ? "--json: " + json_ + " cannot be written: " + file_->error() : "";
}

void ReportOutput::print(const RunReport& report) const {
    std::cout.flush();
    std::cerr << "\nlanes: " << report.device.value("name", "") << '\n' << kernel_table(report);
    if (lines_) std::cerr << '\n' << line_table(report);
}

std::string ReportOutput::write(const RunReport& report, const std::vector<std::string>& program, int exit_code) {
    if (!file_) return {};
    const std::string text = report_as_json(report, LANES_VERSION, program, exit_code).dump(1) + '\n';
    const std::string error = file_->replace(text, json_);
    return error.empty() ? "" : "--json: " + json_ + " cannot be written: " + error;
}

}  // namespace lanes
