#include "nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

namespace lanes {

namespace {

bool is_same_letter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Levenshtein's distance: letters to change, to add or to leave out.
std::size_t distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);  // from a beginning of a, to each beginning of b
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (const char letter : a) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (is_same_letter(letter, b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
    constexpr std::size_t part = 3;
    std::string nearest;
    std::size_t least = 0;
    for (const std::string& one : known) {
        const std::size_t changes = distance(name, one);
        if (changes > one.size() / part || (!nearest.empty() && changes >= least)) continue;
        nearest = one;
        least = changes;
    }
    return nearest;
}

}  // namespace lanes
