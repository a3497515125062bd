// cudaDeviceSetLimit and cudaDeviceGetLimit: values are kept and given back. The emulator's stacks, printf and device
// heap grow as needed, so none of them limits anything.
#include "call.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <mutex>

using namespace lanes::runtime;

namespace {

constexpr std::size_t limit_count = 7;

struct Limits {
    std::mutex mutex;
    // In the order of cudaLimit, as an H200 starts: stack, printf buffer, device heap, synchronisation depth, pending
    // launches, L2 fetch granularity, persisting L2.
    std::array<std::size_t, limit_count> values{1024, 8650752, 8388608, 2, 2048, 64, 0};
};

Limits& limits() {
    static Limits& instance = *new Limits;
    return instance;
}

cudaError_t check(cudaLimit limit) {
    if (static_cast<std::size_t>(limit) >= limit_count) return cudaErrorInvalidValue;
    // Synchronising inside a kernel is gone from compute capability 9.0 on.
    const bool gone = limit == cudaLimitDevRuntimeSyncDepth && process().profile().compute_capability >= 90;
    return gone ? cudaErrorUnsupportedLimit : cudaSuccess;
}

}  // namespace

LANES_EXPORT cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return use_device([&] {
        if (const cudaError_t error = check(limit); error != cudaSuccess) return error;
        const std::lock_guard lock(limits().mutex);
        limits().values[static_cast<std::size_t>(limit)] = value;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return use_device([&] {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (const cudaError_t error = check(limit); error != cudaSuccess) return error;
        const std::lock_guard lock(limits().mutex);
        *value = limits().values[static_cast<std::size_t>(limit)];
        return cudaSuccess;
    });
}
