/// @file
/// @brief A group of measurements as a table: parameters, times, speeds and shares of the ceiling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "lanes/measurement.hpp"
#include "lanes/table.hpp"

namespace lanes {

namespace detail {

/// Names of all parameters of a group, each once, in order of appearance.
inline std::vector<std::string> parameter_names(const std::vector<Measurement>& measurements) {
    std::vector<std::string> names;
    for (const auto& measurement : measurements) {
        for (const auto& parameter : measurement.parameters) {
            if (std::find(names.begin(), names.end(), parameter.name) == names.end()) names.push_back(parameter.name);
        }
    }
    return names;
}

/// The value of a parameter, or nothing where a measurement does not have it.
inline std::string parameter_text(const Measurement& measurement, const std::string& name) {
    for (const auto& parameter : measurement.parameters) {
        if (parameter.name == name) return value_text(parameter);
    }
    return "";
}

/// "63 % of memcpy", or nothing without a ceiling.
inline std::string ceiling_text(const Measurement& measurement) {
    return measurement.ratio ? percent(*measurement.ratio) + " of " + measurement.ceiling : "";
}

}  // namespace detail

/// @brief Lays out measurements as a table; columns in which nobody has a value are left out.
/// @param measurements a group
/// @return the table
inline Table measurement_table(const std::vector<Measurement>& measurements) {
    const auto any = [&](auto has) { return std::any_of(measurements.begin(), measurements.end(), has); };
    const bool bytes = any([](const Measurement& m) { return m.bytes > 0; });
    const bool operations = any([](const Measurement& m) { return m.operations > 0; });
    const bool ceilings = any([](const Measurement& m) { return m.ratio.has_value(); });
    const auto parameters = detail::parameter_names(measurements);

    std::vector<std::string> headings{"name"};
    headings.insert(headings.end(), parameters.begin(), parameters.end());
    headings.insert(headings.end(), {"median ms", "spread"});
    if (bytes) headings.emplace_back("GB/s");
    if (operations) headings.emplace_back("GFLOP/s");
    if (ceilings) headings.emplace_back("ratio");

    Table table(headings);
    for (const auto& measurement : measurements) {
        std::vector<std::string> cells{measurement.name};
        for (const auto& name : parameters) cells.push_back(detail::parameter_text(measurement, name));
        cells.push_back(three_digits(measurement.milliseconds.median));
        cells.push_back(percent(measurement.milliseconds.spread()));
        if (bytes) cells.push_back(measurement.bytes > 0 ? three_digits(measurement.gb_per_s()) : "");
        if (operations) cells.push_back(measurement.operations > 0 ? three_digits(measurement.gflop_per_s()) : "");
        if (ceilings) cells.push_back(detail::ceiling_text(measurement));
        table.add_row(cells);
    }
    return table;
}

}  // namespace lanes
