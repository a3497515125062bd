/// @file
/// @brief The results file of a program: measurements and counted cases with where, when and from what they came.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <ctime>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "lanes/cases.hpp"
#include "lanes/measurement.hpp"

namespace lanes {

/// Where, when and from what a result came.
struct Provenance {
    std::string device;              ///< "NVIDIA H200"
    std::string compute_capability;  ///< "9.0"
    bool emulated = false;           ///< whether the emulator ran it
    int multiprocessors = 0;         ///< of the device
    std::uint64_t l2_bytes = 0;      ///< of the device
    std::string driver;              ///< newest CUDA version that the driver supports
    std::string kernel_driver;       ///< version of NVIDIA's kernel driver; may be empty
    std::string runtime;             ///< version of the CUDA runtime
    std::string toolkit;             ///< version of nvcc, "13.0.88"
    std::string date;                ///< see utc_now()
    std::uint64_t seed = 0;          ///< of the random input
    std::string source;              ///< file name of the program's source
    std::string command;             ///< the program's command line
};

/// All that a program hands over.
struct Report {
    std::string program;                         ///< "coalescing"
    Provenance provenance;                       ///< of all that follows
    std::map<std::string, std::string> sources;  ///< hash of every snippet of the source, by name
    std::vector<Measurement> measurements;       ///< in the order of measuring
    CountedCases cases;                          ///< in the order of launching
};

/// The present time in UTC, "2026-11-29T22:00:00Z".
inline std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

namespace detail {

using Json = nlohmann::ordered_json;

inline Json to_json(const Provenance& provenance) {
    Json json{{"device", provenance.device},     {"compute_capability", provenance.compute_capability},
              {"emulated", provenance.emulated}, {"multiprocessors", provenance.multiprocessors},
              {"l2_bytes", provenance.l2_bytes}, {"driver", provenance.driver}};
    if (!provenance.kernel_driver.empty()) json["kernel_driver"] = provenance.kernel_driver;
    json.update({{"runtime", provenance.runtime},
                 {"toolkit", provenance.toolkit},
                 {"date", provenance.date},
                 {"seed", provenance.seed},
                 {"source", provenance.source},
                 {"command", provenance.command}});
    return json;
}

inline Json to_json(const Parameters& parameters) {
    Json json = Json::object();
    for (const auto& parameter : parameters) {
        std::visit([&](const auto& value) { json[parameter.name] = value; }, parameter.value);
    }
    return json;
}

inline Json to_json(const Measurement& measurement) {
    Json json{{"name", measurement.name},
              {"snippets", measurement.snippets},
              {"parameters", to_json(measurement.parameters)},
              {"samples", measurement.milliseconds.samples},
              {"repeats", measurement.repeats},
              {"median_ms", measurement.milliseconds.median},
              {"minimum_ms", measurement.milliseconds.minimum},
              {"maximum_ms", measurement.milliseconds.maximum},
              {"spread", measurement.milliseconds.spread()}};
    if (measurement.bytes > 0) json.update({{"bytes", measurement.bytes}, {"gb_per_s", measurement.gb_per_s()}});
    if (measurement.operations > 0) {
        json.update({{"operations", measurement.operations}, {"gflop_per_s", measurement.gflop_per_s()}});
    }
    if (!measurement.ceiling.empty()) json["ceiling"] = measurement.ceiling;
    if (measurement.ratio) json["ratio"] = *measurement.ratio;
    return json;
}

inline Json to_json(const CountedCase& counted_case) {
    return {{"name", counted_case.name},
            {"snippets", counted_case.snippets},
            {"kernel", counted_case.kernel},
            {"parameters", to_json(counted_case.parameters)},
            {"predicted", counted_case.predicted}};
}

/// A JSON array, also where there is nothing to put into it.
template <typename Elements>
Json array_of(const Elements& elements) {
    Json array = Json::array();
    for (const auto& element : elements) array.push_back(to_json(element));
    return array;
}

/// Refuses a measurement or case that depends on a snippet the source does not have.
inline void require_snippets(const Report& report, const std::string& name, const std::vector<std::string>& snippets) {
    if (report.sources.empty()) return;  // the source was not readable, which run() says
    for (const auto& snippet : snippets) {
        if (report.sources.count(snippet) == 0) {
            throw std::invalid_argument(name + " depends on snippet [" + snippet + "], which " +
                                        report.provenance.source + " does not have");
        }
    }
}

}  // namespace detail

/// @brief Turns a report into JSON of the schema `thirty-two-lanes/times/1`.
/// @param report what the program hands over
/// @return the file's text
/// @throws std::invalid_argument if a measurement or case names a snippet that the source does not have
inline std::string times_json(const Report& report) {
    for (const auto& m : report.measurements) detail::require_snippets(report, "measurement " + m.name, m.snippets);
    for (const auto& c : report.cases) detail::require_snippets(report, "counted case " + c.name, c.snippets);
    const detail::Json json{{"schema", "thirty-two-lanes/times/1"},
                            {"program", report.program},
                            {"provenance", detail::to_json(report.provenance)},
                            {"sources", report.sources},
                            {"measurements", detail::array_of(report.measurements)},
                            {"cases", detail::array_of(report.cases)}};
    return json.dump(2) + "\n";
}

/// @brief Writes a text to a file and makes sure that it arrived.
/// @param path where to
/// @param text what
/// @throws std::runtime_error naming the file
inline void write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path + ": does its directory exist, and is there room?");
}

}  // namespace lanes
