#include "verdict_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

namespace lanes {

namespace {

using nlohmann::json;

std::string coloured(const std::string& text, const char* code, Colour colour) {
    return colour == Colour::none ? text : std::string("\033[") + code + 'm' + text + "\033[0m";
}

// Every line of a text, moved to the right.
std::string indented(const std::string& text, std::size_t spaces) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) result += std::string(spaces, ' ') + line + '\n';
    return result;
}

// A whole number as one; others with two digits.
std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value == std::floor(value) ? "%.0f" : "%.2f", value);
    return text;
}

// "   17 | out[i] = in[i];", or nothing where the source cannot be read.
std::string source_line(const std::string& file, unsigned line) {
    std::ifstream source(file);
    std::string text;
    for (unsigned i = 0; i < line; ++i)
        if (!std::getline(source, text)) return {};
    if (line == 0) return {};
    char begin[24];
    std::snprintf(begin, sizeof begin, "%8u | ", line);
    const auto first = text.find_first_not_of(" \t");
    return begin + (first == std::string::npos ? "" : text.substr(first)) + '\n';
}

// Our own words for what a learner need not know.
std::string without_prefix(const std::string& message) {
    const std::string prefix = "LANES_MODULE: ";
    return message.compare(0, prefix.size(), prefix) == 0 ? message.substr(prefix.size()) : message;
}

std::string fault_text(const json& fault) {
    std::string text = indented(without_prefix(fault.value("message", "")), 4);
    text += source_line(fault.value("file", ""), fault.value("line", 0U));
    if (fault.value("other_line", 0U) != fault.value("line", 0U))
        text += source_line(fault.value("other_file", ""), fault.value("other_line", 0U));
    return text;
}

// Errors, the first of them first: later ones often follow from it.
std::string faults_text(const RunReport& report, const std::string& severity) {
    constexpr std::size_t most = 3;
    std::string text;
    std::size_t count = 0;
    for (const json& fault : report.faults)
        if (fault.value("severity", "") == severity && count++ < most) text += fault_text(fault);
    if (count > most) text += "    and " + std::to_string(count - most) + " more\n";
    return text;
}

// What a line of source costs in the measure of a budget.
double cost_of(const json& counters, const json& details) {
    double cost = 0;
    for (const json& counter : details["costs"]) cost += counters.value(counter.get<std::string>(), 0.0);
    const std::string per = details.value("per", "");
    if (per.empty()) return cost;
    const double unit = counters.value(per, 0.0);
    return unit == 0 ? 0 : cost / unit;
}

// The source lines of the last launch that cost most.
std::string costly_lines(const RunReport& report, const json& details) {
    if (report.launches.empty()) return {};
    constexpr std::size_t most = 2;
    std::vector<json> lines = report.launches.back().value("lines", json::array());
    std::stable_sort(lines.begin(), lines.end(), [&](const json& a, const json& b) {
        return cost_of(a["counters"], details) > cost_of(b["counters"], details);
    });
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < most; ++i) {
        const double cost = cost_of(lines[i]["counters"], details);
        if (cost == 0 || (!details.value("per", "").empty() && cost <= details.value("most", 0.0))) break;
        text += "    " + number(cost) + " at\n" + source_line(lines[i].value("file", ""), lines[i].value("line", 0U));
    }
    return text;
}

std::string against_limit(const json& check) {
    const json& details = check["details"];
    return check.value("message", "") + ": " + number(details.value("value", 0.0)) + ", at most " +
           number(details.value("most", 0.0));
}

std::string failure_text(const json& check, const RunReport& report) {
    const std::string kind = check.value("kind", "");
    const std::string input = "  " + check.value("input", "") + ": ";
    if (kind == "fault") return input + "the emulator found a mistake\n" + faults_text(report, "error");
    if (kind == "budget")
        return input + against_limit(check) + " are allowed\n" + costly_lines(report, check["details"]);
    if (kind == "limit") return input + against_limit(check) + " are allowed\n";
    return input + indented(check.value("message", ""), 2).substr(2);
}

std::string places_text(const ExerciseSet& set, const ExerciseFolder& exercise, const std::string& section) {
    std::string text;
    if (const auto place = find_section(set, exercise, section); !place.empty())
        text += "  Read  " + place + ", \"" + section + "\"\n";
    return text + "  Stuck? lanes hint " + exercise.name + '\n';
}

std::string failed_text(const ExerciseSet& set, const ExerciseFolder& exercise, const CheckResult& result) {
    std::string text;
    std::string section;
    std::string why;
    for (const json& check : result.checks) {
        if (check.value("passed", false)) continue;
        text += failure_text(check, result.report);
        if (const auto reason = check.value("why", ""); !reason.empty()) text += indented(reason, 4);
        section = check.value("section", "");
    }
    if (text.empty()) text = faults_text(result.report, "error");
    if (text.empty()) text = "  The check program broke off:\n" + indented(result.program_errors, 4);
    return text + '\n' + places_text(set, exercise, section);
}

std::string passed_text(const CheckResult& result) {
    std::string text;
    for (const json& check : result.checks)
        if (!check["details"].empty()) text += "  " + against_limit(check) + '\n';
    if (const auto warnings = faults_text(result.report, "warning"); !warnings.empty())
        text += "  Warnings:\n" + warnings;
    return text;
}

std::string checks_counted(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " check" : " checks");
}

}  // namespace

std::string verdict_text(const ExerciseSet& set, const ExerciseFolder& exercise, const CheckResult& result,
                         Colour colour) {
    const std::string name = exercise.name + ": ";
    if (!result.compiler_errors.empty())
        return name + coloured("does not compile", "31", colour) + '\n' + result.compiler_errors;
    if (result.passed)
        return name + coloured("passed", "32", colour) + ", " + checks_counted(result.checks.size()) + '\n' +
               passed_text(result);
    const auto good = static_cast<std::size_t>(std::count_if(
        result.checks.begin(), result.checks.end(), [](const json& check) { return check.value("passed", false); }));
    return name + coloured("not yet", "31", colour) + "; " + checks_counted(good) + " passed\n" +
           failed_text(set, exercise, result);
}

}  // namespace lanes
