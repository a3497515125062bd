/// @file
/// @brief Checks a student's file: to PTX, into the check program, and what came of it.
#pragma once

#include "exercise_set.hpp"
#include "run_report.hpp"

#include <lanes/emulator/result.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lanes {

/// Exit status of a check program that broke off; see common/exercises/main.cpp.
inline constexpr int status_broken = 2;

/// How much of what kernels print is kept.
inline constexpr std::size_t printed_bytes = 16 << 10;
/// How much they may print.
inline constexpr std::uint64_t printable_bytes = 8 << 20;

/// What a check found.
struct CheckResult {
    std::string compiler_errors;         ///< what nvcc said if it refused the file; then there is nothing else
    std::vector<nlohmann::json> checks;  ///< a line of <lanes/exercise/exercise.hpp> each, in order
    RunReport report;                    ///< launches and faults
    std::string printed;                 ///< what the kernels printed, at most printed_bytes of it
    std::uint64_t printed_in_all = 0;    ///< how many bytes that was; beyond printable_bytes they were stopped
    bool passed = false;                 ///< every check passed, and there is at least one
};

/// The nvcc that students' files are compiled with: CUDACXX, or that of the build.
std::string chosen_compiler();

/// The variables that a check program runs with: the same on every machine, whatever a person has set.
/// @param library  what find_emulator_library found
/// @param ptx      the student's file as PTX
/// @param events   file for launches and faults
std::map<std::string, std::string> check_variables(const std::string& library, const std::string& ptx,
                                                   const std::string& events);

/// Reads what a check program wrote.
/// @param verdict  its lines of JSON
/// @param events   launches and faults
/// @param status   its exit status
CheckResult read_check_result(const std::string& verdict, const std::string& events, int status);

/// Whether a check program broke off for a reason of its own: no check has failed, and no kernel did anything wrong.
/// @param status  its exit status
/// @param result  what it wrote
bool broke_off(int status, const CheckResult& result);

/// Compiles a file to PTX and runs the exercise's check program with it.
/// @param exercise  whose checks
/// @param file      the student's file
/// @return what was found, or an error if it could not be checked: no fault of the file
emulator::Result<CheckResult> check_file(const ExerciseFolder& exercise, const std::filesystem::path& file);

/// Compiles the checks together with a file and runs them on a GPU: results only, as nobody counts there.
/// @param set       the checkout with the checks' sources
/// @param exercise  whose checks
/// @param file      the student's file
/// @return what was found, or an error if it could not be checked: no fault of the file
emulator::Result<CheckResult> check_file_on_gpu(const ExerciseSet& set, const ExerciseFolder& exercise,
                                                const std::filesystem::path& file);

}  // namespace lanes
