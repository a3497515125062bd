/// @file
/// @brief What the checks of one worker found, each pair of lines once.
#pragma once

#include "check_records.hpp"
#include "execution.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lanes::emulator {

/// What a thread did to memory, for messages.
enum class Action : std::uint8_t { read, write, atomic, copy };

/// One thread's part in a finding.
struct Party {
    unsigned thread = 0;
    std::uint32_t line = 0;  ///< index into Program::lines
    Action action = Action::read;
    std::uint64_t block = 0;     ///< number of the block
    std::uint32_t worker = 0;    ///< if `block_unknown`: the worker that ran the block
    Time time = 0;               ///< if `block_unknown`: when
    bool block_unknown = false;  ///< the block is that which `worker` ran at `time`
};

/// A race, or a read of unset memory.
struct Finding {
    FaultKind kind = FaultKind::race_shared;
    Party now;          ///< whose access showed it
    Party other;        ///< whose access was there before; not of an uninitialized_read
    std::string place;  ///< "shared As + 144 bytes"
    std::uint64_t occurrences = 1;
};

/// Collects findings. A worker's blocks come in ascending order, so the first finding of each kind and pair of lines is
/// the one in its lowest block.
class Findings {
public:
    /// Counts a repetition.
    /// @return false if nothing is known of this kind and pair of lines: then `add` it
    bool repeats(FaultKind kind, std::uint32_t line, std::uint32_t other_line);
    void add(Finding finding);
    /// Adds those of another worker; of the same kind and lines, the one in the lower block is kept.
    void merge(const Findings& others);
    std::vector<Finding> all() const;

private:
    using Key = std::tuple<FaultKind, std::uint32_t, std::uint32_t>;
    static Key key_of(FaultKind kind, std::uint32_t line, std::uint32_t other_line);

    std::map<Key, Finding> findings_;
};

/// The place in shared memory, as a message names it: "shared As + 144 bytes".
std::string shared_place(const Program& program, std::uint64_t offset);

/// The place in device memory, as a message names it: "byte 144 of a 400-byte allocation". Without its address, which
/// is another one in every run.
std::string global_place(const DeviceMemory& memory, std::uint64_t address);

/// The fault that tells of a finding whose blocks are known.
Fault fault_of(const Finding& finding, const LaunchState& launch);

}  // namespace lanes::emulator
