/// @file
/// @brief What `lanes check` says: which check failed, why, where, and what to read.
#pragma once

#include "exercise_check.hpp"
#include "exercise_set.hpp"

#include <filesystem>
#include <string>

namespace lanes {

/// What to do with words that matter.
enum class Colour { none, terminal };

/// Who reads a verdict, and how.
struct Reader {
    Colour colour = Colour::none;       ///< whether passed and failed are coloured
    std::string command = "lanes";      ///< what the person types to call this command
    std::filesystem::path folder = {};  ///< where paths are relative to; the current directory if empty
};

/// The verdict as a person reads it.
/// @param set       the checkout, for the sections of the book
/// @param exercise  what was checked
/// @param result    what came of it
/// @param reader    who reads it
/// @return lines of text
std::string verdict_text(const ExerciseSet& set, const ExerciseFolder& exercise, const CheckResult& result,
                         const Reader& reader);

/// What the kernels printed, and how much of it is left out.
/// @param result  of a check
/// @return lines of text, or empty
std::string printed_text(const CheckResult& result);

}  // namespace lanes
