#include "command.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lanes::tests {

namespace {

// For a shell: nothing in it is special.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

}  // namespace

CommandResult lanes_command(const std::vector<std::string>& arguments, const std::string& folder,
                            const std::string& prelude) {
    const Folder files;
    std::string command = folder.empty() ? "" : "cd " + quoted(folder) + " && ";
    command += prelude + ' ' + quoted(LANES_COMMAND);
    for (const std::string& argument : arguments) command += ' ' + quoted(argument);
    command += " >" + quoted(files.file("output")) + " 2>" + quoted(files.file("errors"));
    const int status = std::system(command.c_str());
    CommandResult result;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.output = read_text(files.file("output"));
    result.errors = read_text(files.file("errors"));
    return result;
}

std::string read_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

Folder::Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lanes-test.XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
}

Folder::~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

}  // namespace lanes::tests
