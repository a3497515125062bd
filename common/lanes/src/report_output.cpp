#include "report_output.hpp"

#include "files.hpp"
#include "summary.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <utility>

namespace lanes {

namespace {

namespace fs = std::filesystem;

// Only a plain file gives way to another. A device, a pipe or a link is written to as it stands, else --json /dev/null
// would put a file in the place of the device.
bool is_replaced(const std::string& path) {
    std::error_code ignored;
    const fs::file_type type = fs::symlink_status(path, ignored).type();
    return type == fs::file_type::not_found || type == fs::file_type::regular;
}

// Why a report cannot go there, or empty.
std::string obstacle(const std::string& path) {
    std::error_code ignored;
    if (path.empty()) return "its name is empty";
    if (fs::is_directory(path, ignored)) return "it is a folder";
    if (is_replaced(path) || access(path.c_str(), W_OK) == 0 || errno == ENOENT) return {};
    return std::strerror(errno);
}

}  // namespace

int refuse(const std::string& message) {
    std::cerr << "lanes: error: " << message << '\n';
    return status_usage;
}

ReportOutput::ReportOutput(std::optional<std::string> json, bool lines) : json_(std::move(json)), lines_(lines) {
    if (!json_) return;
    error_ = obstacle(*json_);
    if (!error_.empty() || !is_replaced(*json_)) return;
    file_ = std::make_unique<TemporaryFile>(*json_);
    error_ = file_->error();
}

std::string ReportOutput::error() const {
    return error_.empty() ? "" : "--json: " + *json_ + " cannot be written: " + error_;
}

void ReportOutput::print(const RunReport& report) const {
    std::cout.flush();
    std::cerr << "\nlanes: " << report.device.value("name", "") << '\n' << kernel_table(report);
    if (lines_) std::cerr << '\n' << line_table(report);
}

std::string ReportOutput::write(const RunReport& report, const std::vector<std::string>& program, int exit_code) {
    if (!json_) return {};
    // Arguments are whatever bytes a program was given: replace what is not UTF-8.
    const std::string text = report_as_json(report, LANES_VERSION, program, exit_code)
                                 .dump(1, ' ', false, nlohmann::json::error_handler_t::replace) +
                             '\n';
    if (file_) {
        error_ = file_->replace(text, *json_);
        return error();
    }
    const std::string failure = write_file(*json_, std::as_bytes(std::span(text)));
    return failure.empty() ? "" : "--json: " + failure;
}

}  // namespace lanes
