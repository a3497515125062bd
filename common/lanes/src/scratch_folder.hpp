/// @file
/// @brief A folder for what a command needs while it runs. What a killed run left is removed by the next one.
#pragma once

#include <filesystem>
#include <string>

namespace lanes {

/// A new folder with a name of its own in temporary_folder(). It is removed with all it holds at the end of the
/// object's life.
class ScratchFolder {
public:
    /// Removes the folders of runs that are no more, and makes one.
    /// @param name  what its name begins with
    explicit ScratchFolder(const std::string& name);
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    /// Why the folder could not be made, or empty.
    const std::string& error() const { return error_; }
    /// Its path.
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::string error_;
    int lock_ = -1;
};

}  // namespace lanes
