/// @file
/// @brief JSON files, read and written with messages that name the file.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace lanes::tools {

/// JSON that keeps the order of its keys.
using Json = nlohmann::ordered_json;

/// @brief Reads a file.
/// @param path the file
/// @return its text
/// @throws std::runtime_error naming the file if it cannot be read
std::string read_text(const std::string& path);

/// @brief Reads a JSON file.
/// @param path the file
/// @return its content
/// @throws std::runtime_error naming the file if it cannot be read or is not JSON
Json read_json(const std::string& path);

/// @brief Writes a JSON file, indented by two spaces.
/// @param path the file
/// @param json its content
/// @throws std::runtime_error naming the file if it cannot be written
void write_json(const std::string& path, const Json& json);

}  // namespace lanes::tools
