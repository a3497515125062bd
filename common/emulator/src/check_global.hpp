/// @file
/// @brief Races and unset reads in device memory, within a block and between the blocks of a launch.
///
/// Two records a word, shared by all workers: the last write, and a read. Blocks of one launch are unordered, except
/// that a block which published something (a fence, a store to a flag) is taken to be ordered before a block that has
/// acquired something since: too many orders rather than a false alarm.
#pragma once

#include "check_clock.hpp"
#include "check_findings.hpp"
#include "check_records.hpp"
#include "check_regions.hpp"

#include <lanes/emulator/checks.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace lanes::emulator {

/// What the workers of a launch share about device memory.
struct GlobalLaunch {
    RegionTable& regions;
    DeviceMemory& memory;
    const Program& program;
    Checks checks;
    Time first_time = first_launch_time;  ///< of this launch
    bool records_times = true;            ///< false: only which bytes were written
    /// By worker: when a block of it last published something.
    std::array<std::atomic<Time>, GlobalRecord::workers> published{};
};

/// Watches device memory, for one worker.
class GlobalCheck {
public:
    GlobalCheck(GlobalLaunch& launch, const Block& block, const BlockClock& clock, std::uint32_t worker,
                Findings& findings);

    void start_block() { acquired_ = false; }
    void on_access(const Access& access);
    /// The block published what it did.
    void publish(Time time);
    /// The block learnt what others published.
    void acquire() { acquired_ = true; }

private:
    using Key = std::uint64_t;

    /// Which keys lie before what a warp does now.
    struct Limits {
        Key launch = 0;  ///< lower: of a launch before
        Key block = 0;   ///< lower: not of this block
        Key floor = 0;   ///< lower, and of this block: before this access
        Key own = 0;     ///< lower, and of this block and warp: before this access
        Key worker = 0;  ///< bits of this worker
        Key warp = 0;    ///< thread number of lane 0
        Key now = 0;     ///< time and worker of this access
    };
    /// A region that an operation touched recently.
    struct Recent {
        Region* region = nullptr;
        MemoryRange range;
        MemoryRange written;  ///< by the host
    };
    /// The words an access touches, lane by lane.
    struct Words {
        alignas(64) std::array<std::uint64_t, warp_size> first;   ///< of each lane
        alignas(64) std::array<std::uint64_t, warp_size> active;  ///< all ones for a lane that takes part, or 0
        std::uint32_t count = 1;                                  ///< of each lane
        bool contiguous = false;       ///< all lanes, one word each, lane i at first[0] + i; the rest is not set
        std::uint64_t valid_bits = 0;  ///< of a write's record: must be there, or the read is one of unset memory
    };
    /// One lane's touch of one word.
    struct Touch {
        const Access& access;
        unsigned lane;
        Region& region;
        std::uint64_t address;  ///< of the first byte touched
        std::uint64_t word;
        ByteMask bytes;
    };

    bool records_times() const;
    Limits limits_of(const Warp& warp) const;
    static bool is_before(Key key, const Limits& limits, Key thread);
    Recent& recent_of(const Access& access, std::uint64_t address);
    bool covers(const Recent& recent, const Access& access) const;
    Words words_of(const Recent& recent, const Access& access) const;

    template <bool contiguous>
    bool read_fast(const Region& region, const Words& words, const Limits& limits, Key detail);
    template <bool contiguous>
    bool write_fast(const Region& region, const Words& words, const Limits& limits, Key detail);
    static Key next_reader(Key before, Key mine, const Limits& limits, Key thread);

    void visit(const Access& access);
    void visit_word(const Touch& touch, const Limits& limits);
    void check_unset(const Touch& touch);
    void check_against(const Touch& touch, Key key, bool wrote, const Limits& limits);
    bool is_published(const Record& record) const;
    bool writes_same_value(const Touch& touch, const Record& other, const Limits& limits) const;
    void remember_write(const Touch& touch, const Limits& limits);
    void report_race(const Touch& touch, const Party& other);

    GlobalLaunch& launch_;
    const Block& block_;
    const BlockClock& clock_;
    std::uint32_t worker_;
    Findings& findings_;
    std::array<Recent, 16> recent_{};  ///< by index of the operation
    std::uint64_t generation_ = 0;     ///< of the device memory when they were found
    bool acquired_ = false;            ///< in this block
};

}  // namespace lanes::emulator
