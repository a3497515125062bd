#include "build_folder.hpp"

#include <system_error>

namespace lanes {

std::filesystem::path build_folder() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

}  // namespace lanes
