/// @file
/// @brief What the benchmark measures, a function a section.
#pragma once

#include <lanes/statistics.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lanes::benchmark {

/// How much to measure.
struct Effort {
    bool quick = false;    ///< small problems, few repetitions
    unsigned threads = 1;  ///< host threads where all are used
    unsigned samples = 7;  ///< repetitions, the first one aside, which warms up

    /// One of two sizes.
    unsigned size(unsigned quick_size, unsigned full_size) const { return quick ? quick_size : full_size; }
};

/// How fast a kernel runs, in thread instructions a second.
struct Speed {
    std::string kernel;
    bool checked = false;     ///< all checks, or none
    unsigned threads = 1;     ///< host threads
    double instructions = 0;  ///< thread instructions of a launch
    Statistics per_core;      ///< a second of CPU time
    Statistics together;      ///< a second of wall time, all host threads together
};

/// Cost of an instruction in launches of one size.
struct Scale {
    double instructions = 0;  ///< thread instructions of a launch
    Statistics nanoseconds;   ///< of CPU time, for each
};

/// Whether the counts of a kernel depend on the number of host threads.
struct Agreement {
    std::string kernel;
    std::vector<unsigned> threads;    ///< numbers tried
    std::vector<unsigned> different;  ///< those whose counts differ from those of one thread
};

/// Memory that the checks cost.
struct CheckMemory {
    std::string kernel;
    std::string note;                ///< what is special
    std::uint64_t device_bytes = 0;  ///< device memory that the kernel touched
    std::uint64_t check_bytes = 0;   ///< resident memory that its first checked launch added

    /// Bytes of the checks for each byte touched.
    double ratio() const { return static_cast<double>(check_bytes) / static_cast<double>(device_bytes); }
};

/// Another interpreter of GPU programs, on the tiled matrix product.
struct OtherInterpreter {
    bool installed = false;         ///< if not, there is nothing more to say
    std::string version;            ///< what it says of itself
    double instructions = 0;        ///< that it counts
    Statistics per_second;          ///< instructions a second of CPU time, start-up aside, without checks
    Statistics checked_per_second;  ///< with its race check
};

/// Speed of each kernel: without and with checks, on one host thread and on all.
std::vector<Speed> measure_speed(const Effort& effort);
/// Cost of an instruction as the matrices of matmul_16 grow, with all checks.
std::vector<Scale> measure_scaling(const Effort& effort);
/// Counts of each kernel on 1, 2, ... host threads, of the whole launch and of each source line.
std::vector<Agreement> compare_counts(const Effort& effort);
/// Memory of the checks, each kernel in a process of its own.
std::vector<CheckMemory> measure_memory(const Effort& effort);
/// Milliseconds that a trivial program takes under `lanes run`.
Statistics measure_start_up(const Effort& effort);
/// Oclgrind, where it is installed.
OtherInterpreter measure_oclgrind(const Effort& effort);

}  // namespace lanes::benchmark
