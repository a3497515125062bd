/// @file
/// @brief Words in a picture: made safe for SVG.
#pragma once

#include <string>

/// @brief The words with the letters that mean something in SVG written as entities.
/// @param words any text
inline std::string escaped(const std::string& words) {
    std::string safe;
    for (const char letter : words) {
        if (letter == '&')
            safe += "&amp;";
        else if (letter == '<')
            safe += "&lt;";
        else if (letter == '>')
            safe += "&gt;";
        else
            safe += letter;
    }
    return safe;
}
