/// @file
/// @brief Which checks a launch runs, and what the checks want to hear of device memory.
#pragma once

#include <lanes/emulator/memory.hpp>
#include <lanes/emulator/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::emulator {

/// A check that can be chosen. Bounds, alignment, use after free, barriers and member masks are always checked.
enum class Check : std::uint8_t {
    race_shared,         ///< accesses of two threads to shared memory, in no order
    race_global,         ///< accesses of two threads to device memory, in no order
    uninitialized_read,  ///< shared or device memory read before anything wrote it
    same_value_writes,   ///< races also where both threads write the same value
    leaks                ///< device memory still allocated at the end of the process
};

/// Set of checks.
class Checks {
public:
    /// Races on shared and on device memory, and unset memory: what a launch runs unless told otherwise.
    static Checks all();
    /// Only what is always checked.
    static Checks none() { return {}; }

    /// Whether a check is in the set.
    bool has(Check check) const { return (bits_ >> static_cast<unsigned>(check) & 1U) != 0; }
    /// Adds a check.
    void add(Check check) { bits_ |= std::uint32_t{1} << static_cast<unsigned>(check); }
    /// Adds every check of another set.
    void add(Checks checks) { bits_ |= checks.bits_; }
    /// True if both hold the same checks.
    bool operator==(const Checks&) const = default;

private:
    std::uint32_t bits_ = 0;
};

/// Reads a choice of checks.
/// @param text  "all", "none", or names with commas between: race_shared, race_global, races (both),
/// uninitialized_read, same_value_writes, leaks, bounds (always on), all
/// @return the set, or an error that quotes the name it does not know
Result<Checks> parse_checks(std::string_view text);

/// The names of a set with commas between, as `parse_checks` reads them; "none" if it is empty.
std::string name_of(Checks checks);

/// From now on, reading any byte of this allocation is an uninitialized_read until a kernel or `mark_written` wrote it.
/// For memory of cudaMalloc: the host cannot write that behind the runtime's back.
/// @param memory  the table that has the allocation
/// @param address  its first byte
void mark_unset(DeviceMemory& memory, std::uint64_t address);

/// The host wrote these bytes: a copy or a fill. Bytes outside allocations that `mark_unset` named are ignored.
void mark_written(DeviceMemory& memory, std::uint64_t address, std::uint64_t bytes);

/// The host copied `bytes` of device memory: what is written of the source is written of the destination from now on,
/// and no more.
/// @param memory  the table that has both
/// @param to  address of the destination
/// @param from  address of the source; memory that is in no allocation counts as written
/// @param bytes  how many
void mark_copied(DeviceMemory& memory, std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

/// True unless reading some of these bytes would be an uninitialized_read.
bool is_written(DeviceMemory& memory, std::uint64_t address, std::uint64_t bytes);

/// One sentence for each allocation that is still live, variables and the host's own memory aside.
std::vector<std::string> describe_leaks(const DeviceMemory& memory);

}  // namespace lanes::emulator
