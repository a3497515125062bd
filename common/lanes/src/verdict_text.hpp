/// @file
/// @brief What `lanes check` says: which check failed, why, where, and what to read.
#pragma once

#include "exercise_check.hpp"
#include "exercise_set.hpp"

#include <string>

namespace lanes {

/// What to do with words that matter.
enum class Colour { none, terminal };

/// The verdict as a person reads it.
/// @param set       the checkout, for the sections of the book
/// @param exercise  what was checked
/// @param result    what came of it
/// @param colour    whether passed and failed are coloured
/// @return lines of text
std::string verdict_text(const ExerciseSet& set, const ExerciseFolder& exercise, const CheckResult& result,
                         Colour colour);

}  // namespace lanes
