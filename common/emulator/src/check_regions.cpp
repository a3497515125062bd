#include "check_regions.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "check_records.hpp"
#include "host_pages.hpp"

namespace lanes::emulator {

void WrittenRanges::add(MemoryRange range) {
    if (range.begin >= range.end) return;
    auto next = ranges_.upper_bound(range.begin);
    if (next != ranges_.begin() && std::prev(next)->second >= range.begin) --next;
    while (next != ranges_.end() && next->first <= range.end) {
        range.begin = std::min(range.begin, next->first);
        range.end = std::max(range.end, next->second);
        next = ranges_.erase(next);
    }
    ranges_.emplace(range.begin, range.end);
}

MemoryRange WrittenRanges::find(std::uint64_t address) const {
    const auto above = ranges_.upper_bound(address);
    if (above == ranges_.begin()) return {};
    const auto below = std::prev(above);
    return address < below->second ? MemoryRange{below->first, below->second} : MemoryRange{};
}

Region::Region(MemoryRange range)
    : kernel_wrote(static_cast<std::size_t>((range.end - range.begin) / 4 + 2)),
      kernel_read(static_cast<std::size_t>((range.end - range.begin) / 4 + 2)),
      range_(range),
      first_word_(range.begin & ~std::uint64_t{3}),
      words_(static_cast<std::size_t>((range.end - first_word_ + 3) / 4)),
      stride_((words_ + 7) & ~std::size_t{7}),
      records_(make_records(stride_ * 2)) {}

/// calloc clears memory that was in use before, all of it at once; fresh pages cost nothing until they are touched.
Region::Records Region::make_records(std::size_t count) {
    constexpr std::size_t least_mapped_bytes = std::size_t{64} << 10;
    const std::size_t bytes = count * sizeof(std::uint64_t);
    if (bytes < least_mapped_bytes) return {static_cast<std::uint64_t*>(std::calloc(count, sizeof(std::uint64_t))), {}};
    void* const pages = map_pages(bytes);
    if (pages == nullptr) return {nullptr, {}};
    return {static_cast<std::uint64_t*>(pages), Free{.mapped_bytes = bytes}};
}

void Region::Free::operator()(std::uint64_t* records) const {
    if (mapped_bytes != 0) {
        unmap_pages(records, mapped_bytes);
    } else {
        std::free(records);
    }
}

RegionTable::Table::const_iterator RegionTable::holder(std::uint64_t address) const {
    const auto above = regions_.upper_bound(address);
    if (above == regions_.begin()) return regions_.end();
    const auto below = std::prev(above);
    return address < below->second->range().end ? below : regions_.end();
}

void RegionTable::retire(Table::iterator region) {
    if (in_launch_) retired_.push_back(std::move(region->second));
    regions_.erase(region);
}

Region* RegionTable::at(const DeviceMemory& memory, std::uint64_t address) {
    // Before the lock: DeviceMemory calls `forget` under its own.
    const MemoryRange range = memory.range(address);
    const Lock lock(mutex_);
    if (const auto found = holder(address); found != regions_.end()) return found->second.get();
    if (range.begin == range.end) return nullptr;
    auto region = std::make_unique<Region>(range);
    if (!region->valid()) return nullptr;
    return regions_.emplace(range.begin, std::move(region)).first->second.get();
}

MemoryRange RegionTable::written(const Region& region, std::uint64_t address) const {
    const Lock lock(mutex_);
    return region.written.find(address);
}

void RegionTable::mark_unset(const DeviceMemory& memory, std::uint64_t address) {
    forget(address);
    Region* const region = at(memory, address);
    if (region != nullptr) region->tracks_unset = true;
}

void RegionTable::add_written(std::uint64_t address, std::uint64_t bytes) {
    const auto found = holder(address);
    if (found == regions_.end() || !found->second->tracks_unset) return;
    found->second->written.add({address, std::min(address + bytes, found->second->range().end)});
}

void RegionTable::mark_written(std::uint64_t address, std::uint64_t bytes) {
    const Lock lock(mutex_);
    add_written(address, bytes);
}

/// Bytes from `address` on that are alike: all written, or all unset. Ends at `end` or before.
MemoryRange RegionTable::run_at(std::uint64_t address, std::uint64_t end, bool& written) const {
    written = true;
    const auto found = holder(address);
    if (found == regions_.end() || !found->second->tracks_unset) return {address, end};
    const Region& region = *found->second;
    const MemoryRange by_host = region.written.find(address);
    if (by_host.begin != by_host.end) return {address, std::min(by_host.end, end)};
    const std::uint64_t record = __atomic_load_n(region.writers() + region.word_of(address), __ATOMIC_RELAXED);
    const ByteMask valid = GlobalRecord::valid_bytes(record);
    written = (valid >> address % 4 & 1U) != 0;
    const bool whole = address % 4 == 0 && valid == whole_word;
    return {address, std::min(address + (whole ? 4 : 1), end)};
}

void RegionTable::mark_copied(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    const Lock lock(mutex_);
    std::uint64_t begin = from;  // of the bytes that are written and not yet marked
    for (std::uint64_t address = from; address < from + bytes;) {
        bool written = false;
        const MemoryRange run = run_at(address, from + bytes, written);
        if (!written) {
            if (begin < address) add_written(to + (begin - from), address - begin);
            begin = run.end;
        }
        address = run.end;
    }
    if (begin < from + bytes) add_written(to + (begin - from), from + bytes - begin);
}

bool RegionTable::is_written(std::uint64_t address, std::uint64_t bytes) const {
    const Lock lock(mutex_);
    const std::uint64_t end = address + bytes;
    while (address < end) {
        bool written = false;
        const MemoryRange run = run_at(address, end, written);
        if (!written) return false;
        address = run.end;
    }
    return true;
}

void RegionTable::forget(std::uint64_t address) {
    const Lock lock(mutex_);
    const auto found = regions_.find(address);
    if (found != regions_.end()) retire(found);
}

bool RegionTable::begin_launch(std::uint64_t& first) {
    const Lock lock(mutex_);
    if (in_launch_) return false;
    if (next_time_ > GlobalRecord::last_time / 2) restart_times();
    in_launch_ = true;
    first = next_time_;
    return true;
}

void RegionTable::end_launch(std::uint64_t next) {
    const Lock lock(mutex_);
    in_launch_ = false;
    next_time_ = std::max(next_time_, next);
    retired_.clear();
}

/// Times are used up: what the records say of old launches is no more than which bytes were written.
void RegionTable::restart_times() {
    for (const auto& [address, region] : regions_) {
        region->kernel_wrote.clear();
        region->kernel_read.clear();
        for (std::size_t word = 0; word < region->words(); ++word) {
            // Writing to pages that nothing touched would make them cost memory.
            if (region->writers()[word] != 0)
                region->writers()[word] = GlobalRecord::only_valid(GlobalRecord::valid_bytes(region->writers()[word]));
            if (region->readers()[word] != 0) region->readers()[word] = 0;
        }
    }
    next_time_ = first_launch_time;
}

}  // namespace lanes::emulator
