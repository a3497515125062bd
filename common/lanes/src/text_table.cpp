#include "text_table.hpp"

#include <algorithm>
#include <cstdio>

namespace lanes {

void TextTable::add(std::vector<std::string> row, std::string note) {
    rows_.push_back(std::move(row));
    notes_.push_back(std::move(note));
}

std::string TextTable::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string result;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (std::size_t i = 0; i < rows_[r].size(); ++i) {
            const std::string padding(widths[i] - rows_[r][i].size(), ' ');
            if (i > 0) result += "  ";
            result += i < text_columns_ ? rows_[r][i] + padding : padding + rows_[r][i];
        }
        if (!notes_[r].empty()) result += "  " + notes_[r];
        result.erase(result.find_last_not_of(' ') + 1);
        result += '\n';
    }
    return result;
}

std::string shortened(const std::string& text, std::size_t width) {
    if (text.size() <= width) return text;
    const std::size_t kept = width - 3;
    return text.substr(0, kept - kept / 2) + "..." + text.substr(text.size() - kept / 2);
}

std::string ratio(unsigned long long numerator, unsigned long long denominator) {
    if (denominator == 0) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", static_cast<double>(numerator) / static_cast<double>(denominator));
    return text;
}

}  // namespace lanes
