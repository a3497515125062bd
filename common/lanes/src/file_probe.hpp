/// @file
/// @brief What a source asks the compiler about files without opening them.
#pragma once

#include <string>

namespace lanes {

/// Finds the ways to learn from a compiler whether a file is there: `__has_include`, `#pragma GCC dependency`, and
/// macros that could put such words together.
/// @param source  of a submission
/// @return the words, or empty if there are none
std::string file_probe(const std::string& source);

}  // namespace lanes
