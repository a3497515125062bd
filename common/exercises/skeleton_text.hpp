/// @file
/// @brief From one marked source, what a student starts with and what a solution looks like.
///
/// A region stands between lines of comments:
///
///     // [solution]
///     tile[y][x] = in[i];
///     // [skeleton]
///     //| // TODO: fill the tile
///     // [/solution]
///
/// The solution keeps the first part, the skeleton the second with `//|` and one space after it taken away. Either may
/// be empty. Lines outside regions are in both.
#pragma once

#include <string>
#include <string_view>

namespace lanes::exercises {

/// Which of the two texts is wanted.
enum class Version { skeleton, solution };

/// @brief One of the two texts.
/// @param source  with markers
/// @param version which
/// @return the text without markers
/// @throws std::runtime_error naming the line where markers do not match, or a line of a skeleton lacks its `//|`
std::string version_of(std::string_view source, Version version);

}  // namespace lanes::exercises
