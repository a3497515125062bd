/// @file
/// @brief The instructor's command: `lanes grade`.
#pragma once

#include "grade.hpp"

#include <string>
#include <vector>

namespace lanes {

/// Exit status if a submission could not be graded.
inline constexpr int status_ungraded = 1;

/// What the command line asks for. A name of a file that is empty stands for no file.
struct GradeRequest {
    std::string folder;                  ///< with a folder a student
    std::vector<std::string> exercises;  ///< their names
    unsigned jobs = 0;                   ///< submissions at once; 0 for one a core
    std::string junit;                   ///< file for JUnit XML
    std::string csv;                     ///< file for CSV
    std::string json;                    ///< file for JSON
    std::string gradescope;              ///< folder for STUDENT/results.json
    std::string journal;                 ///< file that keeps grades during the run
    GradeSettings settings;
};

/// Grades a folder of submissions and prints a table.
/// @param request  the command line
/// @return the exit status: 0 if all were graded, whatever their grades
int grade_submissions(const GradeRequest& request);

}  // namespace lanes
