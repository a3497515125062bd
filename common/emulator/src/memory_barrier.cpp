/// mbarrier: barriers that live in shared memory, each in a 64-bit word.
///
/// A phase ends when no arrival is pending and no bytes are awaited; the next one then begins with as many arrivals
/// pending as the barrier expects. PTX leaves the word's layout open.
#include "memory_async.hpp"
#include "memory_handlers.hpp"
#include "memory_values.hpp"

#include <string>
#include <type_traits>

namespace lanes::emulator {
namespace {

constexpr std::uint32_t word_bytes = 8;
constexpr std::uint64_t largest_count = (1U << 20) - 1;

/// An mbarrier, and how its word holds it: from bit 0, 20 bits of `pending`, 20 of `expected`, 21 of `bytes`, 2 that
/// mark an initialised word, 1 of `phase`.
struct Barrier {
    std::uint32_t pending = 0;   ///< arrivals missing in this phase
    std::uint32_t expected = 0;  ///< arrivals of the next phase
    std::uint32_t bytes = 0;     ///< transaction bytes awaited; wraps, since more may complete than was expected so far
    bool initialised = false;
    bool phase = false;  ///< parity of the phase

    static constexpr std::uint64_t mark = 2;
    static constexpr std::uint32_t byte_mask = (1U << 21) - 1;

    static Barrier from_word(std::uint64_t word) {
        return {.pending = static_cast<std::uint32_t>(word & largest_count),
                .expected = static_cast<std::uint32_t>(word >> 20 & largest_count),
                .bytes = static_cast<std::uint32_t>(word >> 40) & byte_mask,
                .initialised = (word >> 61 & 3U) == mark,
                .phase = word >> 63 != 0};
    }
    std::uint64_t word() const {
        return pending | std::uint64_t{expected} << 20 | std::uint64_t{bytes & byte_mask} << 40 |
               (initialised ? mark : 0) << 61 | std::uint64_t{phase} << 63;
    }
    void end_phase_if_complete() {
        if (pending != 0 || (bytes & byte_mask) != 0) return;
        phase = !phase;
        pending = expected;
    }
};

/// An arrival or a wait at one lane's barrier.
struct Visit {
    Warp& warp;
    const Operation& operation;
    unsigned lane;
    std::uint64_t offset;  ///< of the word in shared memory
    std::byte* place;

    Barrier barrier() const { return Barrier::from_word(read_own<std::uint64_t>(place)); }
    void store(const Barrier& barrier) const { write_own(place, barrier.word()); }
    /// A value operand of the lane, or `otherwise` if the instruction has none.
    std::uint32_t operand(unsigned source, std::uint32_t otherwise) const {
        const Slot slot = operation.source[source];
        return slot == no_slot ? otherwise : warp.row<std::uint32_t>(slot)[lane];
    }
    void complain(FaultKind kind, const std::string& what) const {
        raise(warp, operation, lane, kind, Severity::error, what + " at shared offset " + std::to_string(offset));
    }
    /// True if the barrier has been initialised; a fault otherwise.
    bool ready() const {
        if (barrier().initialised) return true;
        complain(FaultKind::uninitialized_read, "use of an mbarrier that was not initialised");
        return false;
    }
    bool arrive(Barrier& barrier, std::uint32_t count) const {
        if (count >= 1 && count <= barrier.pending) {
            barrier.pending -= count;
            return true;
        }
        complain(FaultKind::barrier_divergence, std::to_string(count) + " arrivals where " +
                                                    std::to_string(barrier.pending) + " are pending: mbarrier");
        return false;
    }
    void give_state(const Barrier& before) const {
        if (operation.destination == no_slot) return;
        warp.row<std::uint64_t>(operation.destination)[lane] = before.word();
    }
    void give_answer(bool complete) const {
        LaneMask& answers = warp.predicate(operation.destination);
        answers = (answers & ~(LaneMask{1} << lane)) | LaneMask{complete} << lane;
    }
};

struct Initialise {
    static void visit(const Visit& visit) {
        const std::uint32_t count = visit.operand(1, 0);
        if (count < 1 || count > largest_count)
            return visit.complain(FaultKind::barrier_divergence,
                                  "an mbarrier cannot expect " + std::to_string(count) + " arrivals:");
        visit.store({.pending = count, .expected = count, .initialised = true});
    }
};

struct Invalidate {
    static void visit(const Visit& visit) {
        if (visit.ready()) visit.store({});
    }
};

/// @tparam drops  the thread also leaves the barrier: later phases expect fewer
template <bool drops>
struct Arrive {
    static void visit(const Visit& visit) {
        if (!visit.ready()) return;
        const Barrier before = visit.barrier();
        Barrier after = before;
        const std::uint32_t count = visit.operand(1, 1);
        if (!visit.arrive(after, count)) return;
        if (drops) after.expected -= count;
        after.end_phase_if_complete();
        visit.store(after);
        visit.give_state(before);
    }
};

template <bool drops>
struct ArriveExpectingBytes {
    static void visit(const Visit& visit) {
        if (!visit.ready()) return;
        const Barrier before = visit.barrier();
        Barrier after = before;
        if (!visit.arrive(after, 1)) return;
        if (drops) after.expected -= 1;
        after.bytes += visit.operand(1, 0);
        after.end_phase_if_complete();
        visit.store(after);
        visit.give_state(before);
    }
};

/// @tparam arrived  the bytes have come, rather than are to come
template <bool arrived>
struct CountBytes {
    static void visit(const Visit& visit) {
        if (!visit.ready()) return;
        Barrier barrier = visit.barrier();
        const std::uint32_t bytes = visit.operand(1, 0);
        barrier.bytes += arrived ? 0 - bytes : bytes;
        if (arrived) barrier.end_phase_if_complete();
        visit.store(barrier);
    }
};

/// Has the phase ended in which `arrive` gave the state that is the operand?
struct TestState {
    static void visit(const Visit& visit) {
        if (!visit.ready()) return;
        const std::uint64_t state = visit.warp.row<std::uint64_t>(visit.operation.source[1])[visit.lane];
        visit.give_answer(Barrier::from_word(state).phase != visit.barrier().phase);
    }
};

/// Has the phase of the parity that is the operand ended?
struct TestParity {
    static void visit(const Visit& visit) {
        if (visit.ready()) visit.give_answer(((visit.operand(1, 0) & 1U) != 0) != visit.barrier().phase);
    }
};

/// cp.async.mbarrier.arrive: arrives when the lane's copies are complete. Here they complete at once: whoever waits for
/// the barrier may see them, and the lane itself has to wait as well.
/// @tparam counted  .noinc: the arrival is one of those expected. Without it one more is expected first, which cancels
/// it.
template <bool counted>
struct ArriveAfterCopies {
    static void visit(const Visit& visit) {
        if (!visit.ready()) return;
        complete_copies(visit.warp, LaneMask{1} << visit.lane, 0, true);
        if (!counted) return;
        Barrier barrier = visit.barrier();
        if (!visit.arrive(barrier, 1)) return;
        barrier.end_phase_if_complete();
        visit.store(barrier);
    }
};

template <typename Action, typename Address>
void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
    LaneAccess access;
    locate<Address>(warp, operation.source[0], operation.immediate, word_bytes, lanes, access);
    ptx::Space space = ptx::Space::shared;
    if (access.of(first_lane(lanes)) >= local_window) narrow_generic(access, space);
    const AccessKind kind{space, Intent::atomic, word_bytes};
    if (!check(warp, operation, lanes, kind, word_bytes, access)) return;
    observe(warp, operation, lanes, kind, access);
    for_each_lane(lanes, [&](unsigned lane) {
        Action::visit({warp, operation, lane, access.of(lane), access.at(lane)});
    });
}

/// mbarrier.pending_count count, state: no memory is touched.
void execute_pending_count(Warp& warp, const Operation& operation, LaneMask lanes) {
    const auto* const states = warp.row<std::uint64_t>(operation.source[0]);
    auto* const counts = warp.row<std::uint32_t>(operation.destination);
    for_each_lane(lanes, [&](unsigned lane) { counts[lane] = Barrier::from_word(states[lane]).pending; });
}

template <typename Action>
Execute choose(std::uint32_t address_bytes) {
    return address_bytes == 4 ? &execute<Action, std::uint32_t> : &execute<Action, std::uint64_t>;
}

/// Who does what, by the instruction's modifiers.
struct Entry {
    std::string_view name;
    std::string_view variant;  ///< a second modifier, or empty
    ptx::Type operand;         ///< of the value behind the address
    bool answers;              ///< the destination is a predicate
    Execute (*choose)(std::uint32_t address_bytes);
};

// Of two entries with one name, that with a variant comes first.
constexpr Entry entries[] = {
    {"init", {}, ptx::Type::u32, false, choose<Initialise>},
    {"inval", {}, ptx::Type::u32, false, choose<Invalidate>},
    {"arrive", "expect_tx", ptx::Type::u32, false, choose<ArriveExpectingBytes<false>>},
    {"arrive", {}, ptx::Type::u32, false, choose<Arrive<false>>},
    {"arrive_drop", "expect_tx", ptx::Type::u32, false, choose<ArriveExpectingBytes<true>>},
    {"arrive_drop", {}, ptx::Type::u32, false, choose<Arrive<true>>},
    {"expect_tx", {}, ptx::Type::u32, false, choose<CountBytes<false>>},
    {"complete_tx", {}, ptx::Type::u32, false, choose<CountBytes<true>>},
    {"test_wait", "parity", ptx::Type::u32, true, choose<TestParity>},
    {"test_wait", {}, ptx::Type::b64, true, choose<TestState>},
    {"try_wait", "parity", ptx::Type::u32, true, choose<TestParity>},
    {"try_wait", {}, ptx::Type::b64, true, choose<TestState>},
};

const Entry* take_entry(MemoryForm& form) {
    for (const Entry& entry : entries) {
        if (!form.has(entry.name) || (!entry.variant.empty() && !form.has(entry.variant))) continue;
        form.take(entry.name);
        form.take(entry.variant);
        return &entry;
    }
    return nullptr;
}

/// mbarrier.pending_count.b64 d, b
Selection select_pending_count(MemoryForm& form) {
    if (form.take_type() != ptx::Type::b64 || form.operand_count() != 2) return {};
    Selection selection;
    selection.destination = form.value_type(0, ptx::Type::u32);
    selection.source[0] = form.value_type(1, ptx::Type::b64);
    const bool fits = ptx::size_of(selection.destination) == 4 && ptx::size_of(selection.source[0]) == 8;
    if (fits) selection.execute = execute_pending_count;
    return selection;
}

}  // namespace

Execute choose_arrival_after_copies(bool counted, std::uint32_t address_bytes) {
    return counted ? choose<ArriveAfterCopies<true>>(address_bytes) : choose<ArriveAfterCopies<false>>(address_bytes);
}

/// mbarrier.NAME d, [a], b: without d or b in some forms. A time limit at the end is no more than a hint.
Selection select_barrier(MemoryForm& form) {
    if (form.take("pending_count")) return select_pending_count(form);
    const Entry* const entry = take_entry(form);
    Selection selection;
    selection.order = form.take_order();
    form.take_space();
    if (entry == nullptr || form.take_type() != ptx::Type::b64) return {};
    const std::size_t count = form.operand_count();
    std::size_t next = 0;
    if (count > 1 && form.address_type(0) == ptx::Type::none) {
        selection.destination = entry->answers ? ptx::Type::pred : form.value_type(0, ptx::Type::b64);
        if (form.is_predicate(0) != entry->answers || ptx::size_of(selection.destination) == 4) return {};
        next = 1;
    }
    if (next >= count || count - next > selection.source.size() || (entry->answers && next == 0)) return {};
    selection.source[0] = form.address_type(next++);
    if (selection.source[0] == ptx::Type::none) return {};
    for (std::size_t source = 1; next < count; ++source) {
        const ptx::Type type = source == 1 ? entry->operand : ptx::Type::u32;
        selection.source[source] = form.value_type(next++, type);
        if (ptx::size_of(selection.source[source]) != ptx::size_of(type)) return {};
    }
    selection.execute = entry->choose(ptx::size_of(selection.source[0]));
    return selection;
}

}  // namespace lanes::emulator
