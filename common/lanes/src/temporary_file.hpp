/// @file
/// @brief A file that goes away again, unless it takes another file's place.
#pragma once

#include <string>

namespace lanes {

/// Where temporary files go: TMPDIR, or /tmp.
std::string temporary_folder();

/// A new, empty file with a name of its own. It is removed at the end of the object's life.
class TemporaryFile {
public:
    /// @param prefix  path that the name starts with; its folder must exist
    explicit TemporaryFile(const std::string& prefix);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Why the file could not be made, or empty.
    const std::string& error() const { return error_; }
    /// Its path.
    const std::string& path() const { return path_; }

    /// Writes a text and puts the file in another's place, at once: a reader sees the old file or the new one whole.
    /// @param text         what the file holds
    /// @param destination  in the same file system
    /// @return why it failed, or empty
    std::string replace(const std::string& text, const std::string& destination);

private:
    std::string path_;
    std::string error_;
};

}  // namespace lanes
