/// @file
/// @brief Reads from a cubin what only ptxas knows of a kernel: registers, local memory, barriers.
///
/// A cubin is an ELF file. Its section `.nv.info` is a row of attributes, each naming a kernel by its symbol.
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace lanes::runtime {

/// What a kernel uses on the architecture that its cubin was made for.
struct KernelResources {
    std::uint32_t registers = 0;    ///< of one thread
    std::uint32_t local_bytes = 0;  ///< stack frame of one thread
    std::uint32_t barriers = 0;     ///< block barriers
};

/// What a cubin says of its kernels.
struct CubinInfo {
    std::map<std::string, KernelResources> kernels;  ///< by the name in PTX
    std::uint64_t constant_bytes = 0;                ///< `__constant__` variables of the module
};

/// Reads a cubin. Pure: never reads outside `elf`.
/// @param elf  the whole file
/// @return its kernels, or an error if it is no 64-bit ELF file or a table lies outside it
emulator::Result<CubinInfo> read_cubin(std::span<const std::byte> elf);

}  // namespace lanes::runtime
