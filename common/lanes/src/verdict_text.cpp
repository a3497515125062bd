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

// What the runtime calls the student's file.
constexpr const char* module_prefix = "LANES_MODULE: ";
constexpr const char* misfit_prefix = "LANES_MODULE: the file ";

bool starts_with(const std::string& text, const std::string& prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

// The first error: later ones often follow from it. Null if there is none.
json first_error(const RunReport& report) {
    for (const json& fault : report.faults)
        if (fault.value("severity", "") == "error") return fault;
    return nullptr;
}

// The file has no such kernel or constant: "your file defines no kernel named ..."; or empty.
std::string misfit_text(const RunReport& report) {
    const json error = first_error(report);
    const std::string message = error.is_null() ? "" : error.value("message", "");
    if (!starts_with(message, misfit_prefix)) return "";
    return "Your file " + message.substr(std::string(misfit_prefix).size());
}

// What a check says of a wrong result says nothing of a kernel that was stopped, wherever it was.
bool is_stopped(const RunReport& report) {
    const json error = first_error(report);
    if (error.is_null()) return false;
    const std::string kind = error.value("kind", "");
    return kind == "instruction_budget" || kind == "assert" || kind == "trap" || kind == "unsupported";
}

// Our own words for what a learner need not know.
std::string without_prefix(const std::string& message) {
    return starts_with(message, module_prefix) ? message.substr(std::string(module_prefix).size()) : message;
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

// "chapters/01_coalescing/coalescing.md:276", as the reader finds it.
std::string place_text(const Section& section, const Reader& reader) {
    const std::string page =
        reader.folder.empty() ? shown(section.page) : section.page.lexically_relative(reader.folder).string();
    return page + ':' + std::to_string(section.line);
}

std::string places_text(const ExerciseSet& set, const ExerciseFolder& exercise, const std::string& heading,
                        const Reader& reader) {
    std::string text;
    if (const auto section = find_section(set, exercise, heading))
        text += "  Read  " + place_text(*section, reader) + ", \"" + heading + "\"\n";
    return text + "  Stuck? " + reader.command + " hint " + exercise.name + '\n';
}

std::string stopped_printing_text() {
    return "  Your kernel printed more than " + std::to_string(printable_bytes >> 20) +
           " MiB, and was stopped. Print from one thread, and not in every turn of a loop.\n";
}

std::string failed_text(const ExerciseSet& set, const ExerciseFolder& exercise, const CheckResult& result,
                        const Reader& reader) {
    if (result.printed_in_all >= printable_bytes) return stopped_printing_text();
    if (const auto misfit = misfit_text(result.report); !misfit.empty())
        return indented(misfit, 2) + "\n  " + reader.command + " reset " + exercise.name +
               " gives you the file as it was; yours is kept beside it.\n";
    std::string text;
    std::string heading;
    for (const json& check : result.checks) {
        if (check.value("passed", false)) continue;
        text += failure_text(check, result.report);
        const auto reason = check.value("why", "");
        if (!reason.empty() && !is_stopped(result.report)) text += indented(reason, 4);
        heading = check.value("section", "");
    }
    if (text.empty()) text = faults_text(result.report, "error");
    return text + '\n' + places_text(set, exercise, heading, reader);
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
                         const Reader& reader) {
    const std::string name = exercise.name + ": ";
    if (!result.compiler_errors.empty())
        return name + coloured("does not compile", "31", reader.colour) + '\n' + result.compiler_errors;
    if (result.passed)
        return name + coloured("passed", "32", reader.colour) + ", " + checks_counted(result.checks.size()) + '\n' +
               passed_text(result);
    const auto good = static_cast<std::size_t>(std::count_if(
        result.checks.begin(), result.checks.end(), [](const json& check) { return check.value("passed", false); }));
    return name + coloured("not yet", "31", reader.colour) + "; " + checks_counted(good) + " passed\n" +
           failed_text(set, exercise, result, reader);
}

std::string printed_text(const CheckResult& result) {
    const std::string end = result.printed.empty() || result.printed.back() == '\n' ? "" : "\n";
    if (result.printed_in_all <= result.printed.size()) return result.printed + end;
    return result.printed + end + "  and " + std::to_string(result.printed_in_all - result.printed.size()) +
           " bytes more that your kernel printed, not shown\n";
}

}  // namespace lanes
