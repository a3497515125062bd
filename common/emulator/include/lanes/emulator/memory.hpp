/// @file
/// @brief Device memory: allocations that know their bounds.
#pragma once

#include <lanes/emulator/locks.hpp>
#include <lanes/emulator/result.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lanes::emulator {

/// What unset device memory holds, again and again: a NaN as half, bfloat16, float and double, and absurd as an integer
/// (32,765 as a short, 2,147,319,805 as an int).
inline constexpr std::uint16_t unset_pattern = 0x7ffd;

/// Memory from `begin` up to, not including, `end`. Empty if they are equal.
struct MemoryRange {
    std::uint64_t begin = 0;  ///< address of the first byte
    std::uint64_t end = 0;    ///< address behind the last byte

    /// True if all of [address, address + bytes) lies inside.
    bool contains(std::uint64_t address, std::uint64_t bytes) const {
        return address >= begin && address < end && bytes <= end - address;
    }
    /// True if both begin and end alike.
    bool operator==(const MemoryRange&) const = default;
};

class RegionTable;  // what the checks know of device memory: private to the emulator

/// A range of device memory. A device address is the host address of the same byte, so that managed and pinned
/// memory need no translation; bounds are enforced by this table and not by the host.
struct Allocation {
    std::uint64_t address = 0;  ///< of the first byte
    std::uint64_t bytes = 0;    ///< 0: there is no such allocation
    std::string name;           ///< a variable's name; empty for memory of cudaMalloc
    bool freed = false;         ///< kept for a while, so that a use after free can be named as one
    bool adopted = false;       ///< the host's own memory: see DeviceMemory::adopt
    bool given_back = false;    ///< freed so long ago that the host may have put memory of its own there
};

/// The table of all device memory of one process. Safe to use from several host threads.
///
/// Unallocated red zones lie before and behind each allocation, so that running over its edge never lands in a
/// neighbour. Freed memory goes back to the host late, so that its addresses are not soon used again.
class DeviceMemory {
public:
    /// Allocations up to this size are filled with `unset_pattern`. Of larger ones only this many bytes at either end
    /// are: filling the rest would cost real memory for pages that a program may never touch. Those pages are as the
    /// host gives them, mostly zeros.
    static constexpr std::uint64_t unset_fill_bytes = std::uint64_t{4} << 20;

    DeviceMemory();
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// Total bytes that may be allocated at once: what the emulated device has. Adopted memory is not counted.
    void set_capacity(std::uint64_t bytes);
    /// What set_capacity() was told.
    std::uint64_t capacity() const;
    /// Bytes of all live allocations, adopted ones aside.
    std::uint64_t used() const;

    /// Allocates `bytes` > 0 at an alignment of at least 256, as cudaMalloc does. The contents are unset: see
    /// `unset_pattern` and `unset_fill_bytes`.
    /// @param bytes  size; an error if it is 0 or more than the capacity leaves
    /// @param name  the variable that lives there, or empty
    /// @param alignment  a power of two; smaller ones count as 256
    /// @return the address
    Result<std::uint64_t> allocate(std::uint64_t bytes, std::string name = {}, std::uint64_t alignment = 256);

    /// Frees what `allocate` returned; false if `address` is not the start of a live allocation.
    bool release(std::uint64_t address);

    /// Adds memory that the host owns (pinned, registered, managed) to the table; false if `bytes` is 0 or part of it
    /// is in the table already.
    bool adopt(std::uint64_t address, std::uint64_t bytes, std::string name = {});
    /// Takes adopted memory out again; false if `address` is not the start of an adopted range.
    bool disown(std::uint64_t address);

    /// The allocation that holds `address`, live or remembered as freed; its `bytes` is 0 if there is none.
    Allocation find(std::uint64_t address) const;
    /// The live allocation nearest to `address`, for messages such as "4 bytes past the end of a 400-byte allocation";
    /// its `bytes` is 0 if nothing is live.
    Allocation nearest(std::uint64_t address) const;
    /// Where the live allocation that holds `address` begins and ends; empty if there is none.
    MemoryRange range(std::uint64_t address) const;
    /// True if all of [address, address + bytes) lies in one live allocation.
    bool contains(std::uint64_t address, std::uint64_t bytes) const;
    /// Live allocations, by address.
    std::vector<Allocation> live() const;

    /// Changes whenever memory is freed or disowned: ranges seen before may be stale.
    std::uint64_t generation() const { return generation_.load(std::memory_order_acquire); }

    /// For the emulator's checks.
    RegionTable& regions() const { return *regions_; }

private:
    struct Entry {
        Allocation allocation;
        void* host_block = nullptr;  // what std::malloc gave, red zones included; null if adopted or given back
    };
    using Table = std::map<std::uint64_t, Entry>;

    Table::const_iterator holder(const Table& table, std::uint64_t address) const;
    bool overlaps_live(std::uint64_t address, std::uint64_t bytes) const;
    void remember_freed(Entry entry);
    void give_back(Entry& freed);
    void forget_freed(std::uint64_t address, std::uint64_t bytes);

    mutable SharedMutex mutex_;  // guards all below
    Table live_;
    Table freed_;
    std::deque<std::uint64_t> freed_order_;  // oldest first; may name entries that are forgotten
    std::size_t given_back_ = 0;             // so many of the oldest went back to the host
    std::uint64_t kept_bytes_ = 0;           // freed but not yet given back to the host
    std::uint64_t capacity_ = std::uint64_t{16} << 30;
    std::uint64_t used_ = 0;
    std::atomic<std::uint64_t> generation_{1};
    std::unique_ptr<RegionTable> regions_;
};

}  // namespace lanes::emulator
