/// @file
/// @brief Grades as a table, JUnit XML, CSV, JSON, and Gradescope's results.json.
#pragma once

#include "grade.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace lanes {

/// One line of a class's results.
struct GradedSubmission {
    std::string student;   ///< name of the student's folder
    std::string exercise;  ///< name of the exercise
    std::string hash;      ///< SHA-256 of the file, or empty if it could not be read
    Grade grade;
};

/// A line a submission, and the sums.
/// @param results  of one run
std::string grade_table(const std::vector<GradedSubmission>& results);

/// JUnit XML: a suite an exercise, a case a submission; failures are submissions that do not pass, errors are those
/// that could not be graded.
/// @param results  of one run
std::string grade_junit(const std::vector<GradedSubmission>& results);

/// CSV after RFC 4180, in UTF-8. A cell that a spreadsheet would take for a formula begins with an apostrophe.
/// @param results  of one run
std::string grade_csv(const std::vector<GradedSubmission>& results);

/// JSON, as lanes-grade.schema.json describes it.
/// @param results  of one run
/// @param isolated whether bubblewrap was used
nlohmann::json grade_json(const std::vector<GradedSubmission>& results, bool isolated);

/// Gradescope's results.json of one student: a test an exercise, one point each.
/// @param results  of one run
/// @param student  whose
nlohmann::json grade_gradescope(const std::vector<GradedSubmission>& results, const std::string& student);

}  // namespace lanes
