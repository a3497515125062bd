/// @file
/// @brief The kernels of the benchmark with their arrays, ready to be launched again and again.
#pragma once

#include <lanes/emulator/emulator.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes::benchmark {

/// The modules of kernels.cu, linked, with the device memory of one workload.
///
/// The arrays are as a program's: what the host has not copied there is unset, and reading it would be a fault.
class Workload {
public:
    /// What a workload needs to know of its kernel.
    struct Kernel {
        std::string name;                            ///< in kernels.cu
        emulator::Dim3 grid;                         ///< blocks
        emulator::Dim3 block;                        ///< threads of a block
        std::size_t outputs = 0;                     ///< elements of the array that it writes
        std::vector<float> initial;                  ///< what the host writes there before: all of it, or nothing
        std::size_t untouched = 0;                   ///< elements behind each array that nobody touches
        std::vector<std::vector<float>> inputs;      ///< the arrays that it reads
        int size = 0;                                ///< its last argument
        std::function<float(std::size_t)> expected;  ///< each element of the output

        /// Bytes of device memory that it touches.
        std::uint64_t bytes() const;
    };

    /// One launch.
    struct Run {
        emulator::LaunchReport report;  ///< what it cost the GPU
        double seconds = 0.0;           ///< wall time
        double cpu_seconds = 0.0;       ///< of all threads of this process

        /// Thread instructions.
        double instructions() const {
            return static_cast<double>(report.totals[emulator::Counter::thread_inst_executed]);
        }
    };

    /// Copies the inputs to device memory.
    /// @param kernel  what to launch
    /// @throws std::runtime_error if the kernel is not there, or memory is at an end
    explicit Workload(Kernel kernel);

    /// Launches the kernel once.
    /// @param checks   what is checked
    /// @param threads  host threads that run its blocks
    /// @throws std::runtime_error if anything is wrong with the launch: a fault, or an output that is not as expected
    Run run(emulator::Checks checks, emulator::HostThreads& threads);

    /// Its name in kernels.cu.
    const std::string& name() const { return kernel_.name; }

private:
    std::uint64_t allocate(const std::vector<float>& values, std::size_t elements);
    void verify(const emulator::LaunchReport& report) const;

    Kernel kernel_;
    emulator::DeviceMemory memory_;
    std::unique_ptr<emulator::Image> image_;
    std::uint64_t output_ = 0;
    std::vector<std::uint64_t> inputs_;
    std::vector<std::byte> parameters_;
};

/// c = a * b in shared memory.
/// @param tile  16 or 32
/// @param n     rows and columns: a multiple of the tile
Workload::Kernel matmul(unsigned tile, unsigned n);
/// Sums of 64 blocks.
/// @param n  elements: a multiple of 64 * 256
Workload::Kernel reduction(unsigned n);
/// Element i to element i.
/// @param n  elements: a multiple of 256
Workload::Kernel copy(unsigned n);
/// Each element plus 1, in place.
/// @param n  elements: a multiple of 256
Workload::Kernel increment(unsigned n);
/// Multiply-adds of 64 blocks.
/// @param turns  of each thread, four multiply-adds each
Workload::Kernel fma_loop(unsigned turns);

}  // namespace lanes::benchmark
