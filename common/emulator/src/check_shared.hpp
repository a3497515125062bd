/// @file
/// @brief Races and unset reads in the shared memory of the block that a worker runs.
///
/// Three records a word of four bytes: the last write, and reads of two different threads. Two readers are enough to
/// find a writer's race with either, whoever the writer is. Nothing is cleared between blocks: times tell what is old.
#pragma once

#include "check_clock.hpp"
#include "check_findings.hpp"
#include "check_records.hpp"

#include <lanes/emulator/checks.hpp>

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
        std::vector<Key> keys;
        std::vector<Detail> details;
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
        bool contiguous = false;  ///< all lanes, one word each, lane i at first[0] + i; the rest is not set
        bool uniform = false;     ///< a read by all lanes of the words at first[0]; the rest is not set
    };
    /// One lane's touch of one word.
    struct Touch {
        const Access& access;
        unsigned lane;
        std::uint32_t word;
        ByteMask bytes;
    };

    Limits limits_of(const Warp& warp) const;
    Key key_limit(Time time) const;
    Key block_limit() const;
    static Words words_of(const Access& access);
    static bool is_before(Key key, const Limits& limits, Key thread);

    template <bool contiguous>
    bool read_fast(const Words& words, const Limits& limits, Detail detail);
    template <bool contiguous>
    bool write_fast(const Words& words, const Limits& limits, Detail detail);
    bool read_uniform(const Words& words, const Limits& limits, Detail detail);
    void remember_row(std::uint32_t first_word, const Limits& limits, Detail detail);
    void remember_reader(std::size_t word, const Limits& limits, Key thread, Detail detail);
    void remember_readers(const Words& words, std::uint32_t element, const Limits& limits, Detail detail);

    bool visit_fast(const Access& access);
    void visit(const Access& access);
    void visit_word(const Touch& touch, const Limits& limits);
    void check_unset(const Touch& touch, const Limits& limits);
    void check_against(const Touch& touch, const Records& records, bool wrote, const Limits& limits);
    void remember_write(const Touch& touch, const Limits& limits);
    bool writes_same_value(const Touch& touch, unsigned other_thread, const Limits& limits) const;
    void report(const Touch& touch, const Party& other);
    void renumber();

    const Block& block_;
    const BlockClock& clock_;
    Checks checks_;
    Findings& findings_;
    Records writes_;
    Records reads_;
    Records other_reads_;
    Time origin_;           ///< time 0 of keys
    bool partial_ = false;  ///< parts of words were written in this block
};

}  // namespace lanes::emulator
