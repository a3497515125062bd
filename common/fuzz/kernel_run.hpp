/// @file
/// @brief Runs a generated kernel, again and again from the same start.
#pragma once

#include "kernel_generator.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace lanes::fuzz {

/// What a run did.
struct Outcome {
    emulator::LaunchReport report;
    std::vector<std::byte> data;     ///< see block_data_bytes
    std::vector<std::byte> results;  ///< see thread_result_bytes
    std::string printed;             ///< by vprintf
};

/// How a run differs from others.
struct Variant {
    emulator::Checks checks = emulator::Checks::all();
    bool lockstep = true;
    emulator::HostThreads* threads = nullptr;  ///< who runs it
};

/// A generated kernel with memory around it.
class KernelRun {
public:
    /// Parses and links the kernel, which must succeed.
    explicit KernelRun(const GeneratedKernel& kernel);

    /// Puts all memory back to its start and launches the kernel.
    Outcome run(const Variant& variant);

private:
    std::uint64_t allocate(std::uint64_t bytes);
    void reset();

    const GeneratedKernel& kernel_;
    emulator::DeviceMemory memory_;
    std::unique_ptr<emulator::Image> image_;
    std::uint64_t data_ = 0;
    std::uint64_t data_bytes_ = 0;
    std::uint64_t results_ = 0;
    std::uint64_t results_bytes_ = 0;
    std::uint64_t input_ = 0;
};

}  // namespace lanes::fuzz
