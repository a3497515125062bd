#include "hints.hpp"

#include <sstream>

namespace lanes {

std::vector<std::string> hints_in(const std::string& text) {
    std::vector<std::string> hints;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.compare(0, 3, "## ") == 0)
            hints.emplace_back();
        else if (!hints.empty() && (!hints.back().empty() || !line.empty()))
            hints.back() += line + '\n';
    }
    for (std::string& hint : hints) hint.erase(hint.find_last_not_of('\n') + 1).append("\n");
    return hints;
}

}  // namespace lanes
