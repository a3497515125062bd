/// @file
/// @brief From a launch call to the emulator and back: arguments packed, faults said, counts reported.
#pragma once

#include "launch_shape.hpp"
#include "module.hpp"

#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>

namespace lanes::runtime {

/// A launch as a program asks for it.
struct LaunchRequest {
    const void* function = nullptr;  ///< `__global__` function, or kernel handle
    dim3 grid;
    dim3 block;
    void** arguments = nullptr;  ///< a pointer to each argument
    std::size_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    bool cooperative = false;  ///< all blocks must be resident at once
};

/// Runs a kernel to its end. A fault does not show in the result: as on a GPU, the next call that uses the device
/// returns its error.
/// @return what is wrong with the launch itself, or cudaSuccess
cudaError_t launch(const LaunchRequest& request);

/// What the launch checks need to know of a loaded kernel; grid and block are left empty.
LaunchShape shape_of(const KernelEntry& entry);

}  // namespace lanes::runtime
