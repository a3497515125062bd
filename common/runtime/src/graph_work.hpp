/// @file
/// @brief What the nodes of a graph do, made from what a program says about them.
#pragma once

#include "graphs.hpp"

#include <driver_types.h>

namespace lanes::runtime {

/// The work of a kernel node. The kernel's arguments are copied now, as CUDA promises.
/// @param parameters  as the caller gave them; null is refused
/// @param work        gets the work
/// @return what a launch of the kernel would have returned
cudaError_t kernel_work(const cudaKernelNodeParams* parameters, NodeWork& work);

/// The work of a fill.
/// @param parameters  as the caller gave them; null is refused
/// @param work        gets the work
/// @return cudaErrorInvalidValue if elements are not of 1, 2 or 4 bytes
cudaError_t fill_work(const cudaMemsetParams* parameters, NodeWork& work);

/// Runs the steps of a graph, one after the other.
/// @return the first error of a step; what a kernel leaves behind is for the next call, as after a launch
cudaError_t run(const GraphSteps& steps);

}  // namespace lanes::runtime
