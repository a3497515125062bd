/// @file
/// @brief What a student has done so far, in a plain file: `exercises/progress.txt`.
///
/// A line an exercise: its name, how many hints were shown, and whether it is solved.
///
///     12_pitch hints 2 solved
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace lanes {

/// What is known of one exercise.
struct ExerciseProgress {
    unsigned hints = 0;   ///< shown so far
    bool solved = false;  ///< it passed once
};

/// Progress by the exercises' names.
using Progress = std::map<std::string, ExerciseProgress>;

/// Reads the file.
/// @param file  where it is; none is as good as an empty one, and lines that are not understood are left out
Progress read_progress(const std::filesystem::path& file);

/// Writes the file anew.
/// @param file      where it goes
/// @param progress  all of it
/// @return why it failed, or empty
std::string write_progress(const std::filesystem::path& file, const Progress& progress);

}  // namespace lanes
