/// @file
/// @brief What the program runs on: a GPU or the emulator, its sizes and versions, and the emulator's counts.
#pragma once

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "lanes/check.hpp"
#include "lanes/emulated.hpp"

namespace lanes {

namespace detail {

/// A function of the emulator's runtime, or null where the real runtime is loaded.
template <typename Function>
Function* emulator_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// 13000 as "13.0".
inline std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The first word of `text` that is all digits and dots with at least one dot in it: "580.159.03"; empty if none is.
inline std::string first_version_in(std::string_view text) {
    const auto in_version = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; };
    std::string word;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) == 0) {
            word += text[i];
            continue;
        }
        bool version = word.find('.') != std::string::npos;
        for (const char c : word) version = version && in_version(c);
        if (version) return word;
        word.clear();
    }
    return "";
}

/// The version of NVIDIA's kernel driver; empty where Linux does not say, as under WSL.
inline std::string kernel_driver_version() {
    std::ifstream file("/proc/driver/nvidia/version");
    return first_version_in(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace detail

/// Whether the CUDA runtime of this process is the emulator's.
inline bool on_emulator() {
    return detail::emulator_function<decltype(lanesEmulatorDescription)>("lanesEmulatorDescription") != nullptr;
}

/// @brief What the emulator counted in the last launch that finished.
/// @param counter Nsight Compute's base name, `l1tex__t_sectors_pipe_lsu_mem_global_op_ld`
/// @return the count; nothing on a GPU, before the first launch, or for a name that the emulator does not know
inline std::optional<std::uint64_t> counted(std::string_view counter) {
    auto* const read = detail::emulator_function<decltype(lanesEmulatorCounter)>("lanesEmulatorCounter");
    unsigned long long value = 0;
    if (read == nullptr || read(std::string(counter).c_str(), &value) != 0) return std::nullopt;
    return value;
}

/// @brief How many errors the emulator has found in this process: races, accesses out of bounds and the like.
/// @return 0 on a GPU, which looks for few of them
inline std::uint64_t emulator_errors() {
    auto* const read = detail::emulator_function<decltype(lanesEmulatorFaults)>("lanesEmulatorFaults");
    unsigned long long errors = 0;
    unsigned long long warnings = 0;
    if (read == nullptr || read(&errors, &warnings) != 0) return 0;
    return errors;
}

/// The device that kernels run on, as the CUDA runtime describes it.
struct Device {
    std::string name;                ///< "NVIDIA H200"
    std::string compute_capability;  ///< "9.0"
    bool emulated = false;           ///< whether it is the emulator
    int multiprocessors = 0;         ///< how many streaming multiprocessors it has
    std::size_t l2_bytes = 0;        ///< size of its L2 cache
    std::string driver;              ///< newest CUDA version that the driver supports, "13.0"
    std::string kernel_driver;       ///< version of NVIDIA's kernel driver, "580.159.03"; may be empty
    std::string runtime;             ///< version of the CUDA runtime, "13.0"
    std::string description;         ///< the line that programs print first
};

/// @brief Asks the CUDA runtime about the current device.
/// @return its description
/// @throws CudaError if there is none
inline Device current_device() {
    int number = 0;
    check(cudaGetDevice(&number));
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number));
    int driver = 0;
    int runtime = 0;
    check(cudaDriverGetVersion(&driver));
    check(cudaRuntimeGetVersion(&runtime));

    Device device;
    device.name = properties.name;
    device.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    device.emulated = on_emulator();
    device.multiprocessors = properties.multiProcessorCount;
    device.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
    device.driver = detail::version_text(driver);
    device.runtime = detail::version_text(runtime);
    if (device.emulated) {
        auto* const describe =
            detail::emulator_function<decltype(lanesEmulatorDescription)>("lanesEmulatorDescription");
        device.description = std::string(describe()) + "; counts are exact, times are not a GPU's";
        return device;
    }
    device.kernel_driver = detail::kernel_driver_version();
    device.description = device.name + ", cc " + device.compute_capability + ", driver " +
                         (device.kernel_driver.empty() ? "" : device.kernel_driver + " for ") + "CUDA " +
                         device.driver + ", runtime " + device.runtime;
    return device;
}

}  // namespace lanes
