#include "file_probe.hpp"

#include <cstddef>

namespace lanes {

namespace {

// The source as the preprocessor sees it: a backslash at the end of a line joins it to the next, GCC says also with
// blanks behind it.
std::string with_joined_lines(const std::string& source) {
    std::string text;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const auto end = source[i] == '\\' ? source.find_first_not_of(" \t\f\v\r", i + 1) : std::string::npos;
        if (end != std::string::npos && source[end] == '\n')
            i = end;
        else
            text += source[i];
    }
    return text;
}

}  // namespace

std::string file_probe(const std::string& source) {
    const std::string text = with_joined_lines(source);
    const auto has = [&](const char* words) { return text.find(words) != std::string::npos; };
    for (const char* words : {"__has_include", "__has_embed", "dependency"})
        if (has(words)) return words;
    return has("define") && (has("##") || has("%:%:")) ? "##" : "";
}

}  // namespace lanes
