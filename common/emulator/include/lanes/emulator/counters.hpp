/// @file
/// @brief What a launch costs, under the names Nsight Compute gives the same counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::emulator {

/// Every count the emulator keeps. The order is the order of output.
enum class Counter : std::uint8_t {
    inst_executed,                 ///< warp instructions
    thread_inst_executed,          ///< lanes active, summed over warp instructions
    thread_inst_executed_pred_on,  ///< lanes active and not predicated off
    global_ld_requests,            ///< warp instructions that load from global memory, cp.async too
    global_ld_sectors,             ///< 32-byte sectors they request
    global_ld_sectors_ideal,       ///< sectors that hold as many bytes as they load
    global_st_requests,            ///< warp instructions that store to global memory
    global_st_sectors,             ///< 32-byte sectors they write to
    global_st_sectors_ideal,       ///< sectors that hold as many bytes as they store
    shared_ld_inst,                ///< warp instructions that load from shared memory
    shared_ld_wavefronts,          ///< passes through the banks that they take
    shared_ld_wavefronts_ideal,    ///< passes that they would take without bank conflicts
    shared_ld_conflicts,           ///< the difference
    shared_st_inst,                ///< warp instructions that store to shared memory
    shared_st_wavefronts,          ///< passes through the banks that they take
    shared_st_wavefronts_ideal,    ///< passes that they would take without bank conflicts
    shared_st_conflicts,           ///< the difference
    global_atomic_requests,        ///< atom and red on global memory
    global_atomic_sectors,         ///< 32-byte sectors they touch
    shared_atomic_inst,            ///< atom and red on shared memory
    async_copy_requests,           ///< cp.async that read global memory; also in global_ld_requests
    async_copy_sectors,            ///< 32-byte sectors they request; also in global_ld_sectors
    branch_divergent,              ///< branches where active lanes chose different targets
    branch_uniform,                ///< branches where all active lanes chose the same
    barriers                       ///< warps arriving at a block barrier
};

/// Number of counters.
inline constexpr std::size_t counter_count = static_cast<std::size_t>(Counter::barriers) + 1;

/// How far a count can be trusted against hardware.
enum class Exactness : std::uint8_t {
    exact,     ///< equal to the hardware counter of this name
    ptx_level  ///< counted on PTX; ptxas merges, unrolls and predicates, so SASS differs
};

/// Name, meaning and trust of one counter.
struct CounterInfo {
    std::string_view name;         ///< Nsight Compute's base name where it has one
    std::string_view description;  ///< what is counted, in words for a table
    Exactness exactness;           ///< how far to trust it
};

/// Name, meaning and trust of a counter.
const CounterInfo& info(Counter counter);

/// One value for each counter.
class CounterSet {
public:
    /// The value of one counter.
    std::uint64_t& operator[](Counter counter) { return values_[static_cast<std::size_t>(counter)]; }
    /// The value of one counter.
    std::uint64_t operator[](Counter counter) const { return values_[static_cast<std::size_t>(counter)]; }
    /// Adds counter by counter.
    CounterSet& operator+=(const CounterSet& other) {
        for (std::size_t i = 0; i < counter_count; ++i) values_[i] += other.values_[i];
        return *this;
    }
    /// True if all values are the same.
    bool operator==(const CounterSet&) const = default;

private:
    std::array<std::uint64_t, counter_count> values_{};
};

/// Counts of one source line: the innermost frame in the user's own files.
struct LineCounters {
    std::string file;        ///< as the compiler was given it; empty for code without line information
    std::uint32_t line = 0;  ///< 0 without line information
    CounterSet counters;     ///< of all operations of the line
};

}  // namespace lanes::emulator
