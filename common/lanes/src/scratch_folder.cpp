#include "scratch_folder.hpp"

#include "temporary_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace lanes {

namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = "lock";
constexpr mode_t owner_only = 0600;

// The system takes a lock back when its process ends, however it ends.
int open_locked(const fs::path& file, int flags) {
    const int descriptor = open(file.c_str(), flags | O_RDWR | O_CLOEXEC | O_NOFOLLOW, owner_only);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
    if (descriptor >= 0) close(descriptor);
    return -1;
}

// The lock gets its name when it is held: nobody takes a folder for left that is about to be used.
int lock_new_folder(const fs::path& folder) {
    const fs::path unheld = folder / "new_lock";
    const int descriptor = open_locked(unheld, O_CREAT | O_EXCL);
    std::error_code ignored;
    if (descriptor >= 0) fs::rename(unheld, folder / lock_name, ignored);
    return descriptor;
}

// A folder for temporary files is everybody's.
bool is_own_folder(const fs::path& path) {
    struct stat status {};
    return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

void remove_left_folders(const fs::path& parent, const std::string& beginning) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(parent, ignored)) {
        const bool is_named_so = entry.path().filename().string().compare(0, beginning.size(), beginning) == 0;
        if (!is_named_so || !is_own_folder(entry.path())) continue;
        const int lock = open_locked(entry.path() / lock_name, 0);
        if (lock < 0) continue;
        fs::remove_all(entry.path(), ignored);
        close(lock);
    }
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& name) {
    std::error_code error;
    const fs::path parent = fs::absolute(temporary_folder(), error);
    remove_left_folders(parent, name + '.');
    std::string path = (parent / (name + ".XXXXXX")).string();
    if (mkdtemp(path.data()) == nullptr) {
        error_ = "no folder can be made in " + parent.string() + ": " + std::strerror(errno);
        return;
    }
    path_ = path;
    lock_ = lock_new_folder(path_);
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

}  // namespace lanes
