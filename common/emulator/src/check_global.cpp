#include "check_global.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "check_values.hpp"
#include "memory_access.hpp"
#include "unused_values.hpp"

/// Workers share the records of words on purpose: two that meet in one is what the check looks for. Each record is one
/// aligned 64-bit word, so it is seen whole.
#define LANES_SHARED_RECORDS __attribute__((no_sanitize("thread")))

namespace lanes::emulator {

namespace {

Strength strength_of(const Access& access) {
    if (access.atomic) return Strength::atomic;
    return access.operation.order == MemoryOrder::weak ? Strength::weak : Strength::strong;
}

/// The lowest and the highest address of an access.
void find_ends(const Access& access, std::uint64_t& lowest, std::uint64_t& highest) {
    std::uint64_t low = access.addresses[0];
    std::uint64_t high = low;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t address = access.addresses[lane];
        low = address < low ? address : low;
        high = address > high ? address : high;
    }
    lowest = low;
    highest = high;
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

GlobalCheck::Limits GlobalCheck::limits_of(const Warp& warp) const {
    const auto key_limit = [](Time time) { return (time + 1) << GlobalRecord::time_shift; };
    Limits limits;
    limits.launch = launch_.first_time << GlobalRecord::time_shift;
    limits.block = clock_.block_begin() << GlobalRecord::time_shift;
    limits.floor = key_limit(clock_.floor(warp.index));
    limits.own = key_limit(clock_.own(warp.index));
    limits.worker = Key{worker_} << GlobalRecord::worker_shift;
    limits.warp = Key{warp.index} * warp_size;
    limits.now = clock_.now() << GlobalRecord::time_shift | limits.worker;
    return limits;
}

/// Branch-free, so that loops over lanes vectorise.
[[gnu::always_inline]] LANES_SHARED_RECORDS inline bool GlobalCheck::is_before(Key key, const Limits& limits,
                                                                               Key thread) {
    const Key who = key >> GlobalRecord::thread_shift & 1023U;
    const bool by_warp = (who & ~Key{warp_size - 1}) == limits.warp;
    const bool in_block = (key >= limits.block) & ((key & GlobalRecord::worker_bits) == limits.worker);
    const bool before = (key < limits.floor) | (who == thread) | (by_warp & (key < limits.own));
    return (key < limits.launch) | (in_block & before);
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

/// True if all lanes go to the region.
bool GlobalCheck::covers(const Recent& recent, const Access& access) const {
    if (recent.region == nullptr) return false;
    if (access.regular)
        return recent.range.contains(access.addresses[0], 1) &&
               recent.range.contains(access.addresses[warp_size - 1], 1);
    std::uint64_t lowest = 0;
    std::uint64_t highest = 0;
    find_ends(access, lowest, highest);
    return recent.range.contains(lowest, 1) && recent.range.contains(highest, 1);
}

GlobalCheck::Words GlobalCheck::words_of(const Recent& recent, const Access& access) const {
    Words words;
    words.count = access.bytes / 4;
    words.contiguous = access.regular && access.step == 4 && words.count == 1;
    words.first[0] = recent.region->word_of(access.addresses[0]);
    std::uint64_t lowest = access.addresses[0];
    std::uint64_t highest = access.addresses[warp_size - 1];
    if (!words.contiguous) {
        const Region& region = *recent.region;
        for (unsigned lane = 0; lane < warp_size; ++lane) words.first[lane] = region.word_of(access.addresses[lane]);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            words.active[lane] = std::uint64_t{0} - (access.lanes >> lane & 1U);
        find_ends(access, lowest, highest);
    }
    const bool host_wrote = lowest >= recent.written.begin && highest + access.bytes <= recent.written.end;
    if (recent.region->tracks_unset && !host_wrote && launch_.checks.has(Check::uninitialized_read))
        words.valid_bits = whole_word;
    return words;
}

/// Which reader to remember. A reader of another block or thread is kept once there are several: the writer to come is
/// more often the last one that reads.
[[gnu::always_inline]] LANES_SHARED_RECORDS inline GlobalCheck::Key GlobalCheck::next_reader(Key before, Key mine,
                                                                                             const Limits& limits,
                                                                                             Key thread) {
    const bool in_block = (before >= limits.block) & ((before & GlobalRecord::worker_bits) == limits.worker);
    const bool keep = ((before & GlobalRecord::several) != 0) | !in_block;
    const Key kept = Key{0} - Key{keep};
    const Key replaced = Key{0} - Key{is_before(before, limits, thread)};
    const Key other = (before & kept) | (mine & ~kept) | GlobalRecord::several;
    return (mine & replaced) | (other & ~replaced);
}

/// A read of whole words that races with nothing and finds nothing unset.
/// @return false if it may do so, and nothing is done
template <bool contiguous>
LANES_SHARED_RECORDS bool GlobalCheck::read_fast(const Region& region, const Words& words, const Limits& limits,
                                                 Key detail) {
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const Key* const writers = region.writers() + element + (contiguous ? words.first[0] : 0);
        Key* const readers = region.readers() + element + (contiguous ? words.first[0] : 0);
        Key trouble = 0;
        Key news = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t word = contiguous ? lane : words.first[lane];
            const Key thread = limits.warp + lane;
            const Key mine = limits.now | thread << GlobalRecord::thread_shift | detail;
            const Key write = writers[word];
            const Key read = readers[word];
            const bool bad = ((write & words.valid_bits) != words.valid_bits) | !is_before(write, limits, thread);
            const Key active = contiguous ? ~Key{0} : words.active[lane];
            trouble |= active & (Key{0} - Key{bad});
            news |= active & (read ^ next_reader(read, mine, limits, thread));
        }
        if (trouble != 0) return false;
        if (news == 0) continue;
        std::uint32_t repeats = 0;  // of the same word, in a row: two readers of a warp are enough
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!contiguous) repeats = lane != 0 && words.first[lane] == words.first[lane - 1] ? repeats + 1 : 0;
            if (!contiguous && (words.active[lane] == 0 || repeats > 2)) continue;
            const std::uint64_t word = contiguous ? lane : words.first[lane];
            const Key thread = limits.warp + lane;
            const Key mine = limits.now | thread << GlobalRecord::thread_shift | detail;
            readers[word] = next_reader(readers[word], mine, limits, thread);
        }
    }
    return true;
}

/// A write of whole words that races with nothing.
/// @return false if it may do so, and nothing is done
template <bool contiguous>
LANES_SHARED_RECORDS bool GlobalCheck::write_fast(const Region& region, const Words& words, const Limits& limits,
                                                  Key detail) {
    Key trouble = 0;
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const Key* const writers = region.writers() + element + (contiguous ? words.first[0] : 0);
        const Key* const readers = region.readers() + element + (contiguous ? words.first[0] : 0);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t word = contiguous ? lane : words.first[lane];
            const Key thread = limits.warp + lane;
            const bool good = is_before(writers[word], limits, thread) & is_before(readers[word], limits, thread);
            trouble |= (contiguous ? 1 : words.active[lane]) & (Key{0} - Key{!good});
        }
    }
    if (trouble != 0) return false;
    if (!contiguous) {
        // Two lanes that write the same word: the record of one of them will not be there.
        Key* const readers = region.readers();
        const auto mine = [&](unsigned lane) {
            return limits.now | (limits.warp + lane) << GlobalRecord::thread_shift;
        };
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (words.active[lane] != 0) readers[words.first[lane]] = mine(lane);
        Key shared = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            shared |= words.active[lane] & (readers[words.first[lane]] ^ mine(lane));
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (words.active[lane] != 0) readers[words.first[lane]] = 0;
        if (shared != 0) return false;
    }
    for (std::uint32_t element = 0; element < words.count; ++element) {
        Key* const writers = region.writers() + element + (contiguous ? words.first[0] : 0);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!contiguous && words.active[lane] == 0) continue;
            writers[contiguous ? lane : words.first[lane]] =
                limits.now | (limits.warp + lane) << GlobalRecord::thread_shift | detail | whole_word;
        }
    }
    return true;
}

void GlobalCheck::on_access(const Access& access) {
    const std::uint64_t address = access.addresses[first_lane(access.lanes)];
    const Recent& recent = recent_of(access, address);
    const bool plain =
        records_times() && !access.atomic && access.operation.order == MemoryOrder::weak && access.bytes % 4 == 0;
    if (plain && covers(recent, access)) {
        const Words words = words_of(recent, access);
        const Limits limits = limits_of(access.warp);
        const Key detail = GlobalRecord::pack({.line = access.operation.line, .bytes = whole_word});
        const Region& region = *recent.region;
        const bool done = access.writes ? (words.contiguous ? write_fast<true>(region, words, limits, detail)
                                                            : write_fast<false>(region, words, limits, detail))
                                        : (words.contiguous ? read_fast<true>(region, words, limits, detail)
                                                            : read_fast<false>(region, words, limits, detail));
        if (done) return;
    }
    visit(access);
}

/// Lane by lane and word by word.
void GlobalCheck::visit(const Access& access) {
    const Limits limits = limits_of(access.warp);
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t begin = access.addresses[lane];
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
    const Key mine =
        limits.now | thread << GlobalRecord::thread_shift |
        GlobalRecord::pack({.line = access.operation.line, .bytes = touch.bytes, .strength = strength_of(access)});
    store(reader, next_reader(load(reader), mine, limits, thread));
}

void GlobalCheck::check_unset(const Touch& touch) {
    if (!touch.region.tracks_unset || !launch_.checks.has(Check::uninitialized_read)) return;
    const ByteMask valid = GlobalRecord::valid_bytes(load(touch.region.writers() + touch.word));
    if ((touch.bytes & ~valid) == 0) return;
    const auto bytes = static_cast<std::uint64_t>(std::popcount(touch.bytes));
    if (launch_.regions.is_written(touch.address, bytes)) return;
    const std::uint64_t begin = touch.access.addresses[touch.lane];
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
    const std::uint64_t begin = access.addresses[touch.lane];
    const auto other_lane = static_cast<unsigned>(other.thread - limits.warp);
    const bool same_store = other.worker == worker_ && other.time >= clock_.block_begin() && other_lane < touch.lane &&
                            (access.lanes >> other_lane & 1U) != 0 && access.addresses[other_lane] == begin;
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
    const Key mine =
        limits.now | (limits.warp + touch.lane) << GlobalRecord::thread_shift |
        GlobalRecord::pack(
            {.line = touch.access.operation.line, .bytes = touch.bytes, .strength = strength_of(touch.access)});
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
