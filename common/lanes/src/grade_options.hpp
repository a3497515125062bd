/// @file
/// @brief The instructor's command on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace lanes {

/// Adds `grade`.
/// @param app     gets the command
/// @param action  set to what the command does; it returns the exit status
void add_grade_command(CLI::App& app, std::function<int()>& action);

}  // namespace lanes
