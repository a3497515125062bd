/// @file
/// @brief Nsight Compute's CSV.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "counted_launches.hpp"

namespace lanes::tools {

/// @brief Reads what `ncu --csv --page raw --print-units base --metrics ...` prints.
///
/// A row a launch, a column a metric, the units in the row under the headings. Lines of the program and of ncu around
/// the table are passed over. Names lose the suffix `.sum`; numbers may carry thousands separators.
/// @param text the file's text
/// @param path the file, for messages
/// @return the launches in order
/// @throws std::runtime_error if there is no such table, it has no metric, or a value is missing or scaled (Kbyte)
std::vector<CountedLaunch> launches_of_ncu(std::string_view text, const std::string& path);

}  // namespace lanes::tools
