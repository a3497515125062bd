/// @file
/// @brief Runs the command `lanes` as a person does, and keeps what it says.
#pragma once

#include <string>
#include <vector>

namespace lanes::tests {

/// What a command did.
struct CommandResult {
    int status = 0;
    std::string output;  ///< stdout
    std::string errors;  ///< stderr
};

/// Runs `lanes` with arguments.
/// @param arguments  of the command
/// @param folder     where it runs, the current directory if empty
/// @param prelude    words of a shell before the command: "PATH=/nowhere" or "exec <&- ;"
CommandResult lanes_command(const std::vector<std::string>& arguments, const std::string& folder = {},
                            const std::string& prelude = {});

/// The contents of a file, empty if it cannot be read.
std::string read_text(const std::string& path);

/// Whether some words stand in a text.
bool has(const std::string& text, const std::string& words);

/// A folder that is removed with all it holds.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// The path of a file in it.
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    /// Its path.
    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace lanes::tests
