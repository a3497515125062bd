#include <lanes/emulator/memory.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "check_regions.hpp"

namespace lanes::emulator {
namespace {

constexpr std::uint64_t least_alignment = 256;
constexpr std::uint64_t least_red_zone = 512;
constexpr std::uint64_t largest_red_zone = std::uint64_t{64} << 10;
/// Freed memory is kept from the host up to this much in all, so that its addresses stay unused.
constexpr std::uint64_t keep_freed_bytes = std::uint64_t{64} << 20;
/// Anything larger goes back at once.
constexpr std::uint64_t largest_kept_bytes = keep_freed_bytes / 4;
/// What went back to the host is still known as freed, until its addresses serve again or this many were freed since.
constexpr std::size_t remember_freed_entries = 4096;

std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

std::uint64_t red_zone(std::uint64_t bytes) {
    return std::clamp(round_up(bytes / 4, least_alignment), least_red_zone, largest_red_zone);
}

std::byte* pointer(std::uint64_t address) {
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

void fill_unset(std::uint64_t address, std::uint64_t bytes) {
    const std::uint8_t pattern[2] = {unset_pattern & 0xff, unset_pattern >> 8};
    std::byte* const begin = pointer(address);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(bytes, sizeof pattern); ++i) begin[i] = std::byte{pattern[i]};
    // Each round copies what is filled already: the pattern doubles.
    for (std::uint64_t filled = sizeof pattern; filled < bytes; filled *= 2)
        std::memcpy(begin + filled, begin, std::min(filled, bytes - filled));
}

/// Fills small allocations whole and large ones at their ends: see DeviceMemory::unset_fill_bytes.
void fill_unset_edges(std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint64_t edge = DeviceMemory::unset_fill_bytes;
    if (bytes <= edge) return fill_unset(address, bytes);
    fill_unset(address, edge);
    const std::uint64_t rest = bytes - edge;
    const std::uint64_t tail = std::min(rest, edge);
    const std::uint64_t even = (bytes - tail) & ~std::uint64_t{1};  // keep the pattern's phase
    fill_unset(address + even, bytes - even);
}

std::uint64_t distance(const Allocation& allocation, std::uint64_t address) {
    if (address < allocation.address) return allocation.address - address;
    const std::uint64_t end = allocation.address + allocation.bytes;
    return address < end ? 0 : address - end;
}

}  // namespace

DeviceMemory::DeviceMemory() : regions_(std::make_unique<RegionTable>()) {}

DeviceMemory::~DeviceMemory() {
    for (const Table* table : {&live_, &freed_})
        for (const auto& [address, entry] : *table) std::free(entry.host_block);
}

void DeviceMemory::set_capacity(std::uint64_t bytes) {
    const WriteLock lock(mutex_);
    capacity_ = bytes;
}

std::uint64_t DeviceMemory::capacity() const {
    const ReadLock lock(mutex_);
    return capacity_;
}

std::uint64_t DeviceMemory::used() const {
    const ReadLock lock(mutex_);
    return used_;
}

Result<std::uint64_t> DeviceMemory::allocate(std::uint64_t bytes, std::string name, std::uint64_t alignment) {
    if (bytes == 0) return Error{"0 bytes of device memory were asked for; ask for at least 1"};
    if ((alignment & (alignment - 1)) != 0)
        return Error{"an alignment of " + std::to_string(alignment) + " was asked for; it must be a power of two"};
    const WriteLock lock(mutex_);
    if (bytes > capacity_ || used_ > capacity_ - bytes)
        return Error{std::to_string(bytes) + " bytes of device memory were asked for; " + std::to_string(used_) +
                     " of " + std::to_string(capacity_) + " are in use"};
    alignment = std::max(alignment, least_alignment);
    const std::uint64_t zone = red_zone(bytes);
    // std::malloc leaves the pages of large blocks untouched, so they cost nothing until a program uses them.
    void* const block = std::malloc(static_cast<std::size_t>(bytes + 2 * zone + alignment));
    if (block == nullptr)
        return Error{std::to_string(bytes) + " bytes of device memory were asked for; the host has not that much left"};
    const std::uint64_t address = round_up(reinterpret_cast<std::uintptr_t>(block) + zone, alignment);
    fill_unset_edges(address, bytes);
    forget_freed(address, bytes);
    live_.emplace(address, Entry{Allocation{address, bytes, std::move(name)}, block});
    used_ += bytes;
    return address;
}

bool DeviceMemory::release(std::uint64_t address) {
    const WriteLock lock(mutex_);
    const auto found = live_.find(address);
    if (found == live_.end() || found->second.allocation.adopted) return false;
    used_ -= found->second.allocation.bytes;
    generation_.fetch_add(1, std::memory_order_acq_rel);
    Entry entry = std::move(found->second);
    live_.erase(found);
    remember_freed(std::move(entry));
    regions_->forget(address);
    return true;
}

bool DeviceMemory::adopt(std::uint64_t address, std::uint64_t bytes, std::string name) {
    const WriteLock lock(mutex_);
    if (bytes == 0 || bytes > ~std::uint64_t{0} - address || overlaps_live(address, bytes)) return false;
    forget_freed(address, bytes);
    live_.emplace(address, Entry{Allocation{address, bytes, std::move(name), false, true}, nullptr});
    return true;
}

bool DeviceMemory::disown(std::uint64_t address) {
    const WriteLock lock(mutex_);
    const auto found = live_.find(address);
    if (found == live_.end() || !found->second.allocation.adopted) return false;
    generation_.fetch_add(1, std::memory_order_acq_rel);
    live_.erase(found);
    regions_->forget(address);
    return true;
}

Allocation DeviceMemory::find(std::uint64_t address) const {
    const ReadLock lock(mutex_);
    if (const auto found = holder(live_, address); found != live_.end()) return found->second.allocation;
    if (const auto found = holder(freed_, address); found != freed_.end()) return found->second.allocation;
    return {};
}

Allocation DeviceMemory::nearest(std::uint64_t address) const {
    const ReadLock lock(mutex_);
    const auto above = live_.upper_bound(address);
    if (above == live_.begin()) return above == live_.end() ? Allocation{} : above->second.allocation;
    const auto below = std::prev(above);
    if (above == live_.end()) return below->second.allocation;
    const bool below_is_nearer =
        distance(below->second.allocation, address) <= distance(above->second.allocation, address);
    return (below_is_nearer ? below : above)->second.allocation;
}

MemoryRange DeviceMemory::range(std::uint64_t address) const {
    const ReadLock lock(mutex_);
    const auto found = holder(live_, address);
    if (found == live_.end()) return {};
    return {found->first, found->first + found->second.allocation.bytes};
}

bool DeviceMemory::contains(std::uint64_t address, std::uint64_t bytes) const {
    return range(address).contains(address, bytes);
}

std::vector<Allocation> DeviceMemory::live() const {
    const ReadLock lock(mutex_);
    std::vector<Allocation> all;
    all.reserve(live_.size());
    for (const auto& [address, entry] : live_) all.push_back(entry.allocation);
    return all;
}

DeviceMemory::Table::const_iterator DeviceMemory::holder(const Table& table, std::uint64_t address) const {
    const auto above = table.upper_bound(address);
    if (above == table.begin()) return table.end();
    const auto below = std::prev(above);
    return address - below->first < below->second.allocation.bytes ? below : table.end();
}

bool DeviceMemory::overlaps_live(std::uint64_t address, std::uint64_t bytes) const {
    const auto next = live_.lower_bound(address);
    return (next != live_.end() && next->first < address + bytes) || holder(live_, address) != live_.end();
}

void DeviceMemory::remember_freed(Entry entry) {
    entry.allocation.freed = true;
    const std::uint64_t address = entry.allocation.address;
    const std::uint64_t bytes = entry.allocation.bytes;
    Entry& freed = freed_.insert_or_assign(address, std::move(entry)).first->second;
    freed_order_.push_back(address);
    kept_bytes_ += bytes;
    if (bytes > largest_kept_bytes) give_back(freed);
    for (; kept_bytes_ > keep_freed_bytes && given_back_ < freed_order_.size(); ++given_back_) {
        const auto oldest = freed_.find(freed_order_[given_back_]);
        if (oldest != freed_.end()) give_back(oldest->second);
    }
    if (freed_order_.size() <= remember_freed_entries) return;
    const auto oldest = freed_.find(freed_order_.front());
    freed_order_.pop_front();
    if (given_back_ > 0) --given_back_;
    if (oldest == freed_.end()) return;
    give_back(oldest->second);
    freed_.erase(oldest);
}

void DeviceMemory::give_back(Entry& freed) {
    if (freed.host_block == nullptr) return;
    freed.allocation.given_back = true;
    std::free(std::exchange(freed.host_block, nullptr));
    kept_bytes_ -= freed.allocation.bytes;
}

void DeviceMemory::forget_freed(std::uint64_t address, std::uint64_t bytes) {
    auto next = freed_.lower_bound(address);
    if (const auto before = holder(freed_, address); before != freed_.end()) next = freed_.find(before->first);
    while (next != freed_.end() && next->first < address + bytes) {
        give_back(next->second);
        next = freed_.erase(next);
    }
}

}  // namespace lanes::emulator
