/// @file
/// @brief What the checks remember of device memory: who touched each word, and what the host wrote.
///
/// Two 64-bit records a word of four bytes, allocated with calloc: pages that nothing touched cost nothing.
#pragma once

#include "check_clock.hpp"

#include <lanes/emulator/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
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
    std::uint64_t* readers() const { return records_.get() + words_; }
    /// False if the host ran out of memory: then nothing is recorded.
    bool valid() const { return records_ != nullptr; }

    bool tracks_unset = false;  ///< reading what nobody wrote is a fault; set before any launch uses the region
    WrittenRanges written;      ///< guarded by RegionTable's mutex

private:
    struct Free {
        void operator()(std::uint64_t* records) const { std::free(records); }
    };
    MemoryRange range_;
    std::uint64_t first_word_;
    std::size_t words_;
    std::unique_ptr<std::uint64_t, Free> records_;
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

    mutable std::mutex mutex_;                      // guards all below
    Table regions_;                                 // by first address
    std::vector<std::unique_ptr<Region>> retired_;  // a launch may still use them
    bool in_launch_ = false;
    std::uint64_t next_time_ = first_launch_time;
};

}  // namespace lanes::emulator
