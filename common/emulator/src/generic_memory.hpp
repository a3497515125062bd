/// @file
/// @brief Bytes behind generic addresses, for functions that the emulator itself provides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "running_warp.hpp"

namespace lanes::emulator {

/// Memory as one lane sees it.
class GenericMemory {
public:
    GenericMemory(RunningWarp& warp, unsigned lane) : warp_(warp), lane_(lane) {}

    /// Copies bytes; false if they are not all in one allocation, in the block's shared or in the lane's local memory.
    bool read(std::uint64_t address, void* destination, std::uint64_t bytes) const;
    /// A string that ends with a zero byte; nothing if memory ends before.
    std::optional<std::string> string(std::uint64_t address) const;

private:
    RunningWarp& warp_;
    unsigned lane_;
};

}  // namespace lanes::emulator
