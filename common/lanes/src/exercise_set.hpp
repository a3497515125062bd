/// @file
/// @brief The exercises of a checkout: where they are, and what they are called.
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// One exercise: a folder `exercises/NN_topic` with README.md, hints.md, check.cu and topic.cu.
struct ExerciseFolder {
    std::string name;              ///< "12_pitch": chapter 1, second exercise
    std::string topic;             ///< "pitch"
    std::filesystem::path folder;  ///< exercises/12_pitch
    std::filesystem::path file;    ///< what a student edits: exercises/12_pitch/pitch.cu
    std::filesystem::path built;   ///< what the build made for it: check, pitch.cu as it was, solution.cu
    std::string kind;              ///< from README.md: "predict", "find the fault", ...
    std::string title;             ///< from README.md
};

/// All exercises of a checkout.
struct ExerciseSet {
    std::filesystem::path root;             ///< the checkout
    std::vector<ExerciseFolder> exercises;  ///< in the order of their names
};

/// Finds the checkout from the current directory upwards, or else the one that this command was built from.
/// @return its exercises, or an error that says where they were looked for
emulator::Result<ExerciseSet> find_exercises();

/// Chooses an exercise.
/// @param set   all of them
/// @param name  "12_pitch", "pitch", "12" or "1.2"; any part of just one name; or the path of its folder or its file
/// @return the exercise, or an error that says which are meant, or which is like it
emulator::Result<ExerciseFolder> choose_exercise(const ExerciseSet& set, const std::string& name);

/// The exercise that a file is for, by where it is or what it is called.
/// @param set   all of them
/// @param file  "submissions/ada/pitch.cu"
/// @return the exercise, or an error if it could be for any
emulator::Result<ExerciseFolder> exercise_of_file(const ExerciseSet& set, const std::filesystem::path& file);

/// A section of the book.
struct Section {
    std::filesystem::path page;  ///< ".../chapters/01_coalescing/coalescing.md"
    std::size_t line = 0;        ///< of its heading, from 1
};

/// Finds a section of the book.
/// @param set       the checkout
/// @param exercise  one of its exercises
/// @param heading   as it stands in the chapter
/// @return where it is, or nothing if the chapter has no such heading
std::optional<Section> find_section(const ExerciseSet& set, const ExerciseFolder& exercise, const std::string& heading);

/// A path as short as can be from the current directory.
/// @param path  any
std::string shown(const std::filesystem::path& path);

}  // namespace lanes
