#include "check_global.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "check_values.hpp"
#include "memory_access.hpp"
#include "unused_values.hpp"

namespace lanes::emulator {

namespace {

Strength strength_of(const Access& access) {
    if (access.atomic) return Strength::atomic;
    return access.operation.order == MemoryOrder::weak ? Strength::weak : Strength::strong;
}

/// The lowest address of an access, and the highest.
MemoryRange ends_of(const Access& access) {
    MemoryRange ends{~std::uint64_t{0}, 0};
    if (access.rows.exist()) {
        for (std::uint32_t row = 0; row < access.rows.count; ++row) {
            ends.begin = std::min(ends.begin, access.rows.first[row]);
            ends.end = std::max(ends.end, access.rows.last(row));
        }
        return ends;
    }
    const std::uint64_t* const addresses = access.addresses();
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        ends.begin = addresses[lane] < ends.begin ? addresses[lane] : ends.begin;
        ends.end = addresses[lane] > ends.end ? addresses[lane] : ends.end;
    }
    return ends;
}

std::uint64_t load(const std::uint64_t* record) {
    return __atomic_load_n(record, __ATOMIC_RELAXED);
}

void store(std::uint64_t* record, std::uint64_t value) {
    __atomic_store_n(record, value, __ATOMIC_RELAXED);
}

}  // namespace

GlobalCheck::GlobalCheck(GlobalLaunch& launch, const Block& block, const BlockClock& clock, std::uint32_t worker,
                         Findings& findings)
    : launch_(launch), block_(block), clock_(clock), worker_(worker), findings_(findings) {}

/// False if only what was written is recorded: the worker or the time does not fit into a record.
bool GlobalCheck::records_times() const {
    return launch_.records_times && worker_ < GlobalRecord::workers && clock_.now() <= GlobalRecord::last_time;
}

void GlobalCheck::publish(Time time) {
    if (worker_ < GlobalRecord::workers) launch_.published[worker_].store(time, std::memory_order_relaxed);
}

/// The limits are the same until somebody synchronises.
const GlobalCheck::Limits& GlobalCheck::limits_of(const Warp& warp) {
    if (limits_changes_ != clock_.changes() || limits_warp_ != warp.index) {
        limits_ = find_limits(warp.index);
        limits_changes_ = clock_.changes();
        limits_warp_ = warp.index;
    }
    return limits_;
}

GlobalCheck::Limits GlobalCheck::find_limits(std::uint32_t warp) const {
    const auto key_limit = [](Time time) { return (time + 1) << GlobalRecord::time_shift; };
    Limits limits;
    limits.first_time = static_cast<std::uint32_t>(launch_.first_time);
    limits.launch = launch_.first_time << GlobalRecord::time_shift;
    limits.block = clock_.block_begin() << GlobalRecord::time_shift;
    limits.floor = key_limit(clock_.floor(warp));
    limits.own = key_limit(clock_.own(warp));
    limits.worker = Key{worker_} << GlobalRecord::worker_shift;
    limits.warp = Key{warp} * warp_size;
    limits.now = clock_.now() << GlobalRecord::time_shift | limits.worker;
    return limits;
}

/// The region around an address, as remembered for the operation if it is that.
GlobalCheck::Recent& GlobalCheck::recent_of(const Access& access, std::uint64_t address) {
    if (const std::uint64_t generation = launch_.memory.generation(); generation != generation_) {
        recent_ = {};
        generation_ = generation;
    }
    Recent& recent = recent_[access.operation.index % recent_.size()];
    if (!recent.range.contains(address, 1)) {
        recent = {};
        recent.region = launch_.regions.at(launch_.memory, address);
        if (recent.region != nullptr) recent.range = recent.region->range();
    }
    const bool reads_unknown = recent.region != nullptr && recent.region->tracks_unset && access.reads;
    if (reads_unknown && !recent.written.contains(address, 1))
        recent.written = launch_.regions.written(*recent.region, address);
    return recent;
}

/// An access of whole words to one region that races with nothing and finds nothing unset.
/// @return false if it may be none
bool GlobalCheck::visit_plain(const Recent& recent, const Access& access) {
    if (recent.region == nullptr) return false;
    const MemoryRange ends = ends_of(access);
    if (!recent.range.contains(ends.begin, 1) || !recent.range.contains(ends.end, 1)) return false;
    const bool host_wrote = ends.begin >= recent.written.begin && ends.end + access.bytes <= recent.written.end;
    const bool may_be_unset =
        recent.region->tracks_unset && !host_wrote && launch_.checks.has(Check::uninitialized_read);
    const Plain plain{.access = access,
                      .region = *recent.region,
                      .detail = GlobalRecord::pack({.line = access.operation.line, .bytes = whole_word}),
                      .valid_bits = may_be_unset ? whole_word : 0};
    const Limits& limits = limits_of(access.warp);
    return access.rows.exist() ? visit_rows(plain, limits) : visit_lanes(plain, limits);
}

void GlobalCheck::on_access(const Access& access) {
    const Recent& recent = recent_of(access, access.located.of(first_lane(access.lanes)));
    const bool plain =
        records_times() && !access.atomic && access.operation.order == MemoryOrder::weak && access.bytes % 4 == 0;
    if (!plain || !visit_plain(recent, access)) visit(access);
}

void GlobalCheck::visit(const Access& access) {
    const Limits& limits = limits_of(access.warp);
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t begin = access.addresses()[lane];
        Region* const region = recent_of(access, begin).region;
        if (region == nullptr) return;
        for (std::uint64_t word = begin & ~std::uint64_t{3}; word < begin + access.bytes; word += 4) {
            const ByteMask bytes = bytes_in_word(word, begin, access.bytes);
            visit_word({access, lane, *region, std::max(begin, word), region->word_of(word), bytes}, limits);
        }
    });
}

void GlobalCheck::visit_word(const Touch& touch, const Limits& limits) {
    const Access& access = touch.access;
    Key* const writer = touch.region.writers() + touch.word;
    Key* const reader = touch.region.readers() + touch.word;
    if (access.reads) check_unset(touch);
    if (!records_times()) {
        if (access.writes) __atomic_fetch_or(writer, GlobalRecord::only_valid(touch.bytes), __ATOMIC_RELAXED);
        return;
    }
    check_against(touch, load(writer), true, limits);
    if (access.writes) {
        check_against(touch, load(reader), false, limits);
        // A thread that updates what it has just stored leaves the record as it is: others race with the store.
        const Key own = limits.now | (limits.warp + touch.lane) << GlobalRecord::thread_shift;
        const Record written = GlobalRecord::unpack(load(writer));
        const bool updates_own_store =
            access.atomic && written.strength == Strength::weak &&
            load(writer) >> GlobalRecord::thread_shift == own >> GlobalRecord::thread_shift &&
            (touch.bytes & ~written.bytes) == 0;
        if (updates_own_store) return;
        return remember_write(touch, limits);
    }
    const Key thread = limits.warp + touch.lane;
    const Key detail =
        GlobalRecord::pack({.line = access.operation.line, .bytes = touch.bytes, .strength = strength_of(access)});
    const Key mine = record_of(limits, thread, detail);
    touch.region.kernel_read.add(touch.word, touch.word, limits.first_time);
    store(reader, next_reader(load(reader), mine, limits, thread));
}

void GlobalCheck::check_unset(const Touch& touch) {
    if (!touch.region.tracks_unset || !launch_.checks.has(Check::uninitialized_read)) return;
    const ByteMask valid = GlobalRecord::valid_bytes(load(touch.region.writers() + touch.word));
    if ((touch.bytes & ~valid) == 0) return;
    const auto bytes = static_cast<std::uint64_t>(std::popcount(touch.bytes));
    if (launch_.regions.is_written(touch.address, bytes)) return;
    const std::uint64_t begin = touch.access.addresses()[touch.lane];
    if (is_discarded(launch_.program, touch.access.operation, touch.address - begin)) return;
    // Padding: of a structure that is copied, some bytes are set.
    for (std::uint64_t byte = begin; byte < begin + touch.access.bytes; ++byte) {
        const Key writer = load(touch.region.writers() + touch.region.word_of(byte));
        const bool is_set = (GlobalRecord::valid_bytes(writer) >> byte % 4 & 1U) != 0;
        if (!touch.access.atomic && is_set && is_only_copied(launch_.program, touch.access.operation)) return;
    }
    const std::uint32_t line = touch.access.operation.line;
    if (findings_.repeats(FaultKind::uninitialized_read, line, 0)) return;
    const Party now{.thread = touch.access.warp.index * warp_size + touch.lane,
                    .line = line,
                    .action = touch.access.atomic ? Action::atomic : Action::read,
                    .block = block_.number};
    findings_.add({.kind = FaultKind::uninitialized_read,
                   .now = now,
                   .other = {.block = block_.number},
                   .place = global_place(launch_.memory, touch.address)});
}

/// A record of another block is ordered if its worker has published something since, and this block acquired something.
bool GlobalCheck::is_published(const Record& record) const {
    return acquired_ && launch_.published[record.worker].load(std::memory_order_relaxed) >= record.time;
}

/// Does the touch race with what is recorded?
void GlobalCheck::check_against(const Touch& touch, Key key, bool wrote, const Limits& limits) {
    if (!launch_.checks.has(Check::race_global) || key < limits.launch) return;
    const Record record = GlobalRecord::unpack(key);
    const auto thread = static_cast<unsigned>(limits.warp + touch.lane);
    const bool in_block = record.worker == worker_ && record.time >= clock_.block_begin();
    const bool in_order = in_block ? clock_.is_ordered(thread, record.thread, record.time) : is_published(record);
    if (in_order || (record.bytes & touch.bytes) == 0) return;
    if (record.strength != Strength::weak && strength_of(touch.access) != Strength::weak) return;
    if (wrote && touch.access.writes && writes_same_value(touch, record, limits)) return;
    const Action action = !wrote ? Action::read : record.strength == Strength::atomic ? Action::atomic : Action::write;
    report_race(touch, {.thread = record.thread,
                        .line = record.line,
                        .action = action,
                        .block = block_.number,
                        .worker = record.worker,
                        .time = record.time,
                        .block_unknown = !in_block});
}

/// A store of what the other thread's write left there, or is about to leave there, changes nothing.
bool GlobalCheck::writes_same_value(const Touch& touch, const Record& other, const Limits& limits) const {
    const Access& access = touch.access;
    if (launch_.checks.has(Check::same_value_writes) || !has_known_values(access)) return false;
    const std::uint64_t begin = access.addresses()[touch.lane];
    const auto other_lane = static_cast<unsigned>(other.thread - limits.warp);
    const bool same_store = other.worker == worker_ && other.time >= clock_.block_begin() && other_lane < touch.lane &&
                            (access.lanes >> other_lane & 1U) != 0 && access.addresses()[other_lane] == begin;
    const std::uint64_t word = touch.address & ~std::uint64_t{3};
    for (unsigned byte = 0; byte < 4; ++byte) {
        if ((touch.bytes >> byte & 1U) == 0) continue;
        const std::uint64_t address = word + byte;
        const auto offset = static_cast<std::uint32_t>(address - begin);
        const auto* const memory = reinterpret_cast<const std::uint8_t*>(address);
        const std::uint8_t there =
            same_store ? written_byte(access, other_lane, offset) : __atomic_load_n(memory, __ATOMIC_RELAXED);
        if (written_byte(access, touch.lane, offset) != there) return false;
    }
    return true;
}

void GlobalCheck::remember_write(const Touch& touch, const Limits& limits) {
    Key* const writer = touch.region.writers() + touch.word;
    const Key detail = GlobalRecord::pack(
        {.line = touch.access.operation.line, .bytes = touch.bytes, .strength = strength_of(touch.access)});
    const Key mine = record_of(limits, limits.warp + touch.lane, detail);
    touch.region.kernel_wrote.add(touch.word, touch.word, limits.first_time);
    // Another worker may be adding other bytes of the word: none may be forgotten.
    Key before = load(writer);
    while (!__atomic_compare_exchange_n(writer, &before, mine | GlobalRecord::valid_bytes(before) | touch.bytes, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

void GlobalCheck::report_race(const Touch& touch, const Party& other) {
    const std::uint32_t line = touch.access.operation.line;
    if (findings_.repeats(FaultKind::race_global, line, other.line)) return;
    const Action action = touch.access.atomic ? Action::atomic : touch.access.writes ? Action::write : Action::read;
    const Party now{.thread = touch.access.warp.index * warp_size + touch.lane,
                    .line = line,
                    .action = action,
                    .block = block_.number};
    findings_.add({.kind = FaultKind::race_global,
                   .now = now,
                   .other = other,
                   .place = global_place(launch_.memory, touch.address)});
}

}  // namespace lanes::emulator
