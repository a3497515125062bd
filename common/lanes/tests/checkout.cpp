#include "checkout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <vector>

namespace lanes::tests {

namespace fs = std::filesystem;

Checkout::Checkout() {
    for (const char* part : {"chapters/01_coalescing", "exercises/11_sectors", "exercises/13_column_sums"}) {
        fs::create_directories(path(part));
        fs::copy(std::string(LANES_SOURCE) + '/' + part, path(part), fs::copy_options::recursive);
    }
    fs::copy(std::string(LANES_SOURCE) + "/exercises/README.md", path("exercises"));
    CHECK(lanes("reset 13_column_sums").status == 0);
    fs::remove(path("exercises/13_column_sums/column_sums.cu.before_reset"));
}

CommandResult Checkout::lanes(const std::string& words, const std::string& prelude) const {
    std::vector<std::string> arguments;
    for (std::size_t at = 0; at <= words.size();) {
        const auto end = std::min(words.find(' ', at), words.size());
        arguments.push_back(words.substr(at, end - at));
        at = end + 1;
    }
    return lanes_command(arguments, path("chapters/01_coalescing"), prelude);
}

void Checkout::solve() const {
    fs::copy_file(std::string(LANES_BUILD) + "/exercises/13_column_sums/solution.cu", sums(),
                  fs::copy_options::overwrite_existing);
}

void Checkout::write(const std::string& text) const {
    std::ofstream(sums()) << text;
}

}  // namespace lanes::tests
