/// @file
/// @brief Columns of text that line up.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// A table: columns of text start at the left, those of numbers end at the right.
class TextTable {
public:
    /// @param header        the columns' names
    /// @param text_columns  how many columns are text: the first ones
    explicit TextTable(std::vector<std::string> header, std::size_t text_columns = 1) : text_columns_(text_columns) {
        rows_.push_back(std::move(header));
    }

    /// Adds a row.
    /// @param row   as many cells as the header has
    /// @param note  text after the last column, in no column of its own
    void add(std::vector<std::string> row, std::string note = {});

    /// The table, a line a row.
    std::string text() const;

private:
    std::size_t text_columns_;
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::string> notes_{std::string()};
};

/// A text of at most `width` characters: of a longer one the beginning and the end, with ... between them.
/// @param text   any
/// @param width  at least 5
std::string shortened(const std::string& text, std::size_t width);

/// A ratio with two digits, or "-" if it has none.
/// @param numerator    any
/// @param denominator  may be 0
std::string ratio(unsigned long long numerator, unsigned long long denominator);

}  // namespace lanes
