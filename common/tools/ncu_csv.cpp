#include "ncu_csv.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

namespace lanes::tools {

namespace {

using Row = std::vector<std::string>;

/// The cells of a line such as `"0","copy(float *)","1,024"`; a quote inside a cell is doubled.
Row cells_of(std::string_view line) {
    Row cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            cells.emplace_back();
        else if (line[i] != '\r')
            cells.back() += line[i];
    }
    return cells;
}

/// Headings, units and launches.
struct RawPage {
    Row headings;
    Row units;
    std::vector<Row> launches;
};

RawPage raw_page_of(std::string_view text, const std::string& path) {
    std::vector<Row> rows;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = text.substr(0, end);
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        const bool heading = line.substr(0, 5) == "\"ID\",";
        if (heading && !rows.empty()) throw std::runtime_error(path + " holds the tables of more than one run");
        if (heading || (!rows.empty() && line.substr(0, 1) == "\"")) rows.push_back(cells_of(line));
    }
    if (rows.empty()) throw std::runtime_error(path + " holds no table of Nsight Compute");
    const auto& headings = rows.front();
    if (std::find(headings.begin(), headings.end(), "Metric Name") != headings.end()) {
        throw std::runtime_error(path + " has a row for each metric: run ncu with --csv --page raw");
    }
    for (const auto& row : rows) {
        if (row.size() != headings.size()) throw std::runtime_error(path + " is cut off: a row lacks cells");
    }
    if (rows.size() < 3 || !rows[1].front().empty()) {
        throw std::runtime_error(path + " holds no launch under its row of units");
    }
    return {headings, rows[1], {rows.begin() + 2, rows.end()}};
}

/// Metrics are all lower case and end in how they were added up, `.sum` or `.avg`; what ncu says about the launch or
/// the device is not or does not.
bool is_metric(const std::string& heading) {
    return heading.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string::npos &&
           heading.find("__") != std::string::npos && heading.find('.') != std::string::npos;
}

/// ncu adds the average, the least and the most over the units to every sum that it is asked for, and counts what it
/// did itself: nothing of that is a count of the launch.
bool is_beside_the_counts(const std::string& metric, const Row& headings) {
    if (metric.compare(0, 10, "profiler__") == 0) return true;
    const auto dot = metric.rfind('.');
    const auto ending = metric.substr(dot);
    if (ending != ".avg" && ending != ".min" && ending != ".max") return false;
    return std::find(headings.begin(), headings.end(), metric.substr(0, dot) + ".sum") != headings.end();
}

/// "Kbyte" and the like: rounded to a few digits, no longer a count.
bool is_scaled(const std::string& unit) {
    return unit.size() > 1 && std::string_view("KMGT").find(unit[0]) != std::string_view::npos;
}

/// "1,047,552" or "16.04" as a number.
std::optional<Json> number_of(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) return std::nullopt;
    try {
        if (text.find_first_not_of("0123456789") == std::string::npos) return std::uint64_t{std::stoull(text)};
        std::size_t used = 0;
        const double number = std::stod(text, &used);
        if (used != text.size()) return std::nullopt;
        return number;
    } catch (const std::logic_error&) {  // what stoull and stod throw
        return std::nullopt;
    }
}

std::string without_sum(const std::string& metric) {
    const std::string suffix = ".sum";
    if (metric.size() <= suffix.size() || metric.substr(metric.size() - suffix.size()) != suffix) return metric;
    return metric.substr(0, metric.size() - suffix.size());
}

std::size_t kernel_column(const RawPage& page, const std::string& path) {
    const auto found = std::find(page.headings.begin(), page.headings.end(), "Kernel Name");
    if (found == page.headings.end()) throw std::runtime_error(path + " has no column Kernel Name");
    return static_cast<std::size_t>(found - page.headings.begin());
}

/// What a cell counts.
Json count_in(const RawPage& page, const Row& row, std::size_t column, const std::string& path) {
    const auto& metric = page.headings[column];
    if (is_scaled(page.units[column])) {
        throw std::runtime_error(path + " gives " + metric + " in " + page.units[column] +
                                 ": run ncu with --print-units base");
    }
    const auto number = number_of(row[column]);
    if (!number) throw std::runtime_error(path + " gives '" + row[column] + "' for " + metric + ", which is no number");
    return *number;
}

}  // namespace

std::vector<CountedLaunch> launches_of_ncu(std::string_view text, const std::string& path) {
    const auto page = raw_page_of(text, path);
    const auto kernel = kernel_column(page, path);
    std::vector<CountedLaunch> launches;
    for (const auto& row : page.launches) {
        CountedLaunch launch;
        launch.kernel = row[kernel];
        for (std::size_t column = 0; column < row.size(); ++column) {
            const auto& metric = page.headings[column];
            if (is_metric(metric) && !is_beside_the_counts(metric, page.headings))
                launch.counters[without_sum(metric)] = count_in(page, row, column, path);
        }
        if (launch.counters.empty()) throw std::runtime_error(path + " has no column with a metric");
        launches.push_back(launch);
    }
    return launches;
}

}  // namespace lanes::tools
