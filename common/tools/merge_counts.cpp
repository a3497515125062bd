#include "merge_counts.hpp"

#include <cstddef>
#include <stdexcept>

#include "kernel_name.hpp"

namespace lanes::tools {

namespace {

void require_same_kernel(const Json& counted_case, const CountedLaunch& launch, std::size_t number) {
    const std::string name = counted_case.at("name");
    const std::string kernel = counted_case.at("kernel");
    if (base_name(launch.kernel) == kernel) return;
    throw std::runtime_error("case " + std::to_string(number) + ", " + name + ", launches " + kernel + ", but launch " +
                             std::to_string(number) + " is of " + launch.kernel);
}

/// What the model got wrong about a launch, a line each.
std::string wrong_predictions(const Json& counted_case, const Json& counters) {
    std::string wrong;
    for (const auto& [counter, predicted] : counted_case.at("predicted").items()) {
        const std::string what = "\n  " + counted_case.at("name").get<std::string>() + ": " + counter;
        if (!counters.contains(counter)) {
            wrong += what + " is predicted but was not counted";
        } else if (counters.at(counter) != predicted) {
            wrong += what + " is predicted to be " + predicted.dump() + ", counted were " + counters.at(counter).dump();
        }
    }
    return wrong;
}

}  // namespace

Json merge_counts(const Json& times, const std::vector<CountedLaunch>& launches, const std::string& counted_by) {
    const auto& cases = times.at("cases");
    if (cases.empty()) throw std::runtime_error("the program has no counted cases");
    if (cases.size() != launches.size()) {
        throw std::runtime_error("there are " + std::to_string(cases.size()) + " cases, but " +
                                 std::to_string(launches.size()) + " launches were counted");
    }
    Json merged = Json::array();
    std::string wrong;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        require_same_kernel(cases[i], launches[i], i);
        wrong += wrong_predictions(cases[i], launches[i].counters);
        Json counted_case = cases[i];
        counted_case["counters"] = launches[i].counters;
        if (!launches[i].lines.empty()) counted_case["lines"] = launches[i].lines;
        merged.push_back(counted_case);
    }
    if (!wrong.empty()) throw std::runtime_error("predictions and counts differ:" + wrong);
    Json provenance = times.at("provenance");
    provenance["counted_by"] = counted_by;
    return {{"schema", "thirty-two-lanes/counts/1"},
            {"program", times.at("program")},
            {"provenance", provenance},
            {"sources", times.at("sources")},
            {"cases", merged}};
}

}  // namespace lanes::tools
