/// @file
/// @brief What a student has done so far, in a plain file: `exercises/progress.txt`.
///
/// A line an exercise: its name, how many hints were shown, and the hash of the file that passed, if one did.
///
///     12_pitch hints 2 solved 5f1d7a84db00d2fc
#pragma once

#include <lanes/emulator/result.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace lanes {

/// What is known of one exercise.
struct ExerciseProgress {
    unsigned hints = 0;  ///< shown so far
    std::string solved;  ///< content_hash of the file that passed, or empty
};

/// Progress by the exercises' names.
using Progress = std::map<std::string, ExerciseProgress>;

/// What tells one content of a file from another.
/// @param text  all of the file
/// @return 16 hexadecimal digits
std::string content_hash(const std::string& text);

/// Reads the file.
/// @param file  where it is; none is as good as an empty one, and lines that are not understood are left out
/// @return what it holds, or an error if it is there and cannot be read
emulator::Result<Progress> read_progress(const std::filesystem::path& file);

/// Writes the file anew.
/// @param file      where it goes
/// @param progress  all of it
/// @return why it failed, or empty
std::string write_progress(const std::filesystem::path& file, const Progress& progress);

}  // namespace lanes
