#include "memory_async.hpp"

#include "memory_handlers.hpp"
#include "memory_values.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace lanes::emulator {
namespace {

AsyncCopies& copies_of(Warp& warp) {
    if (warp.async_copies == nullptr) warp.async_copies = std::make_shared<AsyncCopies>();
    return *warp.async_copies;
}

/// How many bytes a lane reads; the rest of the copy is zeros.
enum class SourceBytes : std::uint8_t { all, row, none_if_predicate };

template <SourceBytes rule>
std::uint32_t source_bytes(Warp& warp, const Operation& operation, unsigned lane, std::uint32_t copy_bytes) {
    if constexpr (rule == SourceBytes::row)
        return std::min(warp.row<std::uint32_t>(operation.source[3])[lane], copy_bytes);
    if constexpr (rule == SourceBytes::none_if_predicate)
        return ((warp.predicate(operation.source[3]) >> lane) & 1U) != 0 ? 0 : copy_bytes;
    return copy_bytes;
}

/// Reads one lane's bytes, word by word where whole words are read: other host threads may be writing.
void read_source(const std::byte* from, std::uint32_t bytes, std::byte* to) {
    std::uint32_t done = 0;
    for (; done + sizeof(std::uint32_t) <= bytes; done += sizeof(std::uint32_t))
        write_own(to + done, read_value<std::uint32_t>(from + done));
    for (; done < bytes; ++done) write_own(to + done, read_value<std::uint8_t>(from + done));
}

/// Reads the lanes that read `bytes` each, all in one access.
/// @return false if a fault was raised
bool read_lanes(Warp& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes, AsyncCopies::Copy& copy) {
    LaneAccess access;
    locate<std::uint64_t>(warp, operation.source[1], static_cast<std::int32_t>(operation.target), copy.bytes, lanes,
                          access);
    const AccessKind kind{ptx::Space::global, Intent::load, bytes};
    if (!check(warp, operation, lanes, kind, copy.bytes, access)) return false;
    observe(warp, operation, lanes, kind, access, AsyncPhase::issued);
    for_each_lane(lanes, [&](unsigned lane) { read_source(access.at(lane), bytes, copy.data[lane].data()); });
    return true;
}

/// Counts what a copy reads. An H200 counts cp.async among the global loads too: measured with Nsight Compute 2025.3.
void count_copy(Warp& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes) {
    LaneAccess access;
    locate<std::uint64_t>(warp, operation.source[1], static_cast<std::int32_t>(operation.target), bytes, lanes, access);
    CounterSet& counters = *warp.counters;
    const std::uint64_t sectors = counters[Counter::global_ld_sectors];
    count(warp, operation, lanes, {ptx::Space::global, Intent::load, bytes}, access);
    counters[Counter::async_copy_requests] += 1;
    counters[Counter::async_copy_sectors] += counters[Counter::global_ld_sectors] - sectors;
}

/// Reads all lanes' sources, those of one length at a time.
template <SourceBytes rule>
bool read_sources(Warp& warp, const Operation& operation, AsyncCopies::Copy& copy) {
    std::array<LaneMask, AsyncCopies::largest_copy + 1> lanes_by_bytes{};
    for_each_lane(copy.lanes, [&](unsigned lane) {
        lanes_by_bytes[source_bytes<rule>(warp, operation, lane, copy.bytes)] |= LaneMask{1} << lane;
    });
    for (std::uint32_t bytes = 1; bytes <= copy.bytes; ++bytes) {
        const LaneMask lanes = lanes_by_bytes[bytes];
        if (lanes != 0 && !read_lanes(warp, operation, lanes, bytes, copy)) return false;
    }
    const LaneMask reading = copy.lanes & ~lanes_by_bytes[0];
    if (reading != 0) count_copy(warp, operation, reading, copy.bytes);
    return true;
}

/// cp.async.ca.shared.global [source[0]], [source[1]], bytes {, source[3]}
template <std::uint32_t bytes, SourceBytes rule, typename Address>
void execute_copy(Warp& warp, const Operation& operation, LaneMask lanes) {
    LaneAccess destination;
    locate<Address>(warp, operation.source[0], operation.immediate, bytes, lanes, destination);
    constexpr AccessKind kind{ptx::Space::shared, Intent::store, bytes};
    if (!check(warp, operation, lanes, kind, bytes, destination)) return;
    AsyncCopies& copies = copies_of(warp);
    AsyncCopies::Copy copy{.operation = &operation, .lanes = lanes, .bytes = bytes, .group = copies.committed};
    if (!read_sources<rule>(warp, operation, copy)) return;
    observe(warp, operation, lanes, kind, destination, AsyncPhase::issued);
    destination.list();
    copy.destination = destination.address;
    copies.pending.push_back(copy);
}

void execute_commit(Warp& warp, const Operation&, LaneMask lanes) {
    AsyncCopies& copies = copies_of(warp);
    for_each_lane(lanes, [&](unsigned lane) { ++copies.committed[lane]; });
}

/// cp.async.wait_group N: N is a constant, in a row as all constants are.
void execute_wait_group(Warp& warp, const Operation& operation, LaneMask lanes) {
    complete_copies(warp, lanes, warp.row<std::uint32_t>(operation.source[0])[0], false);
}

void execute_wait_all(Warp& warp, const Operation&, LaneMask lanes) {
    complete_copies(warp, lanes, 0, true);
}

/// Writes the data of some lanes of a copy to shared memory.
void deliver(Warp& warp, AsyncCopies::Copy& copy, LaneMask lanes) {
    LaneAccess access;
    access.listed = true;
    access.address = copy.destination;
    const AccessKind kind{ptx::Space::shared, Intent::store, copy.bytes};
    observe(warp, *copy.operation, lanes, kind, access, AsyncPhase::completed);
    for_each_lane(lanes, [&](unsigned lane) {
        std::memcpy(warp.block->shared + copy.destination[lane], copy.data[lane].data(), copy.bytes);
    });
    copy.lanes &= ~lanes;
}

template <std::uint32_t bytes, SourceBytes rule>
Execute choose_address(std::uint32_t address_bytes) {
    return address_bytes == 4 ? &execute_copy<bytes, rule, std::uint32_t> : &execute_copy<bytes, rule, std::uint64_t>;
}

template <SourceBytes rule>
Execute choose_bytes(std::uint64_t bytes, std::uint32_t address_bytes) {
    switch (bytes) {
        case 4:
            return choose_address<4, rule>(address_bytes);
        case 8:
            return choose_address<8, rule>(address_bytes);
        case 16:
            return choose_address<16, rule>(address_bytes);
        default:
            return nullptr;
    }
}

Execute choose_async_copy(std::uint64_t bytes, ptx::Type last, std::uint32_t address_bytes) {
    if (last == ptx::Type::none) return choose_bytes<SourceBytes::all>(bytes, address_bytes);
    if (last == ptx::Type::pred) return choose_bytes<SourceBytes::none_if_predicate>(bytes, address_bytes);
    return ptx::size_of(last) == 4 ? choose_bytes<SourceBytes::row>(bytes, address_bytes) : nullptr;
}

Execute choose_async_control(std::string_view name) {
    if (name == "commit_group") return execute_commit;
    if (name == "wait_group") return execute_wait_group;
    return name == "wait_all" ? execute_wait_all : nullptr;
}

/// cp.async.ca.shared.global [a], [b], bytes {, source bytes or ignore-src}
Selection select_data_copy(MemoryForm& form) {
    form.take_hints();
    const bool spaces = form.take("global") && (form.take("shared") || form.take("shared::cta"));
    if (!spaces || form.operand_count() < 3 || form.operand_count() > 4) return {};
    Selection selection;
    selection.source = {form.address_type(0), form.address_type(1), ptx::Type::u32};
    const ptx::Operand& bytes = form.operand(2);
    if (bytes.kind != ptx::OperandKind::immediate || selection.source[0] == ptx::Type::none ||
        ptx::size_of(selection.source[1]) != sizeof(std::uint64_t))
        return {};
    if (form.operand_count() == 4) {
        selection.source[3] = form.is_predicate(3) ? ptx::Type::pred : form.value_type(3, ptx::Type::u32);
        if (selection.source[3] == ptx::Type::none) return {};
    }
    selection.execute = choose_async_copy(bytes.bits, selection.source[3], ptx::size_of(selection.source[0]));
    return selection;
}

/// cp.async.mbarrier.arrive {.noinc} .shared.b64 [a]
Selection select_async_arrive(MemoryForm& form) {
    form.take("arrive");
    const bool counted = form.take("noinc");
    form.take_space();
    if (form.take_type() != ptx::Type::b64 || form.operand_count() != 1) return {};
    Selection selection;
    selection.source[0] = form.address_type(0);
    if (selection.source[0] == ptx::Type::none) return {};
    selection.execute = choose_arrival_after_copies(counted, ptx::size_of(selection.source[0]));
    return selection;
}

}  // namespace

void complete_copies(Warp& warp, LaneMask lanes, std::uint32_t groups_left, bool open_too) {
    if (warp.async_copies == nullptr) return;
    AsyncCopies& copies = *warp.async_copies;
    for (AsyncCopies::Copy& copy : copies.pending) {
        LaneMask ready = 0;
        for_each_lane(copy.lanes & lanes, [&](unsigned lane) {
            const std::uint32_t newer_groups = copies.committed[lane] - copy.group[lane];
            ready |= LaneMask{open_too || newer_groups > groups_left} << lane;
        });
        if (ready != 0) deliver(warp, copy, ready);
    }
    std::erase_if(copies.pending, [](const AsyncCopies::Copy& copy) { return copy.lanes == 0; });
}

/// cp.async and what belongs to it. Bulk copies are not supported.
Selection select_async_copy(MemoryForm& form) {
    if (!form.take("async")) return {};
    if (form.take("mbarrier")) return select_async_arrive(form);
    if (form.take("ca") || form.take("cg")) return select_data_copy(form);
    Selection selection;
    selection.execute = choose_async_control(form.take_any({"commit_group", "wait_group", "wait_all"}));
    if (form.operand_count() == 1) selection.source[0] = ptx::Type::u32;
    return selection;
}

}  // namespace lanes::emulator
