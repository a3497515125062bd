#include "emulator_library.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lanes {

namespace {

std::filesystem::path folder_of_libraries() {
    if (const char* folder = std::getenv("LANES_EMULATOR")) return folder;
    std::error_code error;
    const auto command = std::filesystem::read_symlink("/proc/self/exe", error);
    return command.parent_path().parent_path() / "lib" / "emulator";
}

}  // namespace

emulator::Result<std::string> find_emulator_library() {
    const auto path = folder_of_libraries() / library_name;
    std::error_code error;
    const auto absolute = std::filesystem::canonical(path, error);
    if (error)
        return emulator::Error{"the emulator's library is not at " + path.string() +
                               "; build the target lanes_cudart, or set LANES_EMULATOR to the folder it is in"};
    // ld.so takes a list with colons and spaces between names, and has no way to quote them.
    if (absolute.string().find_first_of(": ") != std::string::npos)
        return emulator::Error{"the emulator's library is at " + absolute.string() +
                               "; its path must have no colon and no space, as LD_PRELOAD cannot hold them"};
    return absolute.string();
}

}  // namespace lanes
