/// @file
/// @brief Without a usable GPU, the program starts itself again with the emulator in place of the CUDA runtime.
#pragma once

#include <cuda_runtime.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>

#include "lanes/device.hpp"

namespace lanes {

namespace detail {

/// Set for the program that is started again, so that it cannot start itself for ever.
inline constexpr const char* fallback_mark = "LANES_FALLBACK";

/// The emulator's library: in $LANES_EMULATOR if that is set, else in lib/emulator beside the program's directory.
inline std::filesystem::path emulator_library() {
    const std::string name = "libcudart.so." + std::to_string(CUDART_VERSION / 1000);
    if (const char* directory = std::getenv("LANES_EMULATOR"); directory != nullptr && *directory != '\0') {
        return std::filesystem::path(directory) / name;
    }
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    return program.parent_path().parent_path() / "lib" / "emulator" / name;
}

/// Puts the emulator's library in front of those that are preloaded already.
inline void preload(const std::filesystem::path& library) {
    const char* const already = std::getenv("LD_PRELOAD");
    std::string value = library.string();
    if (already != nullptr && *already != '\0') value += ":" + std::string(already);
    setenv("LD_PRELOAD", value.c_str(), 1);
    setenv(fallback_mark, "1", 1);
}

}  // namespace detail

/// @brief Returns if there is a GPU or the emulator; otherwise starts the program again on the emulator.
/// @param argv as given to `main`
/// @throws std::runtime_error if there is neither, saying where the emulator was looked for
inline void require_device(char** argv) {
    int devices = 0;
    const auto status = cudaGetDeviceCount(&devices);
    if (status == cudaSuccess && devices > 0) return;
    static_cast<void>(cudaGetLastError());  // the next check must not see this failure
    const std::string why = status == cudaSuccess ? "no device" : cudaGetErrorString(status);
    if (on_emulator()) throw std::runtime_error("the emulator offers no device: " + why);

    const auto library = detail::emulator_library();
    const bool started_again = std::getenv(detail::fallback_mark) != nullptr;
    if (started_again || !std::filesystem::exists(library)) {
        throw std::runtime_error("no GPU that this program can use (" + why + "), and no emulator: " +
                                 library.string() + (started_again ? " did not load" : " does not exist") +
                                 ". Build the emulator, start the program with `lanes run`, or set LANES_EMULATOR "
                                 "to the directory of its libcudart.");
    }
    std::cout << "No GPU that this program can use (" << why << "): running on the emulator." << std::endl;
    detail::preload(library);
    execv("/proc/self/exe", argv);
    throw std::runtime_error(std::string("cannot start the program again: ") + std::strerror(errno));
}

}  // namespace lanes
