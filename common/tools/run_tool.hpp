/// @file
/// @brief The end of every tool's main: read the command line, work, and say what went wrong.
#pragma once

#include <CLI/CLI.hpp>

#include <exception>
#include <functional>
#include <iostream>

namespace lanes::tools {

/// Reads a command line and does what it asks for.
/// @param app   knows the options, and the tool's name
/// @param argc  as given to `main`
/// @param argv  as given to `main`
/// @param work  what to do then; it returns the exit status
/// @return that status; 1 if `work` throws, after its words; 2 for a wrong command line
inline int run_tool(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
    try {
        app.parse(argc, argv);
        return work();
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        std::cerr << app.get_name() << ": " << error.what() << '\n';
        return 1;
    }
}

}  // namespace lanes::tools
