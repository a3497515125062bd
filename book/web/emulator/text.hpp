/// @file
/// @brief How the page and the emulator exchange what is more than numbers: bytes in, JSON out.
///
/// The page asks for room, writes its bytes there, calls an export with their number, and reads the answer, a JSON text
/// of as many bytes as the export returned. Every answer is an object; what went wrong is its member "error".
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes::web {

/// What the page wrote.
/// @param bytes how many bytes it says it wrote
/// @return those, or fewer if it had asked for less room
std::string_view input(std::int32_t bytes);

/// Keeps the answer for the page.
/// @param json any object
/// @return its size as text, in bytes: what the export returns
std::int32_t answer(const nlohmann::json& json);

/// Keeps an answer of a message alone.
/// @param message a sentence
/// @return the size of the answer in bytes
std::int32_t refuse(const std::string& message);

}  // namespace lanes::web
