/// @file
/// @brief Tables of text in aligned columns, and numbers with a sensible number of digits.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lanes {

/// @brief A number with at least three significant digits and no exponent for everyday sizes: "4261", "0.0312".
/// @param number any; "nan" and "inf" are printed as such
/// @return the text
inline std::string three_digits(double number) {
    const double magnitude = std::abs(number);
    std::array<char, 32> text{};
    if (magnitude == 0.0) return "0";
    if (!std::isfinite(number)) return std::to_string(number);
    if (magnitude < 1e-6 || magnitude >= 1e9) {
        std::snprintf(text.data(), text.size(), "%.2e", number);
    } else {
        const int decimals = std::max(0, 2 - static_cast<int>(std::floor(std::log10(magnitude))));
        std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
    }
    return text.data();
}

/// @brief A share in percent: 0.634 is "63 %".
/// @param share 1 is all
/// @return the text
inline std::string percent(double share) {
    return std::abs(share) < 0.1 ? three_digits(100.0 * share) + " %"
                                 : std::to_string(std::lround(100.0 * share)) + " %";
}

/// @brief A number with separators between thousands: 1234567 is "1,234,567".
/// @param number any
/// @return the text
inline std::string grouped(unsigned long long number) {
    constexpr std::size_t group = 3;
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > group; at -= group) text.insert(at - group, 1, ',');
    return text;
}

/// Rows of cells under headings: the first column flush left, numbers in the others flush right.
class Table {
public:
    /// Starts a table with these headings.
    explicit Table(std::vector<std::string> headings) : rows_{std::move(headings)} {}

    /// @brief Adds a row.
    /// @param cells one for each heading
    /// @throws std::invalid_argument if there are more or fewer
    void add_row(std::vector<std::string> cells) {
        if (cells.size() != rows_.front().size()) throw std::invalid_argument("Table: a cell for each heading, please");
        rows_.push_back(std::move(cells));
    }

    /// Prints the table, two spaces between the columns and none at the end of a line.
    friend std::ostream& operator<<(std::ostream& out, const Table& table) {
        const auto widths = table.widths();
        for (const auto& row : table.rows_) {
            std::string line;
            for (std::size_t column = 0; column < row.size(); ++column) {
                const std::string padding(widths[column] - row[column].size(), ' ');
                if (column > 0) line += "  ";
                line += column == 0 ? row[column] + padding : padding + row[column];
            }
            out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
        }
        return out;
    }

private:
    std::vector<std::size_t> widths() const {
        std::vector<std::size_t> widths(rows_.front().size());
        for (const auto& row : rows_) {
            for (std::size_t column = 0; column < row.size(); ++column) {
                widths[column] = std::max(widths[column], row[column].size());
            }
        }
        return widths;
    }

    std::vector<std::vector<std::string>> rows_;
};

}  // namespace lanes
