// Memory pools: there is the device's default pool and no other. It keeps nothing back, so its release threshold is a
// number that is stored and given back.
#include "call.hpp"
#include "enum_number.hpp"
#include "stream_handle.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdint>

using namespace lanes::runtime;

namespace {

// Only its address matters.
std::atomic<std::uint64_t>& release_threshold() {
    static std::atomic<std::uint64_t> threshold{0};
    return threshold;
}

cudaMemPool_t default_pool() {
    return reinterpret_cast<cudaMemPool_t>(&release_threshold());
}

cudaError_t get_pool(cudaMemPool_t* pool, int device) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = default_pool();
    return cudaSuccess;
}

cudaError_t get_attribute(cudaMemPool_t pool, int attribute, void* value) {
    if (pool != default_pool() || value == nullptr) return cudaErrorInvalidValue;
    switch (attribute) {
        case cudaMemPoolReuseFollowEventDependencies:
        case cudaMemPoolReuseAllowOpportunistic:
        case cudaMemPoolReuseAllowInternalDependencies:
            *static_cast<int*>(value) = 1;
            return cudaSuccess;
        case cudaMemPoolAttrReleaseThreshold:
            *static_cast<std::uint64_t*>(value) = release_threshold();
            return cudaSuccess;
        case cudaMemPoolAttrReservedMemCurrent:
        case cudaMemPoolAttrReservedMemHigh:
        case cudaMemPoolAttrUsedMemCurrent:
        case cudaMemPoolAttrUsedMemHigh:
            *static_cast<std::uint64_t*>(value) = process().memory.used();
            return cudaSuccess;
        default:
            return cudaErrorInvalidValue;
    }
}

cudaError_t set_attribute(cudaMemPool_t pool, int attribute, const void* value) {
    if (pool != default_pool() || value == nullptr) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrReleaseThreshold) release_threshold() = *static_cast<const std::uint64_t*>(value);
    const bool known = attribute >= cudaMemPoolReuseFollowEventDependencies && attribute <= cudaMemPoolAttrUsedMemHigh;
    return known ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

LANES_EXPORT cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
    return use_device([&] { return get_pool(pool, device); });
}

LANES_EXPORT cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
    return use_device([&] { return get_pool(pool, device); });
}

LANES_EXPORT cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    return use_device([&] {
        if (device != 0) return cudaErrorInvalidDevice;
        return pool == default_pool() ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANES_EXPORT cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return use_device([&] { return get_attribute(pool, enum_number(attribute), value); });
}

LANES_EXPORT cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    return use_device([&] { return set_attribute(pool, enum_number(attribute), value); });
}

LANES_EXPORT cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t /*bytes*/) {
    return use_device([&] { return pool == default_pool() ? cudaSuccess : cudaErrorInvalidValue; });
}

LANES_EXPORT cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                                 cudaStream_t stream) {
    return pool == default_pool() ? cudaMallocAsync(pointer, bytes, stream)
                                  : use_device([] { return cudaErrorInvalidValue; });
}
