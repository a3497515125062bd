/// @file
/// @brief Turns any bytes into a small kernel that parses, with a launch for it.
#pragma once

#include "byte_source.hpp"

#include <lanes/emulator/emulator.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes::fuzz {

/// Bytes of `data` that belong to each block; thread t of a block has the 16 bytes at 16 t as its own.
inline constexpr std::uint64_t block_data_bytes = 2048;
/// Bytes of `results` that belong to each thread: all its registers at the end.
inline constexpr std::uint64_t thread_result_bytes = 192;
/// Bytes of `input`, which kernels only read.
inline constexpr std::uint64_t input_bytes = 1024;

/// A kernel `k(.u64 data, .u64 results, .u64 input)` and how to launch it.
struct GeneratedKernel {
    std::string text;                        ///< the module
    emulator::Dim3 grid;                     ///< at most 4 blocks
    emulator::Dim3 block;                    ///< at most 96 threads
    std::uint32_t dynamic_shared_bytes = 0;  ///< of `extern .shared dynamic[]`
    std::uint64_t seed = 0;                  ///< of a second schedule
    bool separate_blocks = true;             ///< no block touches device memory that another one writes
    bool orderly = true;                     ///< without races its results do not depend on any order of threads
};

/// A kernel from the bytes.
GeneratedKernel generate_kernel(ByteSource& choices);

}  // namespace lanes::fuzz
