// cudaDeviceSetLimit and cudaDeviceGetLimit: values are kept and given back. The emulator's stacks, printf and device
// heap grow as needed, so none of them limits anything.
#include "limits.hpp"
#include "call.hpp"
#include "enum_number.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <mutex>

using namespace lanes::runtime;

namespace {

constexpr std::size_t limit_count = 7;

constexpr std::size_t most_local_bytes = 512 * 1024;  // of a thread: Programming Guide, Technical Specifications

// In the order of cudaLimit, as an H200 starts: stack, printf buffer, device heap, synchronisation depth, pending
// launches, L2 fetch granularity, persisting L2.
constexpr std::array<std::size_t, limit_count> first_values{1024, 8650752, 8388608, 2, 2048, 64, 0};

struct Limits {
    std::mutex mutex;
    std::array<std::size_t, limit_count> values = first_values;
};

Limits& limits() {
    static Limits& instance = *new Limits;
    return instance;
}

cudaError_t check(int limit) {
    if (static_cast<std::size_t>(limit) >= limit_count) return cudaErrorInvalidValue;
    // Synchronising inside a kernel is gone from compute capability 9.0 on.
    const bool gone = limit == cudaLimitDevRuntimeSyncDepth && process().profile().compute_capability >= 90;
    return gone ? cudaErrorUnsupportedLimit : cudaSuccess;
}

}  // namespace

void lanes::runtime::reset_limits() {
    const std::lock_guard lock(limits().mutex);
    limits().values = first_values;
}

LANES_EXPORT cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return use_device([&] {
        if (const cudaError_t error = check(enum_number(limit)); error != cudaSuccess) return error;
        if (enum_number(limit) == cudaLimitStackSize && value > most_local_bytes) return cudaErrorInvalidValue;
        const std::lock_guard lock(limits().mutex);
        limits().values[static_cast<std::size_t>(enum_number(limit))] = value;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return use_device([&] {
        if (value == nullptr) return cudaErrorInvalidValue;
        if (const cudaError_t error = check(enum_number(limit)); error != cudaSuccess) return error;
        const std::lock_guard lock(limits().mutex);
        *value = limits().values[static_cast<std::size_t>(enum_number(limit))];
        return cudaSuccess;
    });
}
