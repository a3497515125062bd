/// @file
/// @brief Which launches the runtime refuses before anything runs, and why.
#pragma once

#include <lanes/emulator/fault.hpp>
#include <lanes/model/occupancy.hpp>

#include <driver_types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace lanes::runtime {

/// A launch, and what is known of its kernel.
struct LaunchShape {
    emulator::Dim3 grid;                                  ///< blocks
    emulator::Dim3 block;                                 ///< threads of a block
    std::uint64_t dynamic_shared_bytes = 0;               ///< of a block
    std::uint32_t static_shared_bytes = 0;                ///< of a block
    std::uint32_t registers = 0;                          ///< of a thread, 0 if not known
    emulator::Dim3 maximum_threads{0, 0, 0};              ///< of `__launch_bounds__`, 0 if there is none
    emulator::Dim3 required_threads{0, 0, 0};             ///< of `__block_size__`, 0 if there is none
    std::optional<std::uint32_t> maximum_dynamic_shared;  ///< what the program set for the kernel
};

/// A launch that is refused.
struct Refusal {
    cudaError_t error = cudaSuccess;  ///< what the call returns
    std::string message;              ///< what was asked, what there is, what to do
};

/// Checks a launch as CUDA does: an H200 under runtime 13.0 gave these errors.
/// @param shape   the launch
/// @param limits  of the device
/// @return nothing if it can run
std::optional<Refusal> check_launch(const LaunchShape& shape, const model::MultiprocessorLimits& limits);

/// Checks what a cooperative launch needs beside: a device that holds all its blocks at once.
/// @param shape   the launch, which check_launch() has let pass
/// @param limits  of a multiprocessor
/// @param multiprocessors  of the device
/// @return nothing if it can run
std::optional<Refusal> check_cooperative(const LaunchShape& shape, const model::MultiprocessorLimits& limits,
                                         std::uint32_t multiprocessors);

/// Most threads a block of a kernel may have: what `cudaFuncGetAttributes` calls maxThreadsPerBlock.
/// @param shape   the kernel's part of it is used
/// @param limits  of the device
std::uint32_t maximum_threads_per_block(const LaunchShape& shape, const model::MultiprocessorLimits& limits);

/// Most dynamic shared memory a launch of a kernel may ask for, as things are set.
/// @param shape   the kernel's part of it is used
/// @param limits  of the device
std::uint32_t maximum_dynamic_shared(const LaunchShape& shape, const model::MultiprocessorLimits& limits);

}  // namespace lanes::runtime
