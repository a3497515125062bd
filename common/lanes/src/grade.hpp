/// @file
/// @brief The grade of one submission, and how it is found without trusting the submission.
#pragma once

#include "confined_child.hpp"
#include "exercise_set.hpp"
#include "sandbox.hpp"
#include "scratch_folder.hpp"
#include "submission.hpp"

#include <lanes/emulator/result.hpp>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

namespace lanes {

/// What became of a submission.
enum class GradeStatus {
    passed,            ///< all checks passed
    failed,            ///< a check failed
    does_not_compile,  ///< nvcc refused it
    forbidden_header,  ///< it includes a file that is not on the list
    compile_limit,     ///< compiling it took too much time, memory or output
    run_limit,         ///< checking it took too much time, memory or output
    broke_off,         ///< the check program ended without a verdict
    missing,           ///< there is no file of that name
    not_plain,         ///< it is a link, a folder or a device
    empty,             ///< nothing but blanks
    too_large,         ///< more than submission_bytes
    not_text,          ///< not UTF-8
    not_graded         ///< our own fault: it could not be tried
};

/// The status in words: "does not compile".
/// @param status  any
const char* name_of(GradeStatus status);

/// The status of a name.
/// @param name  what name_of returns
/// @return the status; not_graded if there is none of that name
GradeStatus status_of_name(const std::string& name);

/// The grade of one submission.
struct Grade {
    GradeStatus status = GradeStatus::not_graded;
    std::size_t checks_passed = 0;  ///< before the first that failed
    std::string message;            ///< for the student: no path of this machine, no line of any other file
};

/// How submissions are confined.
struct GradeSettings {
    SandboxChoice sandbox = SandboxChoice::automatic;
    std::chrono::seconds time{20};  ///< of the processor for compiling, and again for checking
};

/// Grades submissions. Safe from many threads at once.
class Grader {
public:
    /// @brief Finds compiler, emulator and sandbox, and learns what the allowed headers open.
    /// @param set       the checkout
    /// @param settings  limits and sandbox
    /// @return the grader, or an error that says what is not there
    static emulator::Result<Grader> make(const ExerciseSet& set, const GradeSettings& settings);

    /// Where submissions are compiled and interpreted.
    const Sandbox& sandbox() const { return sandbox_; }

    /// @brief Changes whenever this command, the compiler, the emulator, the checks or the limits do.
    /// @param exercise  whose checks
    /// @return a hash in hexadecimal
    std::string version(const ExerciseFolder& exercise) const;

    /// @brief Compiles a submission to PTX and has the exercise's check program interpret it. None of its host code
    /// runs.
    /// @param exercise    whose checks
    /// @param submission  the student's file
    /// @return its grade
    Grade grade(const ExerciseFolder& exercise, const Submission& submission) const;

private:
    class Job;
    Grader(ExerciseSet set, std::string nvcc, std::string library, const GradeSettings& settings);
    std::string learn_headers();

    ExerciseSet set_;
    std::string nvcc_;
    std::string emulator_;
    std::shared_ptr<const ScratchFolder> scratch_;
    Limits limits_;
    Sandbox sandbox_;
    std::set<std::string> allowed_files_;
};

}  // namespace lanes
