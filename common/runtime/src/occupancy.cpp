// Occupancy queries: the book's model of a multiprocessor answers.
#include "call.hpp"
#include "launcher.hpp"
#include "loading.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <mutex>

using namespace lanes::runtime;
namespace model = lanes::model;

namespace {

model::BlockResources resources_of(const KernelEntry& entry, int threads, size_t dynamic_shared) {
    model::BlockResources block;
    block.threads = static_cast<std::uint32_t>(threads);
    block.registers_per_thread = entry.resources ? entry.resources->registers : 0;
    block.static_shared_bytes = entry.kernel->static_shared_bytes;
    block.dynamic_shared_bytes = static_cast<std::uint32_t>(dynamic_shared);
    block.max_dynamic_shared_bytes = entry.maximum_dynamic_shared;
    if (entry.resources) block.barriers = entry.resources->barriers;
    return block;
}

std::uint32_t blocks_of(const KernelEntry& entry, int threads, size_t dynamic_shared) {
    const auto& limits = process().limits;
    if (dynamic_shared > limits.shared_bytes) return 0;
    const auto carve_out =
        entry.carve_out < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(entry.carve_out));
    return model::occupancy(limits, resources_of(entry, threads, dynamic_shared), carve_out).blocks;
}

cudaError_t max_active_blocks(int* blocks, const void* function, int threads, size_t dynamic_shared, unsigned flags) {
    if (blocks == nullptr || threads <= 0 || (flags & ~cudaOccupancyDisableCachingOverride) != 0)
        return cudaErrorInvalidValue;
    KernelEntry* entry = nullptr;
    if (const cudaError_t error = find_loaded_kernel(function, entry); error != cudaSuccess) return error;
    const std::lock_guard no_launch(process().launch_mutex);
    *blocks = static_cast<int>(blocks_of(*entry, threads, dynamic_shared));
    return cudaSuccess;
}

// The most dynamic shared memory with which as many blocks as asked for still fit.
cudaError_t available_shared(size_t* bytes, const void* function, int blocks, int threads) {
    if (bytes == nullptr || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    KernelEntry* entry = nullptr;
    if (const cudaError_t error = find_loaded_kernel(function, entry); error != cudaSuccess) return error;
    const std::lock_guard no_launch(process().launch_mutex);
    const auto wanted = static_cast<std::uint32_t>(blocks);
    if (blocks_of(*entry, threads, 0) < wanted) return cudaErrorInvalidValue;
    std::uint32_t fits = 0;
    std::uint32_t too_much = maximum_dynamic_shared(shape_of(*entry), process().limits) + 1;
    while (too_much - fits > 1) {
        const std::uint32_t middle = fits + (too_much - fits) / 2;
        (blocks_of(*entry, threads, middle) >= wanted ? fits : too_much) = middle;
    }
    *bytes = fits;
    return cudaSuccess;
}

}  // namespace

LANES_EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                                       size_t dynamic_shared) {
    return use_device(
        [&] { return max_active_blocks(blocks, function, threads, dynamic_shared, cudaOccupancyDefault); });
}

LANES_EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                                int threads, size_t dynamic_shared,
                                                                                unsigned flags) {
    return use_device([&] { return max_active_blocks(blocks, function, threads, dynamic_shared, flags); });
}

LANES_EXPORT cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                                   int threads) {
    return use_device([&] { return available_shared(bytes, function, blocks, threads); });
}
