/// @file
/// @brief The learner's commands on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace lanes {

/// Adds `list`, `check`, `watch`, `hint`, `reset` and `solution`.
/// @param app     gets the commands
/// @param action  set to what the chosen command does; it returns the exit status
void add_exercise_commands(CLI::App& app, std::function<int()>& action);

}  // namespace lanes
