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

/// Writes a file.
/// @param path   the file; one that is there is replaced
/// @param bytes  what it will hold
/// @return why it failed, or empty
std::string write_file(const std::string& path, std::span<const std::byte> bytes);

}  // namespace lanes
