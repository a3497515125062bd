/// @file
/// @brief `lanes launch`: one kernel of a PTX file, with arguments from the command line.
#pragma once

#include <lanes/emulator/fault.hpp>
#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanes {

/// What `lanes launch` was asked to do.
struct LaunchRequest {
    std::map<std::string, std::string> variables;  ///< LANES_ variables that the options stand for
    std::optional<std::string> json;               ///< file for the report, if there is to be one
    bool lines = false;                            ///< print the table of source lines
    std::string file;                              ///< PTX
    std::string kernel;                            ///< its name in PTX or in the source; empty if there is only one
    std::string grid = "1";                        ///< "X", "X,Y" or "X,Y,Z"
    std::string block = "1";                       ///< likewise
    std::uint32_t shared_bytes = 0;                ///< dynamic shared memory
    bool cooperative = false;                      ///< all blocks at once: they may wait for each other
    std::vector<std::string> arguments;            ///< see parse_argument
    std::vector<std::string> saves;                ///< "N=FILE": where array N goes at the end
};

/// Reads "X", "X,Y" or "X,Y,Z".
/// @param text  the extents; those left out are 1
/// @return the extents, or an error that quotes the text
emulator::Result<emulator::Dim3> parse_extents(const std::string& text);

/// An array that goes to a file.
struct SavedArray {
    std::size_t position = 0;  ///< among the arguments
    std::string path;          ///< of the file
};

/// Reads "N=FILE".
/// @param text  the position of an array among the arguments, counted from 0, and a file
/// @return both, or an error that quotes the text
emulator::Result<SavedArray> parse_save(const std::string& text);

/// Launches a kernel; prints its arrays to stdout and what it cost to stderr.
/// @param request  what to do
/// @return the exit status: 0, status_faults if the kernel had an error, status_usage if it could not be launched
int launch(const LaunchRequest& request);

}  // namespace lanes
