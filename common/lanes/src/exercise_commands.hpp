/// @file
/// @brief The learner's commands: `lanes list`, `check`, `watch`, `hint`, `reset`, `solution`.
#pragma once

#include <string>

namespace lanes {

/// Exit status of a check that did not pass.
inline constexpr int status_not_passed = 1;

/// Prints all exercises and which of them are solved.
/// @return the exit status
int list_exercises();

/// Checks one exercise and prints the verdict.
/// @param name  the exercise; if empty, the one that `file` is for, or the first that is not solved
/// @param file  the file to check; if empty, the exercise's own, and progress is kept
/// @param gpu   build and run it natively: results only, and no progress is kept
/// @return 0 if it passed, status_not_passed, or status_usage if it could not be checked
int check_exercise(const std::string& name, const std::string& file, bool gpu);

/// Checks an exercise whenever its file is saved. Without a name it goes on to the next when one is solved.
/// @param name  the exercise; if empty, the first that is not solved
/// @return 0 when there is nothing left to solve
int watch_exercises(const std::string& name);

/// Prints a hint of an exercise.
/// @param name    the exercise; if empty, the first that is not solved
/// @param number  which hint, from 1; if 0, the next one, and after the last the first again
/// @return the exit status
int show_hint(const std::string& name, unsigned number);

/// Gives an exercise's file its first content again; what was in it is kept beside it.
/// @param name  the exercise
/// @return the exit status
int reset_exercise(const std::string& name);

/// Prints our solution of an exercise, once it is solved.
/// @param name    the exercise
/// @param reveal  print it in any case
/// @return the exit status
int show_solution(const std::string& name, bool reveal);

}  // namespace lanes
