/// @file
/// @brief Which headers a submission may include, and how that is known.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace lanes {

/// Headers that a submission may include by name: of CUDA for device code, and of C++ what is of use there.
extern const std::vector<std::string> allowed_headers;

/// A file that includes all of them, or those of them that this toolkit has.
std::string allowed_headers_source();

/// The files that a compilation opened.
/// @param rule  what the preprocessor wrote for make (-MD); no line of a source can add to it or take from it
/// @return their paths without "." and "..", in the order in which they were opened
std::vector<std::string> opened_files(const std::string& rule);

/// The first file that is not allowed.
/// @param opened   by a submission's compilation
/// @param allowed  the submission itself, and what the allowed headers open
/// @return its path, or empty
std::string first_forbidden(const std::vector<std::string>& opened, const std::set<std::string>& allowed);

}  // namespace lanes
