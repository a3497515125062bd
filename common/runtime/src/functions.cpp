// Properties of kernels: what the compiler made of them, and what a program sets for them.
#include "call.hpp"
#include "enum_number.hpp"
#include "launcher.hpp"
#include "loading.hpp"

#include <cuda_runtime_api.h>

#include <mutex>

using namespace lanes::runtime;

namespace {

void describe(const KernelEntry& entry, cudaFuncAttributes& attributes) {
    const Process& state = process();
    const LaunchShape shape = shape_of(entry);
    attributes = {};
    attributes.sharedSizeBytes = shape.static_shared_bytes;
    attributes.constSizeBytes = entry.module->constant_bytes();
    attributes.localSizeBytes = entry.resources ? entry.resources->local_bytes : entry.kernel->local_bytes;
    attributes.maxThreadsPerBlock = static_cast<int>(maximum_threads_per_block(shape, state.limits));
    attributes.numRegs = static_cast<int>(shape.registers);
    attributes.ptxVersion = static_cast<int>(entry.ptx_version);
    attributes.binaryVersion = static_cast<int>(state.profile().compute_capability);
    attributes.maxDynamicSharedSizeBytes = static_cast<int>(maximum_dynamic_shared(shape, state.limits));
    attributes.preferredShmemCarveout = entry.carve_out;
}

cudaError_t set_maximum_dynamic_shared(KernelEntry& entry, int value) {
    const std::int64_t most = std::int64_t{process().limits.shared_bytes_per_block} - entry.kernel->static_shared_bytes;
    if (value < 0 || value > most) return cudaErrorInvalidValue;
    entry.maximum_dynamic_shared = static_cast<std::uint32_t>(value);
    return cudaSuccess;
}

cudaError_t set_carve_out(KernelEntry& entry, int value) {
    constexpr int no_preference = -1;
    constexpr int most_percent = 100;
    if (value < no_preference || value > most_percent) return cudaErrorInvalidValue;
    entry.carve_out = value;
    return cudaSuccess;
}

cudaError_t set_attribute(KernelEntry& entry, int attribute, int value) {
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            return set_maximum_dynamic_shared(entry, value);
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            return set_carve_out(entry, value);
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            return cudaSuccess;  // about clusters only, and there are none
        case cudaFuncAttributeClusterDimMustBeSet:
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth:
            return cudaErrorNotSupported;
        default:
            return cudaErrorInvalidValue;
    }
}

// Runs work on a loaded kernel.
template <typename Work>
cudaError_t on_kernel(const void* function, Work work) {
    return use_device([&] {
        KernelEntry* entry = nullptr;
        if (const cudaError_t error = find_loaded_kernel(function, entry); error != cudaSuccess) return error;
        const std::lock_guard no_launch(process().launch_mutex);
        return work(*entry);
    });
}

}  // namespace

LANES_EXPORT cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return on_kernel(function, [&](const KernelEntry& entry) {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        describe(entry, *attributes);
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return on_kernel(function, [&](KernelEntry& entry) { return set_attribute(entry, enum_number(attribute), value); });
}

LANES_EXPORT cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                                         int device) {
    return on_kernel(kernel, [&](KernelEntry& entry) {
        return device == 0 ? set_attribute(entry, enum_number(attribute), value) : cudaErrorInvalidDevice;
    });
}

// A preference between L1 and shared memory: since compute capability 7.0 the carve-out says it better.
LANES_EXPORT cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache preference) {
    return on_kernel(function, [&](const KernelEntry&) {
        const int number = enum_number(preference);
        const bool known = number >= cudaFuncCachePreferNone && number <= cudaFuncCachePreferEqual;
        return known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANES_EXPORT cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return on_kernel(function, [&](const KernelEntry& entry) {
        if (name == nullptr) return cudaErrorInvalidValue;
        *name = entry.name.c_str();
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
    return on_kernel(function, [&](const KernelEntry& entry) {
        if (offset == nullptr || index >= entry.kernel->parameters.size()) return cudaErrorInvalidValue;
        *offset = entry.kernel->parameters[index].offset;
        if (bytes != nullptr) *bytes = entry.kernel->parameters[index].bytes;
        return cudaSuccess;
    });
}
