#include "counted_launches.hpp"

#include <stdexcept>

namespace lanes::tools {

std::vector<CountedLaunch> launches_of_emulator(const Json& report, const std::string& path) {
    if (!report.is_object() || !report.contains("launches") || !report.contains("exit_code")) {
        throw std::runtime_error(path + " is not a report of `lanes run --json`");
    }
    if (report.at("exit_code") != 0) {
        throw std::runtime_error(path + " reports a program that failed: its counts are worth nothing");
    }
    std::vector<CountedLaunch> launches;
    for (const auto& launch : report.at("launches")) {
        launches.push_back({launch.at("kernel"), launch.at("counters"), launch.value("lines", Json::array())});
    }
    return launches;
}

}  // namespace lanes::tools
