/// @file
/// @brief A student's file, read as data.
#pragma once

#include <filesystem>
#include <string>

namespace lanes {

/// What a file is before anybody compiles it.
enum class SubmissionState {
    readable,   ///< text that may be compiled
    missing,    ///< there is no such file
    not_plain,  ///< a link, a folder, a device or a pipe; or it cannot be read
    empty,      ///< nothing but blanks
    too_large,  ///< more than submission_bytes
    not_text    ///< not UTF-8, or with zero bytes
};

/// The largest file that is taken; a solution has a hundredth of it.
inline constexpr std::size_t submission_bytes = 256 * 1024;

/// A student's file.
struct Submission {
    SubmissionState state = SubmissionState::missing;
    std::string text;  ///< if it is readable
};

/// Reads a file without following a link, waiting for a pipe or reading more than is allowed.
/// @param file  any path
Submission read_submission(const std::filesystem::path& file);

/// SHA-256 in hexadecimal.
/// @param bytes  any
std::string sha256(const std::string& bytes);

/// Text that can stand in a report: whatever is not UTF-8 or a control character is replaced, tabs and line ends stay.
/// @param text  any bytes
/// @param most  bytes after which it is cut
std::string printable(const std::string& text, std::size_t most);

}  // namespace lanes
