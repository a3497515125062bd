/// @file
/// @brief What a person may have meant by a name that is none.
#pragma once

#include <string>
#include <vector>

namespace lanes {

/// The known name that is most like another: at most a third of its letters are others, missing or too many.
/// @param name   as it was typed
/// @param known  names that there are
/// @return one of `known`, the first of several; empty if none is like it
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace lanes
