/// @file
/// @brief Races and unset reads in the shared memory of the block that a worker runs.
///
/// Three records a word of four bytes: the last write, and reads of two different threads. Two readers are enough to
/// find a writer's race with either, whoever the writer is. Nothing is cleared between blocks: times tell what is old.
#pragma once

#include "check_clock.hpp"
#include "check_findings.hpp"
#include "check_records.hpp"
#include "line_allocator.hpp"

#include <lanes/emulator/checks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanes::emulator {

/// Watches shared memory.
class SharedCheck {
public:
    SharedCheck(const Block& block, const BlockClock& clock, Checks checks, Findings& findings);

    /// A new block: its shared memory is unset.
    void start_block();
    void on_access(const Access& access);
    /// What `on_access` does, lane by lane and word by word. It does so itself unless the access is of a common kind.
    void visit(const Access& access);

private:
    /// From the top: 22 bits of time since `origin_`, 10 of the thread.
    using Key = std::uint32_t;
    /// From the top: 20 bits of line, 4 of bytes written so far by anybody, 4 of bytes touched, 2 of strength.
    using Detail = std::uint32_t;

    static constexpr Key thread_bits = 1023;
    static constexpr unsigned time_shift = 10;
    static constexpr Time before_time = 1;  ///< of what `renumber` found
    static constexpr Time first_time = 2;
    static constexpr Time pending_time = (1U << 22) - 1;  ///< of words that a cp.async may write at any moment
    static constexpr Key pending = static_cast<Key>(pending_time << time_shift);

    /// Records of one kind, one each word.
    struct Records {
        std::vector<Key, LineAllocator<Key>> keys;
        std::vector<Detail, LineAllocator<Detail>> details;
    };
    /// Which keys lie before what a warp does now.
    struct Limits {
        Key block = 0;  ///< lower: of a block before
        Key floor = 0;  ///< lower: before this access, whoever it was
        Key own = 0;    ///< lower, and of this warp: before this access
        Key warp = 0;   ///< thread number of lane 0
        Key now = 0;    ///< time of this access
    };
    /// The words an access touches, lane by lane.
    struct Words {
        alignas(64) std::array<std::uint32_t, warp_size> first;   ///< of each lane
        alignas(64) std::array<std::uint32_t, warp_size> active;  ///< all ones for a lane that takes part, or 0
        std::uint32_t count = 1;                                  ///< of each lane
    };
    /// Words that neighbouring lanes touch, side by side.
    struct Row {
        std::uint32_t first_word = 0;
        Key first_thread = 0;
        unsigned lanes = 0;            ///< 8, 16 or 32
        std::uint32_t lane_words = 1;  ///< of each lane: 1, 2 or 4
    };
    /// One lane's touch of one word.
    struct Touch {
        const Access& access;
        unsigned lane;
        std::uint32_t word;
        ByteMask bytes;
    };

    bool is_of_the_system(const Access& access) const;
    const Limits& limits_of(const Warp& warp);
    Limits find_limits(std::uint32_t warp) const;
    void note_write(const Limits& limits) { latest_write_ = std::max(latest_write_, limits.now | thread_bits); }
    Key key_limit(Time time) const;
    Key block_limit() const;
    static Key before(Key key, const Limits& limits, Key thread);

    // check_shared_rows.cpp: accesses in rows
    bool visit_rows(const Access& access, const Limits& limits, Detail detail);
    template <unsigned lanes, unsigned lane_words, bool settled>
    bool read_row(const Row& row, const Limits& limits, Detail detail);
    template <unsigned lanes, unsigned lane_words>
    bool may_write_row(const Row& row, const Limits& limits) const;
    template <unsigned lanes, unsigned lane_words>
    bool write_row(const Row& row, const Limits& limits, Detail detail);
    bool read_together(const Row& row, const Limits& limits, Detail detail);

    // check_shared_lanes.cpp: accesses of lanes anywhere
    bool visit_lanes(const Access& access, const Limits& limits, Detail detail);
    static Words words_of(const Access& access);
    bool do_lanes_meet(const Words& words, const Limits& limits);
    bool read_lanes(const Words& words, const Limits& limits, Detail detail);
    bool write_lanes(const Words& words, const Limits& limits, Detail detail);
    void remember_readers(const Words& words, std::uint32_t element, const Limits& limits, Detail detail);

    void remember_reader(std::size_t word, const Limits& limits, Key thread, Detail detail);
    void visit_word(const Touch& touch, const Limits& limits);
    void check_unset(const Touch& touch, const Limits& limits);
    void check_against(const Touch& touch, const Records& records, bool wrote, const Limits& limits);
    void remember_write(const Touch& touch, const Limits& limits);
    bool writes_same_value(const Touch& touch, unsigned other_thread, const Limits& limits) const;
    void report(const Touch& touch, const Party& other);
    void renumber();

    const Block& block_;
    const BlockClock& clock_;
    Limits limits_{};                   ///< what `find_limits` said last
    std::uint64_t limits_changes_ = 0;  ///< changes of the clock at that time
    std::uint32_t limits_warp_ = 0;     ///< and for which warp
    Checks checks_;
    Findings& findings_;
    Records writes_;
    Records reads_;
    Records other_reads_;
    Time origin_;                 ///< time 0 of keys
    Key latest_write_ = pending;  ///< no write's key has a later time
    bool partial_ = false;        ///< parts of words were written in this block
};

/// All ones if a recorded access lies before what a thread does now, 0 if not. Branch-free and as wide as a key, so
/// that loops over lanes vectorise.
inline SharedCheck::Key SharedCheck::before(Key key, const Limits& limits, Key thread) {
    const auto mask = [](bool condition) { return Key{0} - Key{condition}; };
    const Key other = key ^ thread;
    const Key by_warp = mask((other & (thread_bits & ~(warp_size - 1))) == 0);
    const Key by_thread = mask((other & thread_bits) == 0);
    return (mask(key < limits.floor) | by_thread | (by_warp & mask(key < limits.own))) & mask(key < pending);
}

}  // namespace lanes::emulator
