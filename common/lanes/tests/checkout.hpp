/// @file
/// @brief A checkout with two exercises of chapter 1, as a student has it; their checks are those of the build.
#pragma once

#include "command.hpp"

#include <string>

namespace lanes::tests {

/// The checkout, gone at the end with all that a test did in it.
class Checkout {
public:
    Checkout();

    /// The path of a file in it.
    std::string path(const std::string& name) const { return folder_.file(name); }
    /// The file of 13_column_sums.
    std::string sums() const { return path("exercises/13_column_sums/column_sums.cu"); }
    /// What is kept of the student's progress.
    std::string progress() const { return read_text(path("exercises/progress.txt")); }

    /// Runs `lanes` in a folder deep inside.
    /// @param words    its arguments, with blanks between
    /// @param prelude  as lanes_command takes it
    CommandResult lanes(const std::string& words, const std::string& prelude = {}) const;

    /// Puts our solution of 13_column_sums in place of the student's file.
    void solve() const;
    /// Writes the file of 13_column_sums.
    void write(const std::string& text) const;

private:
    Folder folder_;
};

}  // namespace lanes::tests
