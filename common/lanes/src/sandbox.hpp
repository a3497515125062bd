/// @file
/// @brief Where a submission is compiled and interpreted: in bubblewrap, where that works.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lanes {

/// Whether bubblewrap is used.
enum class SandboxChoice {
    automatic,  ///< if it works here
    required,   ///< nothing is graded without it
    none        ///< limits and the list of headers only
};

/// What a confined program can see besides compilers and libraries.
struct Visible {
    std::vector<std::filesystem::path> to_read;  ///< files and folders
    std::filesystem::path to_write;              ///< one folder
};

/// @brief A view of this machine with no network, no other processes, and no files but some that can only be read.
///
/// Paths are the same inside and outside.
class Sandbox {
public:
    /// Finds bubblewrap and tries it once.
    /// @param choice   whether it is wanted
    /// @param toolkit  folder of the CUDA toolkit
    /// @param hidden   folder that is not seen even where a folder that is needed holds it: the checkout
    Sandbox(SandboxChoice choice, const std::filesystem::path& toolkit, const std::filesystem::path& hidden);

    /// Whether programs run in bubblewrap.
    bool isolates() const { return !prefix_.empty(); }
    /// Why they do not, or empty.
    const std::string& obstacle() const { return obstacle_; }

    /// The command that runs a program in here.
    /// @param program  its path and its arguments
    /// @param visible  what it needs
    std::vector<std::string> command(const std::vector<std::string>& program, const Visible& visible) const;

private:
    std::vector<std::string> prefix_;
    std::string obstacle_;
};

}  // namespace lanes
