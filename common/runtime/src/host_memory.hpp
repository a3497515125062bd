/// @file
/// @brief Memory that host and device share: pinned, registered and managed.
///
/// Device memory has host addresses, so the emulator needs no copies and no second address; this table remembers what
/// kind an allocation is, because the CUDA calls tell them apart.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace lanes::runtime {

/// Kinds of memory that are not plain device memory.
enum class SharedKind : std::uint8_t { pinned, registered, managed };

/// What is known of such an allocation.
struct SharedMemory {
    SharedKind kind = SharedKind::pinned;  ///< pinned, registered or managed
    unsigned flags = 0;                    ///< of cudaHostAlloc or cudaHostRegister
};

/// The table of all such allocations, by the address they start at. Safe to use from several threads.
class SharedMemoryTable {
public:
    /// Adds an allocation.
    void add(std::uint64_t address, SharedMemory memory) {
        const std::lock_guard lock(mutex_);
        allocations_[address] = memory;
    }

    /// The allocation that starts at an address.
    std::optional<SharedMemory> find(std::uint64_t address) const {
        const std::lock_guard lock(mutex_);
        const auto found = allocations_.find(address);
        if (found == allocations_.end()) return std::nullopt;
        return found->second;
    }

    /// Removes an allocation if it is of the kind given.
    /// @return false if there is none of that kind
    bool remove(std::uint64_t address, SharedKind kind) {
        const std::lock_guard lock(mutex_);
        const auto found = allocations_.find(address);
        if (found == allocations_.end() || found->second.kind != kind) return false;
        allocations_.erase(found);
        return true;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, SharedMemory> allocations_;
};

}  // namespace lanes::runtime
