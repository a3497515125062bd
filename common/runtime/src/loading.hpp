/// @file
/// @brief Kernels and variables, found and ready to use.
#pragma once

#include "module.hpp"

#include <driver_types.h>

namespace lanes::runtime {

/// Loads a module if it is not loaded yet. The first failure is said as a fault.
cudaError_t load(Module& module);

/// Finds the kernel of a `__global__` function or kernel handle and loads its module.
/// @param function  the host function, or a handle that the runtime gave out
/// @param entry     where the kernel goes
/// @return cudaErrorInvalidDeviceFunction if there is none; with CUDA 13, cudaErrorInvalidResourceHandle if `function`
///         is not null, because it may then be a bad handle
cudaError_t find_loaded_kernel(const void* function, KernelEntry*& entry);

/// Finds a variable and loads its module.
/// @param symbol  the host variable
/// @param entry   where the variable goes
/// @return cudaErrorInvalidSymbol if there is none
cudaError_t find_loaded_variable(const void* symbol, VariableEntry*& entry);

}  // namespace lanes::runtime
