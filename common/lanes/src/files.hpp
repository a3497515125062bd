/// @file
/// @brief Whole files, read and written at once.
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lanes {

/// The bytes of a file.
/// @param path  the file
/// @return its bytes, or an error that says which file and why
emulator::Result<std::vector<std::byte>> read_file(const std::string& path);

/// The text of a plain file: all its bytes, whatever they are. Nothing waits for a pipe.
/// @param path  the file
/// @return its text, or an error that says which file and why
emulator::Result<std::string> read_text(const std::string& path);

/// The text of a plain file that need not be there.
/// @param path  the file
/// @return its text; empty if it cannot be read
std::string text_or_nothing(const std::string& path);

/// Writes a file.
/// @param path   the file; one that is there is replaced
/// @param bytes  what it will hold
/// @return why it failed, or empty
std::string write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace lanes
