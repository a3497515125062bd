#include "check_shared.hpp"

#include <algorithm>
#include <bit>

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
    latest_write_ = 0;
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
    limits_changes_ = 0;
    latest_write_ = pending;
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

/// The limits are the same until somebody synchronises.
const SharedCheck::Limits& SharedCheck::limits_of(const Warp& warp) {
    if (limits_changes_ != clock_.changes() || limits_warp_ != warp.index) {
        limits_ = find_limits(warp.index);
        limits_changes_ = clock_.changes();
        limits_warp_ = warp.index;
    }
    return limits_;
}

SharedCheck::Limits SharedCheck::find_limits(std::uint32_t warp) const {
    Limits limits;
    limits.block = block_limit();
    limits.floor = key_limit(clock_.floor(warp));
    limits.own = key_limit(clock_.own(warp));
    limits.warp = warp * warp_size;
    limits.now = static_cast<Key>((clock_.now() - origin_) << time_shift);
    return limits;
}

void SharedCheck::remember_reader(std::size_t word, const Limits& limits, Key thread, Detail detail) {
    const bool first = before(reads_.keys[word], limits, thread) != 0;
    if (!first && before(other_reads_.keys[word], limits, thread) == 0) return;
    Records& readers = first ? reads_ : other_reads_;
    const Key mine = limits.now | thread;
    if (readers.keys[word] == mine) return;
    readers.keys[word] = mine;
    readers.details[word] = detail;
}

/// True for the toolkit's own accesses to memory that no variable of the program lies in.
bool SharedCheck::is_of_the_system(const Access& access) const {
    const std::uint32_t reserved = block_.launch->program.reserved_shared_bytes;
    if (reserved == 0) return false;
    const std::uint64_t first = access.addresses()[static_cast<unsigned>(std::countr_zero(access.lanes))];
    return first >= block_.shared_bytes - reserved;
}

void SharedCheck::on_access(const Access& access) {
    if (is_of_the_system(access)) return;
    if (clock_.now() - origin_ >= pending_time - 1) renumber();
    const bool plain = !access.atomic && access.phase == AsyncPhase::none && !partial_ &&
                       access.operation.order == MemoryOrder::weak && access.bytes % 4 == 0;
    if (plain) {
        const Limits& limits = limits_of(access.warp);
        const Detail detail = detail_of(access, whole_word);
        if (access.rows.exist() ? visit_rows(access, limits, detail) : visit_lanes(access, limits, detail)) return;
    }
    visit(access);
}

void SharedCheck::visit(const Access& access) {
    if (access.writes && access.bytes < 4) partial_ = true;
    const Limits& limits = limits_of(access.warp);
    for_each_lane(access.lanes, [&](unsigned lane) {
        const std::uint64_t address = access.addresses()[lane];
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
    const std::uint64_t begin = touch.access.addresses()[touch.lane];
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
    const std::uint64_t address = std::max(touch.access.addresses()[touch.lane], std::uint64_t{touch.word} * 4);
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
    const std::uint64_t address = access.addresses()[touch.lane];
    const unsigned other_lane = other_thread - limits.warp;
    const bool same_store =
        other_lane < touch.lane && (access.lanes >> other_lane & 1U) != 0 && access.addresses()[other_lane] == address;
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
    latest_write_ = std::max(latest_write_, issued ? pending : limits.now | thread_bits);
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
    const std::uint64_t address = std::max(touch.access.addresses()[touch.lane], std::uint64_t{touch.word} * 4);
    findings_.add({.kind = FaultKind::race_shared,
                   .now = now,
                   .other = other,
                   .place = shared_place(block_.launch->program, address)});
}

}  // namespace lanes::emulator
