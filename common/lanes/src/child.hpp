/// @file
/// @brief Runs a program in front of its own libcudart and waits for it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanes {

/// How a program ended.
struct ChildResult {
    int status = 0;           ///< its exit status, or 128 + the signal that ended it
    int signal = 0;           ///< that signal, or 0
    int received = 0;         ///< the last signal that this process got meanwhile, such as SIGINT; or 0
    std::string start_error;  ///< why it did not start at all, or empty
};

/// Files that take what a program prints; where a name is empty, the program prints where this process does.
struct Redirection {
    std::string output;              ///< for stdout
    std::string errors;              ///< for stderr
    std::uint64_t output_bytes = 0;  ///< to which any file may grow that the program writes; 0 for any number
};

/// What the system takes for arguments or an environment.
/// @param texts  stay where they are
/// @return pointers to them, and a null pointer
std::vector<char*> pointers_to(const std::vector<std::string>& texts);

/// The environment of this process with variables set or replaced.
/// @param changes  names and values
/// @return "NAME=value" texts
std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes);

/// Runs a program to its end. Signals that others send to this process are passed on to it; those of the terminal
/// reach it anyway.
/// @param path         the program's file
/// @param arguments    its arguments, its own name first
/// @param environment  "NAME=value" texts
/// @param redirection  files for what it prints; they are emptied first
ChildResult run_child(const std::string& path, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment, const Redirection& redirection = {});

}  // namespace lanes
