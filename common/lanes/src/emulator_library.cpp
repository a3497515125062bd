#include "emulator_library.hpp"

#include "build_folder.hpp"

#include <options.hpp>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lanes {

namespace {

std::filesystem::path folder_of_libraries() {
    if (const char* folder = std::getenv("LANES_EMULATOR")) return folder;
    return build_folder() / "lib" / "emulator";
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

std::map<std::string, std::string> emulator_variables(const std::string& library, const std::string& report) {
    std::map<std::string, std::string> variables;
    std::string preload = library;
#ifdef LANES_SANITIZER_RUNTIME
    // An instrumented library needs the sanitizer's runtime, which the program does not bring.
    preload += ':' + std::string(LANES_SANITIZER_RUNTIME);
    variables["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0";
#endif
    if (const char* before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
        preload += ':' + std::string(before);
    variables["LD_PRELOAD"] = preload;
    variables[runtime::variable::report] = report;
    return variables;
}

}  // namespace lanes
