/// @file
/// @brief Files that nvcc made for the tests.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace lanes::runtime::tests {

/// Reads a file of the build's sample folder.
/// @param name  such as "none.fatbin"
/// @return its bytes, empty if it cannot be read
inline std::vector<std::byte> read_sample(const std::string& name) {
    std::ifstream stream(LANES_SAMPLES "/" + name, std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const auto* start = reinterpret_cast<const std::byte*>(text.data());
    return {start, start + text.size()};
}

}  // namespace lanes::runtime::tests
