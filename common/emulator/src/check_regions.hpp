/// @file
/// @brief What the checks remember of device memory: who touched each word, and what the host wrote.
///
/// Two 64-bit records a word of four bytes. Pages of records that nothing touched cost no memory.
#pragma once

#include "check_clock.hpp"

#include <lanes/emulator/memory.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lanes::emulator {

/// Disjoint ranges of addresses that the host has written.
class WrittenRanges {
public:
    void add(MemoryRange range);
    /// The range that holds `address`; empty if none does.
    MemoryRange find(std::uint64_t address) const;

private:
    std::map<std::uint64_t, std::uint64_t> ranges_;  // end by begin; never adjacent
};

/// Which parts of an allocation the kernel of a launch has touched in one way. There are few parts, however large the
/// allocation is: to know that none of a part was touched saves looking at its records. Any worker may add and ask.
class TouchedParts {
public:
    explicit TouchedParts(std::size_t words) {
        while (words >> shift_ >= parts) ++shift_;
    }
    /// @param launch  when it began, not 0
    void add(std::uint64_t first_word, std::uint64_t last_word, std::uint32_t launch) {
        for (std::uint64_t part = first_word >> shift_; part <= last_word >> shift_; ++part)
            if (__atomic_load_n(&launches_[part], __ATOMIC_RELAXED) != launch)
                __atomic_store_n(&launches_[part], launch, __ATOMIC_RELAXED);
    }
    /// False only if none of the words was touched.
    bool may_hold(std::uint64_t first_word, std::uint64_t last_word, std::uint32_t launch) const {
        for (std::uint64_t part = first_word >> shift_; part <= last_word >> shift_; ++part)
            if (__atomic_load_n(&launches_[part], __ATOMIC_RELAXED) == launch) return true;
        return false;
    }
    void clear() { launches_ = {}; }

private:
    static constexpr std::size_t parts = 64;
    unsigned shift_ = 10;                          ///< logarithm of the words of a part
    std::array<std::uint32_t, parts> launches_{};  ///< the last that touched it
};

/// Records of the words of one allocation. Workers read and write them without a lock.
class Region {
public:
    explicit Region(MemoryRange range);
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;

    MemoryRange range() const { return range_; }
    std::size_t words() const { return words_; }
    /// Index of the word that holds an address.
    std::uint64_t word_of(std::uint64_t address) const { return (address - first_word_) / 4; }
    /// The last write of each word.
    std::uint64_t* writers() const { return records_.get(); }
    /// A read of each word.
    std::uint64_t* readers() const { return records_.get() + stride_; }
    /// False if the host ran out of memory: then nothing is recorded.
    bool valid() const { return records_ != nullptr; }

    bool tracks_unset = false;  ///< reading what nobody wrote is a fault; set before any launch uses the region
    WrittenRanges written;      ///< guarded by RegionTable's mutex
    TouchedParts kernel_wrote;  ///< where `writers` has records of this launch
    TouchedParts kernel_read;   ///< where `readers` has records of this launch

private:
    struct Free {
        std::size_t mapped_bytes = 0;  ///< 0: from calloc
        void operator()(std::uint64_t* records) const;
    };
    using Records = std::unique_ptr<std::uint64_t, Free>;
    static Records make_records(std::size_t count);

    MemoryRange range_;
    std::uint64_t first_word_;
    std::size_t words_;
    std::size_t stride_;  // from a word's writer to its reader: whole cache lines
    Records records_;
};

/// The regions of a DeviceMemory. Safe to use from several host threads.
class RegionTable {
public:
    /// The region around an address, made if the allocation has none yet; nullptr if the address is in no allocation.
    Region* at(const DeviceMemory& memory, std::uint64_t address);
    /// The host-written range of a region that holds `address`.
    MemoryRange written(const Region& region, std::uint64_t address) const;
    /// See lanes::emulator::mark_unset and its kin.
    void mark_unset(const DeviceMemory& memory, std::uint64_t address);
    void mark_written(std::uint64_t address, std::uint64_t bytes);
    void mark_copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
    bool is_written(std::uint64_t address, std::uint64_t bytes) const;
    /// The allocation that begins at `address` is gone.
    void forget(std::uint64_t address);

    /// Starts recording times for one launch; false if another launch is doing so.
    /// @param first  written: times of this launch are at least this
    bool begin_launch(std::uint64_t& first);
    /// Ends it. Later launches begin at `next`.
    void end_launch(std::uint64_t next);

private:
    using Table = std::map<std::uint64_t, std::unique_ptr<Region>>;

    Table::const_iterator holder(std::uint64_t address) const;
    MemoryRange run_at(std::uint64_t address, std::uint64_t end, bool& written) const;
    void add_written(std::uint64_t address, std::uint64_t bytes);
    void retire(Table::iterator region);
    void restart_times();

    mutable Mutex mutex_;                           // guards all below
    Table regions_;                                 // by first address
    std::vector<std::unique_ptr<Region>> retired_;  // a launch may still use them
    bool in_launch_ = false;
    std::uint64_t next_time_ = first_launch_time;
};

}  // namespace lanes::emulator
