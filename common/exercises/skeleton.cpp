/// @file
/// @brief lanes-skeleton: what a student starts with, made from a solution with marked regions.
#include <CLI/CLI.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "skeleton_text.hpp"

namespace {

using lanes::exercises::Version;

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + " cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw std::runtime_error(path + " cannot be written");
}

// 0, or 1 with the first line that differs.
int compare(const std::string& path, const std::string& expected) {
    const std::string text = read(path);
    if (text == expected) return 0;
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.size() && i < expected.size() && text[i] == expected[i]; ++i)
        if (text[i] == '\n') ++line;
    std::cerr << path << ':' << line
              << ": differs from what its solution makes of it. Change the solution, and build the target skeletons; a "
                 "student's own work goes with `lanes reset`.\n";
    return 1;
}

}  // namespace

/// Exit status: 0, 1 if files differ, cannot be read or have wrong markers, 2 for a wrong command line.
int main(int argc, char** argv) {
    CLI::App app("Makes the skeleton of an exercise from its solution, or the solution without markers.");
    std::string source;
    std::string output;
    std::string compared;
    bool solution = false;
    app.add_option("source", source, "Solution with [solution], [skeleton], [/solution] around what differs")
        ->required();
    auto* out = app.add_option("--output", output, "File to write");
    app.add_option("--compare", compared, "File that must hold the result already")->excludes(out);
    app.add_flag("--solution", solution, "Make the solution instead");
    try {
        app.parse(argc, argv);
        const auto text = version_of(read(source), solution ? Version::solution : Version::skeleton);
        if (!compared.empty()) return compare(compared, text);
        if (output.empty())
            std::cout << text;
        else
            write(output, text);
        return 0;
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::exception& error) {
        std::cerr << "lanes-skeleton: " << source << ": " << error.what() << '\n';
        return 1;
    }
}
