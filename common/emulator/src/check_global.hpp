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

/// Workers share the records of words on purpose: two that meet in one is what the check looks for. Each record is one
/// aligned 64-bit word, so it is seen whole.
#define LANES_SHARED_RECORDS __attribute__((no_sanitize("thread")))

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
    /// What `on_access` does, lane by lane and word by word. It does so itself unless the access is of a common kind.
    void visit(const Access& access);
    /// The block published what it did.
    void publish(Time time);
    /// The block learnt what others published.
    void acquire() { acquired_ = true; }

private:
    using Key = std::uint64_t;

    /// Which keys lie before what a warp does now.
    struct Limits {
        Key launch = 0;                ///< lower: of a launch before
        Key block = 0;                 ///< lower: not of this block
        Key floor = 0;                 ///< lower, and of this block: before this access
        Key own = 0;                   ///< lower, and of this block and warp: before this access
        Key worker = 0;                ///< bits of this worker
        Key warp = 0;                  ///< thread number of lane 0
        Key now = 0;                   ///< time and worker of this access
        std::uint32_t first_time = 0;  ///< of the launch
    };
    /// A region that an operation touched recently.
    struct Recent {
        Region* region = nullptr;
        MemoryRange range;
        MemoryRange written;  ///< by the host
    };
    /// An access of whole words to one region.
    struct Plain {
        const Access& access;
        Region& region;
        Key detail = 0;      ///< bits of line, bytes and strength
        Key valid_bits = 0;  ///< of a write's record: must be there, or the read is one of unset memory
    };
    /// The words an access touches, lane by lane.
    struct Words {
        alignas(64) std::array<std::uint64_t, warp_size> first;   ///< of each lane
        alignas(64) std::array<std::uint64_t, warp_size> active;  ///< all ones for a lane that takes part, or 0
        std::uint32_t count = 1;                                  ///< of each lane
    };
    /// Words that neighbouring lanes touch, side by side.
    struct Row {
        std::uint64_t first_word = 0;
        Key first_thread = 0;
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
    const Limits& limits_of(const Warp& warp);
    Limits find_limits(std::uint32_t warp) const;
    static Key before(Key key, const Limits& limits, Key thread);
    static Key next_reader(Key record, Key mine, const Limits& limits, Key thread);
    static Key record_of(const Limits& limits, Key thread, Key detail);
    Recent& recent_of(const Access& access, std::uint64_t address);
    bool visit_plain(const Recent& recent, const Access& access);

    // check_global_rows.cpp: accesses in rows
    static bool visit_rows(const Plain& plain, const Limits& limits);
    template <unsigned lanes, unsigned lane_words>
    static bool lie_before(const Key* records, const Row& row, const Limits& limits, Key valid_bits);
    template <unsigned lanes, unsigned lane_words>
    static bool may_read_row(const Plain& plain, const Row& row, const Limits& limits);
    template <unsigned lanes, unsigned lane_words>
    static bool read_row(const Plain& plain, const Row& row, const Limits& limits);
    template <unsigned lanes, unsigned lane_words>
    static bool may_write_row(const Plain& plain, const Row& row, const Limits& limits);
    template <unsigned lanes, unsigned lane_words>
    static bool write_row(const Plain& plain, const Row& row, const Limits& limits);
    static bool may_read_together(const Plain& plain, const Row& row, const Limits& limits);
    static bool read_together(const Plain& plain, const Row& row, const Limits& limits);

    // check_global_lanes.cpp: accesses of lanes anywhere
    static bool visit_lanes(const Plain& plain, const Limits& limits);
    static Words words_of(const Plain& plain);
    static bool do_lanes_meet(const Plain& plain, const Words& words, const Limits& limits);
    static void add_words(const Words& words, TouchedParts& touched, std::uint32_t launch);
    static bool read_lanes(const Plain& plain, const Words& words, const Limits& limits);
    static bool write_lanes(const Plain& plain, const Words& words, const Limits& limits);

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
    Limits limits_{};                   ///< what `find_limits` said last
    std::uint64_t limits_changes_ = 0;  ///< changes of the clock at that time
    std::uint32_t limits_warp_ = 0;     ///< and for which warp
    std::uint32_t worker_;
    Findings& findings_;
    std::array<Recent, 16> recent_{};  ///< by index of the operation
    std::uint64_t generation_ = 0;     ///< of the device memory when they were found
    bool acquired_ = false;            ///< in this block
};

/// All ones if a recorded access lies before what a thread does now, 0 if not. Branch-free and as wide as a key, so
/// that loops over lanes vectorise.
[[gnu::always_inline]] LANES_SHARED_RECORDS inline GlobalCheck::Key GlobalCheck::before(Key key, const Limits& limits,
                                                                                        Key thread) {
    constexpr Key thread_bits = GlobalRecord::thread_bits << GlobalRecord::thread_shift;
    constexpr Key warp_bits = thread_bits & ~(Key{warp_size - 1} << GlobalRecord::thread_shift);
    const Key other = key ^ (limits.worker | thread << GlobalRecord::thread_shift);
    const Key by_warp = Key{0} - Key{(other & warp_bits) == 0};
    const Key by_thread = Key{0} - Key{(other & thread_bits) == 0};
    const Key by_worker = Key{0} - Key{(other & GlobalRecord::worker_bits) == 0};
    const Key since_launch = Key{0} - Key{key >= limits.launch};
    const Key since_block = Key{0} - Key{key >= limits.block};
    const Key before_floor = Key{0} - Key{key < limits.floor};
    const Key before_own = Key{0} - Key{key < limits.own};
    return ~since_launch | (since_block & by_worker & (before_floor | by_thread | (by_warp & before_own)));
}

/// Which reader to remember. A reader of another block or thread is kept once there are several: the writer to come is
/// more often the last one that reads.
[[gnu::always_inline]] LANES_SHARED_RECORDS inline GlobalCheck::Key GlobalCheck::next_reader(Key record, Key mine,
                                                                                             const Limits& limits,
                                                                                             Key thread) {
    const Key several = Key{0} - (record & GlobalRecord::several);
    const Key since_block = Key{0} - Key{record >= limits.block};
    const Key by_worker = Key{0} - Key{(record & GlobalRecord::worker_bits) == limits.worker};
    const Key kept = several | ~(since_block & by_worker);
    const Key replaced = before(record, limits, thread);
    const Key other = (record & kept) | (mine & ~kept) | GlobalRecord::several;
    return (mine & replaced) | (other & ~replaced);
}

/// The record of an access by a thread.
[[gnu::always_inline]] LANES_SHARED_RECORDS inline GlobalCheck::Key GlobalCheck::record_of(const Limits& limits,
                                                                                           Key thread, Key detail) {
    return limits.now | thread << GlobalRecord::thread_shift | detail;
}

}  // namespace lanes::emulator
