/// @file
/// @brief What every entry point of the runtime does around its own work: sticky errors, last errors, no exceptions.
#pragma once

#include "process.hpp"

#include <driver_types.h>

#include <new>

/// Makes a function part of libcudart's interface; everything else in the library is hidden.
#define LANES_EXPORT extern "C" __attribute__((visibility("default")))

namespace lanes::runtime {

/// Makes an error the calling thread's last error, unless it is cudaSuccess.
/// @return the error
cudaError_t record_error(cudaError_t error) noexcept;

/// The calling thread's last error.
/// @param reset  set it back to cudaSuccess
cudaError_t last_error(bool reset) noexcept;

/// Whether the device can be used: cudaSuccess, the error that a kernel left behind, or cudaErrorInitializationError
/// in a child of a process that has used it.
cudaError_t device_state() noexcept;

/// Runs a call that answers from tables alone and so works after a kernel has failed.
/// @param work  returns a cudaError_t
template <typename Work>
cudaError_t query(Work work) noexcept {
    try {
        return record_error(work());
    } catch (const std::bad_alloc&) {
        return record_error(cudaErrorMemoryAllocation);
    } catch (...) {
        return record_error(cudaErrorUnknown);
    }
}

/// Runs a call that uses the device: after a kernel has failed it returns that kernel's error instead.
/// @param work  returns a cudaError_t
template <typename Work>
cudaError_t use_device(Work work) noexcept {
    if (const cudaError_t state = device_state(); state != cudaSuccess) return record_error(state);
    return query(work);
}

}  // namespace lanes::runtime
