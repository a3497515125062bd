#include "grade_reports.hpp"

#include "text_table.hpp"

#include <algorithm>
#include <map>

namespace lanes {

namespace {

using nlohmann::json;

constexpr std::size_t name_bytes = 200;

bool passed(const GradedSubmission& result) {
    return result.grade.status == GradeStatus::passed;
}

// Names of folders are any bytes.
std::string student_of(const GradedSubmission& result) {
    std::string name = printable(result.student, name_bytes);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '\n' || c == '\t'; }, '?');
    return name;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

// The line that says what is wrong: the verdict's first line says how much is right.
std::string reason_of(const GradedSubmission& result) {
    if (passed(result)) return "";
    const std::string& message = result.grade.message;
    const auto end = message.find('\n');
    if (result.grade.status != GradeStatus::failed || end == std::string::npos) return first_line(message);
    const auto begin = message.find_first_not_of(" \n", end);
    return begin == std::string::npos ? first_line(message) : first_line(message.substr(begin));
}

std::string xml(const std::string& text) {
    std::string result;
    for (const char c : text) switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    return result;
}

std::string csv(const std::string& cell) {
    const bool is_formula = !cell.empty() && std::string("=+-@\t\r").find(cell.front()) != std::string::npos;
    std::string result = is_formula ? "\"'" : "\"";
    for (const char c : cell) {
        if (c == '"') result += c;
        result += c;
    }
    return result + '"';
}

std::string junit_case(const GradedSubmission& result) {
    std::string text =
        "    <testcase classname=\"" + xml(student_of(result)) + "\" name=\"" + xml(result.exercise) + '"';
    if (passed(result)) return text + "/>\n";
    const std::string kind = result.grade.status == GradeStatus::not_graded ? "error" : "failure";
    return text + ">\n      <" + kind + " type=\"" + name_of(result.grade.status) + "\" message=\"" +
           xml(reason_of(result)) + "\">" + xml(result.grade.message) + "</" + kind + ">\n    </testcase>\n";
}

std::string suite(const std::string& exercise, const std::vector<const GradedSubmission*>& results) {
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::string cases;
    for (const GradedSubmission* result : results) {
        errors += result->grade.status == GradeStatus::not_graded ? 1 : 0;
        failures += !passed(*result) && result->grade.status != GradeStatus::not_graded ? 1 : 0;
        cases += junit_case(*result);
    }
    return "  <testsuite name=\"" + xml(exercise) + "\" tests=\"" + std::to_string(results.size()) + "\" failures=\"" +
           std::to_string(failures) + "\" errors=\"" + std::to_string(errors) + "\" skipped=\"0\">\n" + cases +
           "  </testsuite>\n";
}

}  // namespace

std::string grade_table(const std::vector<GradedSubmission>& results) {
    constexpr std::size_t text_columns = 3;
    constexpr std::size_t reason_width = 100;
    TextTable table({"student", "exercise", "grade", "checks passed"}, text_columns);
    std::map<std::string, std::size_t> sums;
    for (const GradedSubmission& result : results) {
        table.add({student_of(result), result.exercise, name_of(result.grade.status),
                   std::to_string(result.grade.checks_passed)},
                  shortened(reason_of(result), reason_width));
        ++sums[name_of(result.grade.status)];
    }
    std::string text =
        table.text() + '\n' + std::to_string(results.size()) + (results.size() == 1 ? " submission" : " submissions");
    for (const auto& [status, count] : sums) text += ", " + std::to_string(count) + ' ' + status;
    return text + '\n';
}

std::string grade_junit(const std::vector<GradedSubmission>& results) {
    std::map<std::string, std::vector<const GradedSubmission*>> suites;
    for (const GradedSubmission& result : results) suites[result.exercise].push_back(&result);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"lanes grade\">\n";
    for (const auto& [exercise, members] : suites) text += suite(exercise, members);
    return text + "</testsuites>\n";
}

std::string grade_csv(const std::vector<GradedSubmission>& results) {
    std::string text = "student,exercise,grade,points,checks passed,sha256,reason\r\n";
    for (const GradedSubmission& result : results)
        text += csv(student_of(result)) + ',' + csv(result.exercise) + ',' + csv(name_of(result.grade.status)) + ',' +
                (passed(result) ? "1" : "0") + ',' + std::to_string(result.grade.checks_passed) + ',' +
                csv(result.hash) + ',' + csv(reason_of(result)) + "\r\n";
    return text;
}

json grade_json(const std::vector<GradedSubmission>& results, bool isolated) {
    json submissions = json::array();
    for (const GradedSubmission& result : results)
        submissions.push_back({{"student", student_of(result)},
                               {"exercise", result.exercise},
                               {"grade", name_of(result.grade.status)},
                               {"passed", passed(result)},
                               {"checks_passed", result.grade.checks_passed},
                               {"sha256", result.hash},
                               {"message", result.grade.message}});
    return {{"lanes", LANES_VERSION}, {"bubblewrap", isolated}, {"submissions", std::move(submissions)}};
}

json grade_gradescope(const std::vector<GradedSubmission>& results, const std::string& student) {
    json tests = json::array();
    for (const GradedSubmission& result : results)
        if (result.student == student)
            tests.push_back({{"name", result.exercise},
                             {"score", passed(result) ? 1 : 0},
                             {"max_score", 1},
                             {"status", passed(result) ? "passed" : "failed"},
                             {"output", std::string(name_of(result.grade.status)) + '\n' + result.grade.message},
                             {"output_format", "text"},
                             {"visibility", "visible"}});
    return {{"tests", std::move(tests)}, {"stdout_visibility", "hidden"}};
}

}  // namespace lanes
