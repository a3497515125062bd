/// @file
/// @brief Grades that are kept while a run goes on, so that a run that was ended goes on where it was.
#pragma once

#include "grade.hpp"

#include <cstddef>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

namespace lanes {

/// What a grade depends on, and nothing else.
struct GradeKey {
    std::string exercise;    ///< its name
    std::string submission;  ///< hash of the file
    std::string version;     ///< Grader::version

    /// Some order, for a map.
    /// @param other  key
    bool operator<(const GradeKey& other) const {
        return std::tie(exercise, submission, version) < std::tie(other.exercise, other.submission, other.version);
    }
};

/// A file of one JSON object a line. Safe from many threads at once, and from being killed at any time.
class GradeJournal {
public:
    /// Opens a journal, or begins one.
    /// @param path  the file; lines that are not whole are left out; if empty, nothing is kept
    explicit GradeJournal(const std::string& path);

    /// Why the file cannot be written, or empty.
    const std::string& error() const { return error_; }

    /// The grade that is known already.
    /// @param key  of a submission
    std::optional<Grade> find(const GradeKey& key) const;

    /// Keeps a grade; one that is not_graded is not kept.
    /// @param key    of a submission
    /// @param grade  its grade
    void add(const GradeKey& key, const Grade& grade);

private:
    mutable std::mutex mutex_;
    std::map<GradeKey, Grade> known_;
    std::ofstream file_;
    std::string error_;
};

}  // namespace lanes
