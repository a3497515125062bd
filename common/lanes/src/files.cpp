#include "files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace lanes {

namespace {

std::string reason() {
    return errno == 0 ? "it is no plain file" : std::strerror(errno);
}

}  // namespace

emulator::Result<std::vector<std::byte>> read_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return emulator::Error{path + " cannot be read: it is a folder"};
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream content;
    if (stream.is_open()) content << stream.rdbuf();
    // Nothing inserted is a failure as well; it is none if the file is empty.
    const bool failed = !stream.is_open() || content.bad() || (content.fail() && errno != 0);
    if (failed) return emulator::Error{path + " cannot be read: " + reason()};
    const std::string text = content.str();
    const auto bytes = std::as_bytes(std::span(text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

emulator::Result<std::string> read_text(const std::string& path) {
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();
    const bool is_pipe_or_device = std::filesystem::exists(path, ignored) &&
                                   type != std::filesystem::file_type::regular &&
                                   type != std::filesystem::file_type::directory;
    if (is_pipe_or_device) return emulator::Error{path + " cannot be read: it is no plain file"};
    const auto bytes = read_file(path);
    if (!bytes) return bytes.error();
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::string text_or_nothing(const std::string& path) {
    const auto text = read_text(path);
    return text ? *text : "";
}

std::string write_file(const std::string& path, std::span<const std::byte> bytes) {
    errno = 0;
    std::ofstream stream(path, std::ios::binary);
    stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    return stream ? std::string() : path + " cannot be written: " + reason();
}

}  // namespace lanes
