#include "check_shared.hpp"

#include <algorithm>

#include "check_values.hpp"
#include "memory_access.hpp"
#include "unused_values.hpp"

namespace lanes::emulator {

namespace {

constexpr unsigned line_shift = 12;
constexpr unsigned valid_shift = 8;
constexpr unsigned bytes_shift = 4;

Strength strength_of(const Access& access) {
    if (access.atomic) return Strength::atomic;
    return access.operation.order == MemoryOrder::weak ? Strength::weak : Strength::strong;
}

std::uint32_t detail_of(const Access& access, ByteMask bytes) {
    return access.operation.line << line_shift | whole_word << valid_shift | bytes << bytes_shift |
           static_cast<std::uint32_t>(strength_of(access));
}

ByteMask valid_bytes(std::uint32_t detail) {
    return detail >> valid_shift & whole_word;
}
ByteMask touched_bytes(std::uint32_t detail) {
    return detail >> bytes_shift & whole_word;
}
Strength strength(std::uint32_t detail) {
    return static_cast<Strength>(detail & 3U);
}

}  // namespace

SharedCheck::SharedCheck(const Block& block, const BlockClock& clock, Checks checks, Findings& findings)
    : block_(block), clock_(clock), checks_(checks), findings_(findings), origin_(clock.now() - first_time) {
    const std::size_t words = block.shared_bytes / 4 + 1;
    for (Records* records : {&writes_, &reads_, &other_reads_}) {
        records->keys.resize(words);
        records->details.resize(words);
    }
}

void SharedCheck::start_block() {
    partial_ = false;
    if (clock_.now() - origin_ > pending_time / 2) renumber();
    // A copy that an earlier block never waited for.
    for (Key& key : writes_.keys)
        if (key >= pending) key = 0;
}

/// What is recorded gets a time that lies before every access to come, so that times may grow again.
void SharedCheck::renumber() {
    const Key begin = block_limit();
    for (Key& key : writes_.keys) {
        if (key < pending) key = key >= begin ? (before_time << time_shift) | (key & thread_bits) : 0;
    }
    std::fill(reads_.keys.begin(), reads_.keys.end(), 0);
    std::fill(other_reads_.keys.begin(), other_reads_.keys.end(), 0);
    origin_ = clock_.now() - first_time;
}

/// The least key that is later than `time`.
SharedCheck::Key SharedCheck::key_limit(Time time) const {
    const Time since = time <= origin_ ? before_time : time - origin_;
    return static_cast<Key>((since + 1) << time_shift);
}

/// The least key of this block.
SharedCheck::Key SharedCheck::block_limit() const {
    const Time begin = std::max(clock_.block_begin(), origin_ + before_time);
    return static_cast<Key>((begin - origin_) << time_shift);
}

SharedCheck::Limits SharedCheck::limits_of(const Warp& warp) const {
    Limits limits;
    limits.block = block_limit();
    limits.floor = key_limit(clock_.floor(warp.index));
    limits.own = key_limit(clock_.own(warp.index));
    limits.warp = warp.index * warp_size;
    limits.now = static_cast<Key>((clock_.now() - origin_) << time_shift);
    return limits;
}

/// Branch-free, so that loops over lanes vectorise.
inline bool SharedCheck::is_before(Key key, const Limits& limits, Key thread) {
    const Key who = key & thread_bits;
    const bool by_warp = (who & ~(warp_size - 1)) == limits.warp;
    return ((key < limits.floor) | (who == thread) | (by_warp & (key < limits.own))) & (key < pending);
}

SharedCheck::Words SharedCheck::words_of(const Access& access) {
    Words words;
    words.count = access.bytes / 4;
    words.contiguous = access.regular && access.step == 4 && words.count == 1;
    words.uniform = access.regular && access.step == 0 && !access.writes;
    words.first[0] = static_cast<std::uint32_t>(access.addresses[0]) / 4;
    if (words.contiguous || words.uniform) return words;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        words.first[lane] = static_cast<std::uint32_t>(access.addresses[lane]) / 4;
    for (unsigned lane = 0; lane < warp_size; ++lane) words.active[lane] = 0U - (access.lanes >> lane & 1U);
    return words;
}

/// Remembers lanes as readers of 32 words in a row: up to two of each word that no later write is known to lie behind.
void SharedCheck::remember_row(std::uint32_t first_word, const Limits& limits, Detail detail) {
    Key* __restrict const reads = reads_.keys.data() + first_word;
    Key* __restrict const other_reads = other_reads_.keys.data() + first_word;
    Detail* __restrict const details = reads_.details.data() + first_word;
    Detail* __restrict const other_details = other_reads_.details.data() + first_word;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Key thread = limits.warp + lane;
        const Key mine = limits.now | thread;
        const bool first = is_before(reads[lane], limits, thread);
        const bool second = !first & is_before(other_reads[lane], limits, thread);
        reads[lane] = first ? mine : reads[lane];
        details[lane] = first ? detail : details[lane];
        other_reads[lane] = second ? mine : other_reads[lane];
        other_details[lane] = second ? detail : other_details[lane];
    }
}

void SharedCheck::remember_reader(std::size_t word, const Limits& limits, Key thread, Detail detail) {
    const bool first = is_before(reads_.keys[word], limits, thread);
    if (!first && !is_before(other_reads_.keys[word], limits, thread)) return;
    Records& readers = first ? reads_ : other_reads_;
    readers.keys[word] = limits.now | thread;
    readers.details[word] = detail;
}

void SharedCheck::remember_readers(const Words& words, std::uint32_t element, const Limits& limits, Detail detail) {
    std::uint32_t readers = 0;  // of the same word, in a row
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        readers = lane != 0 && words.first[lane] == words.first[lane - 1] ? readers + 1 : 0;
        if (words.active[lane] == 0 || readers > 2) continue;
        remember_reader(words.first[lane] + element, limits, limits.warp + lane, detail);
    }
}

/// All lanes read the same words, race with nothing and find nothing unset.
/// @return false if they may do so; then no more than readers may have been remembered
bool SharedCheck::read_uniform(const Words& words, const Limits& limits, Detail detail) {
    // Before what any lane does, not just its own writer.
    const auto before_all = [&](Key key) {
        const bool by_warp = (key & thread_bits & ~(warp_size - 1)) == limits.warp;
        return key < pending && (key < limits.floor || (by_warp && key < limits.own));
    };
    const Key mine = limits.now | limits.warp;
    for (std::uint32_t word = words.first[0]; word < words.first[0] + words.count; ++word) {
        const Key write = writes_.keys[word];
        if (write < limits.block || !before_all(write)) return false;
        const bool first = before_all(reads_.keys[word]);
        const bool second = before_all(other_reads_.keys[word]);
        if (!first && !second) continue;
        const bool known = !first && reads_.keys[word] == mine;
        if (first) {
            reads_.keys[word] = mine;
            reads_.details[word] = detail;
        }
        if (!second) continue;
        other_reads_.keys[word] = first || known ? mine + 1 : mine;
        other_reads_.details[word] = detail;
    }
    return true;
}

/// A read of whole words that races with nothing and finds nothing unset.
/// @return false if it may do so, and nothing is done
template <bool contiguous>
bool SharedCheck::read_fast(const Words& words, const Limits& limits, Detail detail) {
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const Key* const writes = writes_.keys.data() + element + (contiguous ? words.first[0] : 0);
        const Key* const reads = reads_.keys.data() + element + (contiguous ? words.first[0] : 0);
        const Key* const other_reads = other_reads_.keys.data() + element + (contiguous ? words.first[0] : 0);
        std::uint32_t trouble = 0;
        std::uint32_t news = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint32_t word = contiguous ? lane : words.first[lane];
            const Key thread = limits.warp + lane;
            const Key mine = limits.now | thread;
            const Key write = writes[word];
            const Key read = reads[word];
            const Key other_read = other_reads[word];
            const bool bad = (write < limits.block) | !is_before(write, limits, thread);
            const bool first = is_before(read, limits, thread);
            const bool fresh =
                (first & (read != mine)) | (!first & is_before(other_read, limits, thread) & (other_read != mine));
            const std::uint32_t active = contiguous ? 1 : words.active[lane];
            trouble |= active & (0U - std::uint32_t{bad});
            news |= active & (0U - std::uint32_t{fresh});
        }
        if (trouble != 0) return false;
        if (news == 0) continue;
        if (contiguous) {
            remember_row(words.first[0], limits, detail);
        } else {
            remember_readers(words, element, limits, detail);
        }
    }
    return true;
}

/// A write of whole words that races with nothing.
/// @return false if it may do so, and nothing is done
template <bool contiguous>
bool SharedCheck::write_fast(const Words& words, const Limits& limits, Detail detail) {
    std::uint32_t trouble = 0;
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const std::size_t base = element + (contiguous ? words.first[0] : 0);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::size_t word = base + (contiguous ? lane : words.first[lane]);
            const Key thread = limits.warp + lane;
            const bool good = is_before(writes_.keys[word], limits, thread) &
                              is_before(reads_.keys[word], limits, thread) &
                              is_before(other_reads_.keys[word], limits, thread);
            trouble |= (contiguous ? 1 : words.active[lane]) & (0U - std::uint32_t{!good});
        }
    }
    if (trouble != 0) return false;
    if (!contiguous) {
        // Two lanes that write the same word: the key of one of them will not be there.
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (words.active[lane] != 0) reads_.keys[words.first[lane]] = limits.now | (limits.warp + lane);
        std::uint32_t shared = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            shared |= words.active[lane] & (reads_.keys[words.first[lane]] ^ (limits.now | (limits.warp + lane)));
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (words.active[lane] != 0) reads_.keys[words.first[lane]] = 0;
        if (shared != 0) return false;
    }
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const std::size_t base = element + (contiguous ? words.first[0] : 0);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!contiguous && words.active[lane] == 0) continue;
            const std::size_t word = base + (contiguous ? lane : words.first[lane]);
            writes_.keys[word] = limits.now | (limits.warp + lane);
            writes_.details[word] = detail;
        }
    }
    return true;
}

void SharedCheck::on_access(const Access& access) {
    if (clock_.now() - origin_ >= pending_time - 1) renumber();
    const bool plain = !access.atomic && access.phase == AsyncPhase::none && !partial_ &&
                       access.operation.order == MemoryOrder::weak && access.bytes % 4 == 0;
    if (!plain || !visit_fast(access)) visit(access);
}

/// An access of whole words that races with nothing and finds nothing unset.
/// @return false if it may do so
bool SharedCheck::visit_fast(const Access& access) {
    const Words words = words_of(access);
    const Limits limits = limits_of(access.warp);
    const Detail detail = detail_of(access, whole_word);
    if (access.writes)
        return words.contiguous ? write_fast<true>(words, limits, detail) : write_fast<false>(words, limits, detail);
    if (words.uniform) return read_uniform(words, limits, detail);
    return words.contiguous ? read_fast<true>(words, limits, detail) : read_fast<false>(words, limits, detail);
}

/// Lane by lane and word by word.
void SharedCheck::visit(const Access& access) {
    if (access.writes && access.bytes < 4) partial_ = true;
    const Limits limits = limits_of(access.warp);
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t address = access.addresses[lane];
        for (std::uint64_t word = address / 4; word * 4 < address + access.bytes; ++word) {
            const ByteMask bytes = bytes_in_word(word * 4, address, access.bytes);
            visit_word({access, lane, static_cast<std::uint32_t>(word), bytes}, limits);
        }
    });
}

void SharedCheck::visit_word(const Touch& touch, const Limits& limits) {
    const Access& access = touch.access;
    const bool is_barrier_object = access.atomic && access.operation.order == MemoryOrder::weak;
    if (access.reads && !is_barrier_object) check_unset(touch, limits);
    if (access.phase != AsyncPhase::completed) {
        check_against(touch, writes_, true, limits);
        if (access.writes) {
            check_against(touch, reads_, false, limits);
            check_against(touch, other_reads_, false, limits);
        }
    }
    // A thread that updates what it has just stored leaves the record as it is: others race with the store.
    const Detail written = writes_.details[touch.word];
    const bool updates_own_store = access.atomic && strength(written) == Strength::weak &&
                                   writes_.keys[touch.word] == (limits.now | (limits.warp + touch.lane)) &&
                                   (touch.bytes & ~touched_bytes(written)) == 0;
    if (updates_own_store) return;
    if (access.writes) return remember_write(touch, limits);
    remember_reader(touch.word, limits, limits.warp + touch.lane, detail_of(access, touch.bytes));
}

void SharedCheck::check_unset(const Touch& touch, const Limits& limits) {
    if (!checks_.has(Check::uninitialized_read)) return;
    const bool written = writes_.keys[touch.word] >= limits.block;
    const ByteMask valid = written ? valid_bytes(writes_.details[touch.word]) : 0;
    const bool waits_for_copy = writes_.keys[touch.word] >= pending;
    if ((touch.bytes & ~valid) == 0 || waits_for_copy) return;
    const Program& program = block_.launch->program;
    const std::uint64_t begin = touch.access.addresses[touch.lane];
    if (is_discarded(program, touch.access.operation, std::max(begin, std::uint64_t{touch.word} * 4) - begin)) return;
    // Padding: of a structure that is copied, some bytes are set.
    const auto is_set = [&](std::uint64_t word) {
        return writes_.keys[word] >= limits.block && valid_bytes(writes_.details[word]) != 0;
    };
    for (std::uint64_t word = begin / 4; word * 4 < begin + touch.access.bytes; ++word)
        if (!touch.access.atomic && is_set(word) && is_only_copied(program, touch.access.operation)) return;
    const std::uint32_t line = touch.access.operation.line;
    if (findings_.repeats(FaultKind::uninitialized_read, line, 0)) return;
    const Party now{.thread = limits.warp + touch.lane,
                    .line = line,
                    .action = touch.access.atomic ? Action::atomic : Action::read,
                    .block = block_.number};
    const std::uint64_t address = std::max(touch.access.addresses[touch.lane], std::uint64_t{touch.word} * 4);
    findings_.add({.kind = FaultKind::uninitialized_read,
                   .now = now,
                   .other = {.block = block_.number},
                   .place = shared_place(block_.launch->program, address)});
}

/// Does the touch race with what is recorded?
void SharedCheck::check_against(const Touch& touch, const Records& records, bool wrote, const Limits& limits) {
    if (!checks_.has(Check::race_shared)) return;
    const Key key = records.keys[touch.word];
    const Detail detail = records.details[touch.word];
    const unsigned thread = limits.warp + touch.lane;
    const unsigned other = key & thread_bits;
    const bool copying = wrote && key >= pending;
    const Time time = key >> time_shift;
    const bool old = key < limits.block || time == before_time;
    const bool in_order = !copying && (old || clock_.is_ordered(thread, other, time + origin_));
    if (in_order || (touched_bytes(detail) & touch.bytes) == 0) return;
    if (strength(detail) != Strength::weak && strength_of(touch.access) != Strength::weak) return;
    if (wrote && !copying && touch.access.writes && writes_same_value(touch, other, limits)) return;
    const Action action = copying                                ? Action::copy
                          : !wrote                               ? Action::read
                          : strength(detail) == Strength::atomic ? Action::atomic
                                                                 : Action::write;
    report(touch, {.thread = other, .line = detail >> line_shift, .action = action, .block = block_.number});
}

/// A store of what the other thread's write left there, or is about to leave there, changes nothing.
bool SharedCheck::writes_same_value(const Touch& touch, unsigned other_thread, const Limits& limits) const {
    const Access& access = touch.access;
    if (checks_.has(Check::same_value_writes) || !has_known_values(access)) return false;
    const std::uint64_t address = access.addresses[touch.lane];
    const unsigned other_lane = other_thread - limits.warp;
    const bool same_store =
        other_lane < touch.lane && (access.lanes >> other_lane & 1U) != 0 && access.addresses[other_lane] == address;
    for (unsigned byte = 0; byte < 4; ++byte) {
        if ((touch.bytes >> byte & 1U) == 0) continue;
        const auto offset = static_cast<std::uint32_t>(std::uint64_t{touch.word} * 4 + byte - address);
        const std::uint8_t there = same_store ? written_byte(access, other_lane, offset)
                                              : std::to_integer<std::uint8_t>(block_.shared[address + offset]);
        if (written_byte(access, touch.lane, offset) != there) return false;
    }
    return true;
}

void SharedCheck::remember_write(const Touch& touch, const Limits& limits) {
    Key& key = writes_.keys[touch.word];
    Detail& detail = writes_.details[touch.word];
    ByteMask valid = key >= limits.block ? valid_bytes(detail) : 0;
    const bool issued = touch.access.phase == AsyncPhase::issued;
    if (!issued) valid |= touch.bytes;
    key = (issued ? pending : limits.now) | (limits.warp + touch.lane);
    detail = (detail_of(touch.access, touch.bytes) & ~(whole_word << valid_shift)) | valid << valid_shift;
}

void SharedCheck::report(const Touch& touch, const Party& other) {
    const std::uint32_t line = touch.access.operation.line;
    if (findings_.repeats(FaultKind::race_shared, line, other.line)) return;
    const Action action = touch.access.phase != AsyncPhase::none ? Action::copy
                          : touch.access.atomic                  ? Action::atomic
                          : touch.access.writes                  ? Action::write
                                                                 : Action::read;
    const Party now{.thread = touch.access.warp.index * warp_size + touch.lane,
                    .line = line,
                    .action = action,
                    .block = block_.number};
    const std::uint64_t address = std::max(touch.access.addresses[touch.lane], std::uint64_t{touch.word} * 4);
    findings_.add({.kind = FaultKind::race_shared,
                   .now = now,
                   .other = other,
                   .place = shared_place(block_.launch->program, address)});
}

}  // namespace lanes::emulator
