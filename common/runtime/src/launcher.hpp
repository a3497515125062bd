/// @file
/// @brief From a launch call to the emulator and back: arguments packed, faults said, counts reported.
#pragma once

#include "launch_shape.hpp"
#include "module.hpp"

#include <driver_types.h>
#include <vector_types.h>

#include <cstddef>
#include <vector>

namespace lanes::runtime {

/// A launch as a program asks for it.
struct LaunchRequest {
    const void* function = nullptr;  ///< `__global__` function, or kernel handle
    dim3 grid;                       ///< blocks
    dim3 block;                      ///< threads of a block
    void** arguments = nullptr;      ///< a pointer to each argument
    std::size_t shared_bytes = 0;    ///< dynamic shared memory
    cudaStream_t stream = nullptr;   ///< where
    bool cooperative = false;        ///< all blocks must be resident at once
};

/// A launch that holds all it needs: it can run later, and more than once.
struct PackedLaunch {
    const void* function = nullptr;     ///< `__global__` function, or kernel handle
    LaunchShape shape;                  ///< what was asked for, and the kernel as it was then
    bool cooperative = false;           ///< all blocks must be resident at once
    std::vector<std::byte> parameters;  ///< in the layout of the kernel's parameters
};

/// Checks a launch and copies its arguments. A launch that is refused is said as a fault.
/// @param request  the launch; its stream is not looked at
/// @param packed   gets the launch
/// @return what is wrong with the launch, or cudaSuccess
cudaError_t pack(const LaunchRequest& request, PackedLaunch& packed);

/// Runs a kernel to its end. A fault does not show in the result: as on a GPU, the next call that uses the device
/// returns its error.
/// @param packed  what `pack` made
/// @return an error of a kernel that ran before, or cudaSuccess
cudaError_t launch(const PackedLaunch& packed);

/// Checks a launch and runs it, or captures it if its stream is being captured.
/// @param request  the launch
/// @return what is wrong with the launch itself, or cudaSuccess
cudaError_t launch(const LaunchRequest& request);

/// What the launch checks need to know of a loaded kernel; grid and block are left empty.
LaunchShape shape_of(const KernelEntry& entry);

}  // namespace lanes::runtime
