/// @file
/// @brief Gives a fuzzer's function each file of a corpus: the corpus as a regression test, with any compiler.
#include "entry.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool replay(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return false;
    const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    // Said before it is used: after a crash the last line names the input.
    std::cout << file.filename().string() << '\n' << std::flush;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return true;
}

}  // namespace

/// Usage: PROGRAM FOLDER
int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: " << argv[0] << " FOLDER\nEach file of the folder is an input of the fuzzer.\n";
        return 2;
    }
    const auto files = files_of(argv[1]);
    if (files.empty()) {
        std::cerr << "There are no inputs in " << argv[1] << ".\n";
        return 1;
    }
    for (const auto& file : files) {
        if (replay(file)) continue;
        std::cerr << file << " cannot be read.\n";
        return 1;
    }
    std::cout << files.size() << " inputs\n";
    return 0;
}
