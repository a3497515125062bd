/// @file
/// @brief What the CUDA runtime says of a kernel's occupancy, beside what the model says.
#pragma once

#include <cuda_runtime.h>

#include <lanes/check.hpp>
#include <lanes/model/occupancy.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

/// Limits of the current device's multiprocessors; nothing if the model does not know its compute capability.
inline std::optional<lanes::model::MultiprocessorLimits> current_limits() {
    int device = 0, major_version = 0, minor_version = 0;
    lanes::check(cudaGetDevice(&device));
    lanes::check(cudaDeviceGetAttribute(&major_version, cudaDevAttrComputeCapabilityMajor, device));
    lanes::check(cudaDeviceGetAttribute(&minor_version, cudaDevAttrComputeCapabilityMinor, device));
    return lanes::model::multiprocessor_limits({unsigned(major_version), unsigned(minor_version)});
}

/// @brief One attribute of the current device.
/// @param attribute which
inline int device_attribute(cudaDeviceAttr attribute) {
    int device = 0, value = 0;
    lanes::check(cudaGetDevice(&device));
    lanes::check(cudaDeviceGetAttribute(&value, attribute, device));
    return value;
}

/// @brief What the compiler made of a kernel: registers, shared and local memory.
/// @param kernel a kernel's name, which is its address
inline cudaFuncAttributes attributes_of(const void* kernel) {
    cudaFuncAttributes attributes{};
    lanes::check(cudaFuncGetAttributes(&attributes, kernel));
    return attributes;
}

/// @brief What a block of a kernel asks for, in the model's words.
/// @param kernel        its address
/// @param threads       of the block
/// @param dynamic_bytes third launch argument
inline lanes::model::BlockResources resources_of(const void* kernel, unsigned threads, std::size_t dynamic_bytes = 0) {
    const cudaFuncAttributes attributes = attributes_of(kernel);
    lanes::model::BlockResources block{.threads = threads,
                                       .registers_per_thread = unsigned(attributes.numRegs),
                                       .static_shared_bytes = unsigned(attributes.sharedSizeBytes),
                                       .dynamic_shared_bytes = unsigned(dynamic_bytes)};
    const std::size_t most = attributes.sharedSizeBytes + std::size_t(attributes.maxDynamicSharedSizeBytes);
    if (most > 48 * lanes::model::kilobyte) block.max_dynamic_shared_bytes = attributes.maxDynamicSharedSizeBytes;
    return block;
}

/// @brief Blocks of a kernel that a multiprocessor of this device holds at once, as the runtime says.
/// @param kernel        its address
/// @param threads       of a block
/// @param dynamic_bytes third launch argument
inline unsigned resident_blocks(const void* kernel, unsigned threads, std::size_t dynamic_bytes = 0) {
    int blocks = 0;
    lanes::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, int(threads), dynamic_bytes));
    return unsigned(blocks);
}

/// @brief Lets a kernel ask for as much shared memory as a block of this device may have.
/// @param kernel its address
inline void opt_in_to_shared_memory(const void* kernel) {
    const int most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int dynamic = most - int(attributes_of(kernel).sharedSizeBytes);
    lanes::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic));
}

/// @brief The most dynamic shared memory with which a multiprocessor still holds a number of blocks: with it, not one
/// more fits.
/// @param limits       of the multiprocessor
/// @param blocks       how many; at least 1
/// @param static_bytes that the kernel has in fixed arrays
inline std::size_t shared_bytes_for(const lanes::model::MultiprocessorLimits& limits, unsigned blocks,
                                    std::size_t static_bytes) {
    const std::size_t share = limits.shared_bytes / blocks;
    const std::size_t whole = share / limits.shared_granule_bytes * limits.shared_granule_bytes;
    return whole - limits.reserved_bytes_per_block - static_bytes;
}
