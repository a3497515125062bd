#include "launch_shape.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <initializer_list>

namespace lanes::runtime {

namespace {

// Runtime 13 calls every bad shape an invalid value; runtime 12 has a name of its own for it.
constexpr cudaError_t bad_shape = CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

struct Extent {
    const char* name;
    std::uint32_t value;
    std::uint32_t most;
};

std::string text(std::uint64_t number) {
    return std::to_string(number);
}

std::optional<Refusal> check_extents(const char* what, std::initializer_list<Extent> extents) {
    for (const Extent& extent : extents) {
        const std::string asked = std::string("the ") + what + "'s " + extent.name + " is " + text(extent.value);
        if (extent.value == 0) return Refusal{bad_shape, asked + "; it must be at least 1 (is there nothing to do?)"};
        if (extent.value > extent.most)
            return Refusal{bad_shape, asked + "; at most " + text(extent.most) + " is possible"};
    }
    return std::nullopt;
}

std::optional<Refusal> check_threads(const LaunchShape& shape, const model::MultiprocessorLimits& limits) {
    const std::uint64_t threads = shape.block.count();
    if (threads > limits.threads_per_block)
        return Refusal{bad_shape, "a block of " + text(threads) + " threads was asked for; at most " +
                                      text(limits.threads_per_block) + " are possible"};
    const std::uint64_t bound = shape.maximum_threads.count();
    if (bound != 0 && threads > bound)
        return Refusal{bad_shape, "a block of " + text(threads) +
                                      " threads was asked for; the kernel's __launch_bounds__ "
                                      "allows " +
                                      text(bound)};
    const emulator::Dim3& required = shape.required_threads;
    if (required.count() != 0 && shape.block != required)
        return Refusal{bad_shape, "the kernel was compiled for blocks of " + text(required.x) + " x " +
                                      text(required.y) + " x " + text(required.z) + " threads and no other"};
    if (threads > maximum_threads_per_block(shape, limits))
        return Refusal{cudaErrorLaunchOutOfResources,
                       "a block of " + text(threads) + " threads with " + text(shape.registers) +
                           " registers each was asked for; a multiprocessor has " + text(limits.registers) +
                           " registers. Use smaller blocks, or __launch_bounds__(" + text(threads) +
                           ") to make the compiler use fewer registers"};
    return std::nullopt;
}

std::optional<Refusal> check_shared(const LaunchShape& shape, const model::MultiprocessorLimits& limits) {
    const std::uint32_t usual = limits.default_shared_bytes_per_block;
    if (shape.static_shared_bytes > usual)
        return Refusal{cudaErrorInvalidValue,
                       "the kernel declares " + text(shape.static_shared_bytes) +
                           " bytes of static shared memory; at most " + text(usual) +
                           " are possible. More is possible as dynamic shared memory (extern __shared__)"};
    const std::uint32_t most = maximum_dynamic_shared(shape, limits);
    if (shape.dynamic_shared_bytes <= most) return std::nullopt;
    std::string message = text(shape.dynamic_shared_bytes) + " bytes of dynamic shared memory were asked for, beside " +
                          text(shape.static_shared_bytes) + " static ones; at most " + text(most) + " are possible";
    const std::uint64_t possible = limits.shared_bytes_per_block - shape.static_shared_bytes;
    if (shape.dynamic_shared_bytes <= possible)
        message +=
            " before cudaFuncSetAttribute raises cudaFuncAttributeMaxDynamicSharedMemorySize, up to " + text(possible);
    return Refusal{cudaErrorInvalidValue, message};
}

}  // namespace

std::uint32_t maximum_threads_per_block(const LaunchShape& shape, const model::MultiprocessorLimits& limits) {
    std::uint32_t most = limits.threads_per_block;
    const std::uint64_t bound = shape.maximum_threads.count();
    if (bound != 0) most = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, bound));
    // A block must fit as if its warps were a multiple of four.
    const std::uint32_t step = limits.partitions * model::warp_size;
    while (most > step && model::blocks_by_registers(limits, most, shape.registers) == 0)
        most = (most - 1) / step * step;
    return most;
}

std::uint32_t maximum_dynamic_shared(const LaunchShape& shape, const model::MultiprocessorLimits& limits) {
    if (shape.maximum_dynamic_shared) return *shape.maximum_dynamic_shared;
    const std::uint32_t usual = limits.default_shared_bytes_per_block;
    return usual - std::min(usual, shape.static_shared_bytes);
}

std::optional<Refusal> check_cooperative(const LaunchShape& shape, const model::MultiprocessorLimits& limits,
                                         std::uint32_t multiprocessors) {
    model::BlockResources block;
    block.threads = static_cast<std::uint32_t>(shape.block.count());
    block.registers_per_thread = shape.registers;
    block.static_shared_bytes = shape.static_shared_bytes;
    block.dynamic_shared_bytes = static_cast<std::uint32_t>(shape.dynamic_shared_bytes);
    block.max_dynamic_shared_bytes = shape.maximum_dynamic_shared;
    const std::uint64_t resident = std::uint64_t{model::occupancy(limits, block).blocks} * multiprocessors;
    if (shape.grid.count() <= resident) return std::nullopt;
    return Refusal{cudaErrorCooperativeLaunchTooLarge,
                   "a cooperative launch needs all its " + text(shape.grid.count()) +
                       " blocks resident at once, and the device's " + text(multiprocessors) +
                       " multiprocessors hold " + text(resident) +
                       " of them: ask cudaOccupancyMaxActiveBlocksPerMultiprocessor, and launch fewer"};
}

std::optional<Refusal> check_launch(const LaunchShape& shape, const model::MultiprocessorLimits& limits) {
    constexpr std::uint32_t largest_x = 0x7fffffff;
    constexpr std::uint32_t largest_yz = 65535;
    constexpr std::uint32_t largest_block_z = 64;
    const std::uint32_t largest_block_xy = limits.threads_per_block;
    if (auto refusal = check_extents(
            "grid", {{"x", shape.grid.x, largest_x}, {"y", shape.grid.y, largest_yz}, {"z", shape.grid.z, largest_yz}}))
        return refusal;
    if (auto refusal = check_extents("block", {{"x", shape.block.x, largest_block_xy},
                                               {"y", shape.block.y, largest_block_xy},
                                               {"z", shape.block.z, largest_block_z}}))
        return refusal;
    if (auto refusal = check_threads(shape, limits)) return refusal;
    return check_shared(shape, limits);
}

}  // namespace lanes::runtime
