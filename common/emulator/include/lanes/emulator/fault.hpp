/// @file
/// @brief What a kernel did wrong, said once, with block, thread and source line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanes::emulator {

/// A position or an extent in three dimensions, as CUDA's dim3.
struct Dim3 {
    std::uint32_t x = 1;  ///< fastest
    std::uint32_t y = 1;  ///< second
    std::uint32_t z = 1;  ///< slowest

    /// Threads of a block, or blocks of a grid, of this extent.
    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    /// True if all three are the same.
    bool operator==(const Dim3&) const = default;
};

/// Kinds of fault; `name_of` gives the spelling used in JSON.
enum class FaultKind : std::uint8_t {
    race_shared,         ///< two threads access the same shared bytes, one writes, nothing orders them
    race_global,         ///< the same in device memory
    out_of_bounds,       ///< an access outside of every allocation, or of shared, local or parameter memory
    use_after_free,      ///< an access to device memory that was freed
    misaligned,          ///< an address that is no multiple of the access's size
    uninitialized_read,  ///< a read of memory that nothing has written
    barrier_divergence,  ///< a barrier that a part of a warp reaches, that meets another one, or that never completes
    barrier_after_exit,  ///< a barrier that goes on without threads that have left
    invalid_mask,  ///< a member mask without the lane itself or with lanes that never come, or a value from nowhere
    deadlock,      ///< nothing can run, and no barrier is the reason
    instruction_budget,  ///< a warp has executed more than LaunchConfig::instruction_budget
    invalid_launch,      ///< a launch that was refused
    assertion,           ///< assert() failed; "assert" in JSON
    trap,                ///< __trap()
    unsupported          ///< PTX that the emulator does not know
};

/// The spelling of a kind in JSON.
std::string_view name_of(FaultKind kind);

/// How bad a fault is: a warning does not stop the launch.
enum class Severity : std::uint8_t {
    error,   ///< the result is wrong, or there is none
    warning  ///< today's hardware goes on
};

/// One fault. `message` is the whole sentence a reader sees; the other fields are the same facts for programs.
struct Fault {
    FaultKind kind = FaultKind::unsupported;  ///< what went wrong
    Severity severity = Severity::error;      ///< how bad it is
    std::string message;                      ///< where and what, in one sentence that begins with `kernel`
    std::string kernel;                       ///< demangled by whoever prints it; the emulator gives the PTX name
    Dim3 block{0, 0, 0};                      ///< of the first occurrence
    Dim3 thread{0, 0, 0};    ///< of the first occurrence: the first thread of a warp to whom it happened
    std::string file;        ///< innermost frame in the user's own files; empty if the PTX has no line information
    std::uint32_t line = 0;  ///< 0 without line information
    std::string other_file;  ///< the other side of a race or barrier fault
    std::uint32_t other_line = 0;   ///< 0 if there is no other side
    std::uint64_t occurrences = 1;  ///< at the same two places, over all blocks and threads
};

}  // namespace lanes::emulator
