#include "temporary_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace lanes {

std::string temporary_folder() {
    const char* folder = std::getenv("TMPDIR");
    return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

TemporaryFile::TemporaryFile(const std::string& prefix) : path_(prefix + ".XXXXXX") {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) {
        error_ = std::strerror(errno);
        path_.clear();
        return;
    }
    close(descriptor);
}

TemporaryFile::~TemporaryFile() {
    if (!path_.empty()) unlink(path_.c_str());
}

std::string TemporaryFile::replace(const std::string& text, const std::string& destination) {
    std::ofstream stream(path_);
    stream << text;
    stream.close();
    if (!stream) return std::strerror(errno);
    // mkstemp keeps others out; a result is for everybody whom the user's umask lets in.
    const mode_t mask = umask(0);
    umask(mask);
    if (chmod(path_.c_str(), 0666 & ~mask) != 0 || std::rename(path_.c_str(), destination.c_str()) != 0)
        return std::strerror(errno);
    path_.clear();
    return {};
}

}  // namespace lanes
