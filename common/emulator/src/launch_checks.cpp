#include "launch_checks.hpp"

#include "execution.hpp"
#include "position.hpp"

namespace lanes::emulator {

namespace {

// CUDA Programming Guide, technical specifications per compute capability: the same for all that CUDA 12 and 13 know.
constexpr Dim3 maximum_grid{0x7fffffff, 65535, 65535};
constexpr Dim3 maximum_block{1024, 1024, 64};
constexpr std::uint32_t maximum_local_bytes = 512 * 1024;
constexpr std::uint32_t maximum_parameter_bytes = 32764;

std::string extent_complaint(const std::string& what, const Dim3& extent, const Dim3& maximum) {
    if (extent.x == 0 || extent.y == 0 || extent.z == 0) {
        return what + " of " + text_of(extent) + ": every extent must be at least 1";
    }
    if (extent.x > maximum.x || extent.y > maximum.y || extent.z > maximum.z) {
        return what + " of " + text_of(extent) + " is larger than the largest, " + text_of(maximum);
    }
    return {};
}

std::string thread_complaint(const Kernel& kernel, const LaunchConfig& config) {
    const std::uint64_t threads = config.block.count();
    if (threads > config.device.maximum_threads_per_block) {
        return "a block of " + text_of(config.block) + " has " + std::to_string(threads) +
               " threads; the device allows " + std::to_string(config.device.maximum_threads_per_block);
    }
    const std::uint32_t* const required = kernel.required_threads;
    const Dim3 needed{required[0], required[1], required[2]};
    if (required[0] != 0 && !(config.block == needed)) {
        return "a block of " + text_of(config.block) + "; the kernel was compiled for blocks of " + text_of(needed);
    }
    const std::uint32_t* const maximum = kernel.maximum_threads;
    const std::uint64_t most = std::uint64_t{maximum[0]} * maximum[1] * maximum[2];
    if (most != 0 && threads > most) {
        return "a block of " + std::to_string(threads) + " threads; the kernel's __launch_bounds__ allow " +
               std::to_string(most);
    }
    return {};
}

std::string shared_complaint(const Kernel& kernel, const LaunchConfig& config) {
    const std::uint64_t total = std::uint64_t{kernel.program->dynamic_shared_offset} + config.dynamic_shared_bytes;
    if (kernel.static_shared_bytes > config.device.maximum_shared_bytes_per_block) {
        return std::to_string(kernel.static_shared_bytes) + " bytes of static shared memory; the device allows " +
               std::to_string(config.device.maximum_shared_bytes_per_block) +
               ": declare it extern and ask for it at the launch";
    }
    if (total > config.device.maximum_shared_bytes_per_block_optin) {
        return std::to_string(total) + " bytes of shared memory (" + std::to_string(kernel.static_shared_bytes) +
               " static, " + std::to_string(config.dynamic_shared_bytes) + " dynamic); the device allows a block " +
               std::to_string(config.device.maximum_shared_bytes_per_block_optin);
    }
    return {};
}

std::string local_complaint(const Kernel& kernel) {
    if (kernel.local_bytes <= maximum_local_bytes) return {};
    return std::to_string(kernel.local_bytes) + " bytes of local memory a thread; the device allows " +
           std::to_string(maximum_local_bytes);
}

std::string parameter_complaint(const Kernel& kernel, const LaunchConfig& config) {
    if (kernel.parameter_bytes > maximum_parameter_bytes) {
        return std::to_string(kernel.parameter_bytes) + " bytes of parameters; the device allows " +
               std::to_string(maximum_parameter_bytes);
    }
    if (config.parameters.size() == kernel.parameter_bytes) return {};
    return std::to_string(config.parameters.size()) + " bytes of parameters; the kernel takes " +
           std::to_string(kernel.parameter_bytes);
}

}  // namespace

std::string launch_complaint(const Kernel& kernel, const LaunchConfig& config) {
    std::string complaint = extent_complaint("a grid", config.grid, maximum_grid);
    if (complaint.empty()) complaint = extent_complaint("a block", config.block, maximum_block);
    if (complaint.empty()) complaint = thread_complaint(kernel, config);
    if (complaint.empty()) complaint = shared_complaint(kernel, config);
    if (complaint.empty()) complaint = local_complaint(kernel);
    if (complaint.empty()) complaint = parameter_complaint(kernel, config);
    return complaint;
}

}  // namespace lanes::emulator
