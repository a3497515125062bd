/// @file
/// @brief Hashes of a chapter's snippets, by which its results say from which code they came.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "lanes/source_text.hpp"

namespace lanes {

/// @brief The files that a chapter's snippets are in: its source, and the CUDA headers beside it.
/// @param source path of the chapter's `.cu`
/// @return `source`, then every `.cuh` of its folder, in the order of their names
inline std::vector<std::filesystem::path> snippet_files(const std::filesystem::path& source) {
    std::vector<std::filesystem::path> headers;
    const auto folder = source.has_parent_path() ? source.parent_path() : std::filesystem::path(".");
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
        if (entry.path().extension() == ".cuh") headers.push_back(entry.path());
    }
    std::sort(headers.begin(), headers.end());
    headers.insert(headers.begin(), source);
    return headers;
}

/// @brief Hashes of all snippets of a chapter, by name; none, with a warning, where the source is not there to be read.
/// @param source path of the chapter's `.cu`
/// @throws SourceError for markers that do not match; std::invalid_argument if two files have a snippet of one name
inline std::map<std::string, std::string> snippet_hashes(const std::filesystem::path& source) {
    std::map<std::string, std::string> hashes;
    for (const auto& path : snippet_files(source)) {
        std::ifstream file(path, std::ios::binary);
        if (!file) {
            std::cerr << "Warning: cannot read " << path.string()
                      << ": the results will not say from which code they came.\n";
            return {};
        }
        const std::string text(std::istreambuf_iterator<char>(file), {});
        for (const auto& snippet : snippets_in(text, path.string())) {
            if (!hashes.emplace(snippet.name, snippet.hash).second) {
                throw std::invalid_argument("snippet [" + snippet.name + "] of " + path.string() +
                                            " is in another file of the chapter, too");
            }
        }
    }
    return hashes;
}

}  // namespace lanes
