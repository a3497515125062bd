/// Operations between the lanes of a warp: shfl, vote, match, redux, activemask and elect.
///
/// For the `.sync` forms the interpreter has gathered `lanes`: the lanes of the member mask that execute together. The
/// member mask is the last source. All sources are read before anything is written, so a destination may be a source.

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "arithmetic.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"
#include "lane_masks.hpp"
#include "position.hpp"

namespace lanes::emulator {
namespace {

/// The same value in every lane of `lanes`.
template <typename T>
void broadcast(Warp& warp, Slot slot, LaneMask lanes, T value) {
    alignas(64) T values[warp_size];
    for (T& each : values) each = value;
    write_lanes(warp.row<T>(slot), values, lanes);
}

// shfl

enum class ShuffleMode : std::uint8_t { up, down, butterfly, index };

/// The lane that `lane` reads, and whether it lies in the lane's segment. `b` selects the lane; `c` has the clamp in
/// bits 4..0 and the segment mask in bits 12..8.
template <ShuffleMode mode>
std::pair<int, bool> shuffle_source(int lane, std::uint32_t b, std::uint32_t c) {
    const auto distance = static_cast<int>(b & 31u);
    const auto clamp = static_cast<int>(c & 31u);
    const auto segment = static_cast<int>(c >> 8 & 31u);
    const int last = (lane & segment) | (clamp & ~segment);
    if constexpr (mode == ShuffleMode::up) return {lane - distance, lane - distance >= last};
    if constexpr (mode == ShuffleMode::down) return {lane + distance, lane + distance <= last};
    if constexpr (mode == ShuffleMode::butterfly) return {lane ^ distance, (lane ^ distance) <= last};
    const int source = (lane & segment) | (distance & ~segment);
    return {source, source <= last};
}

/// Where each lane reads from (itself if the source is outside its segment), and which sources are inside.
struct ShuffleSources {
    alignas(64) std::int32_t lane[warp_size];
    LaneMask inside;
};

template <ShuffleMode mode>
ShuffleSources shuffle_sources(const std::uint32_t* b, const std::uint32_t* c) {
    ShuffleSources sources;
    alignas(warp_size) std::uint8_t flags[warp_size];
    for (int lane = 0; lane < static_cast<int>(warp_size); ++lane) {
        const auto [source, inside] = shuffle_source<mode>(lane, b[lane], c[lane]);
        sources.lane[lane] = inside ? source : lane;
        flags[lane] = inside ? 1 : 0;
    }
    sources.inside = mask_of_flags(flags);
    return sources;
}

/// Why a lane offers no value to those that shuffle.
std::string absence_of(const Warp& warp, unsigned lane) {
    if ((warp.live & lane_bit[lane]) != 0) return "which does not take part";
    const bool exists = warp.index * warp_size + lane < warp.block->threads;
    return exists ? "which has left the kernel" : "which does not exist in this block";
}

/// Reports lanes that take a value which no lane offers.
void check_sources(Warp& warp, const Operation& operation, LaneMask lanes, const ShuffleSources& sources) {
    for_each_lane(lanes & sources.inside, [&](unsigned lane) {
        const auto source = static_cast<unsigned>(sources.lane[lane]);
        if ((lanes & lane_bit[source]) != 0) return;
        std::string mask;
        if (operation.target != no_slot)
            mask = " with the member mask " + text_of_hex(warp.row<LaneMask>(operation.target)[lane]);
        raise(warp, operation, lane, FaultKind::invalid_mask, Severity::error,
              "lane " + std::to_string(lane) + " takes the value of lane " + std::to_string(source) + ", " +
                  absence_of(warp, source) + ": only " + text_of_lanes(lanes) + ' ' + verb_of(lanes, "shuffle") + mask +
                  ", and the value is undefined");
    });
}

/// Operation::immediate of shfl: 1 if what a lane takes may go unused, as in `v = there ? v + other : v`. Then it is no
/// fault that nobody offers it.
bool may_be_dropped(const Operation& operation) {
    return operation.immediate != 0;
}

template <ShuffleMode mode>
void execute_shuffle(Warp& warp, const Operation& operation, LaneMask lanes) {
    const ShuffleSources sources = shuffle_sources<mode>(warp.row<std::uint32_t>(operation.source[1]),
                                                         warp.row<std::uint32_t>(operation.source[2]));
    if (lanes != all_lanes && !may_be_dropped(operation)) check_sources(warp, operation, lanes, sources);
    if (operation.destination != no_slot) {
        const auto* const a = warp.row<std::uint32_t>(operation.source[0]);
        alignas(64) std::uint32_t values[warp_size];
        std::memcpy(values, a, sizeof values);
        // Lane by lane on purpose: vector instructions that gather are slower than 32 loads on many hosts.
        for_each_lane(lanes & sources.inside, [&](unsigned lane) { values[lane] = a[sources.lane[lane]]; });
        write_lanes(warp.row<std::uint32_t>(operation.destination), values, lanes);
    }
    if (operation.destination2 != no_slot) write_predicate(warp, operation.destination2, sources.inside, lanes);
}

/// shfl.sync.mode.b32 d|p, a, b, c, membermask, and without .sync or member mask its predecessor.
Selection select_shuffle(Form& form) {
    Selection selection;
    const bool sync = form.take("sync");
    if (form.take("up")) selection.execute = execute_shuffle<ShuffleMode::up>;
    if (form.take("down")) selection.execute = execute_shuffle<ShuffleMode::down>;
    if (form.take("bfly")) selection.execute = execute_shuffle<ShuffleMode::butterfly>;
    if (form.take("idx")) selection.execute = execute_shuffle<ShuffleMode::index>;
    if (!form.take("b32")) return {};
    selection.flow = sync ? Flow::warp_exchange : Flow::data;
    selection.destination = ptx::Type::b32;
    selection.source = {ptx::Type::b32, ptx::Type::u32, ptx::Type::u32};
    if (sync) selection.source[3] = ptx::Type::b32;
    return selection;
}

// vote

/// Operation::immediate of vote: 1 if the source is negated.
LaneMask voters(Warp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask source = warp.predicate(operation.source[0]);
    return (operation.immediate != 0 ? ~source : source) & lanes;
}

void execute_vote_all(Warp& warp, const Operation& operation, LaneMask lanes) {
    const bool all = voters(warp, operation, lanes) == lanes;
    write_predicate(warp, operation.destination, all ? all_lanes : 0, lanes);
}

void execute_vote_any(Warp& warp, const Operation& operation, LaneMask lanes) {
    const bool any = voters(warp, operation, lanes) != 0;
    write_predicate(warp, operation.destination, any ? all_lanes : 0, lanes);
}

void execute_vote_uniform(Warp& warp, const Operation& operation, LaneMask lanes) {
    const LaneMask voting = voters(warp, operation, lanes);
    write_predicate(warp, operation.destination, voting == 0 || voting == lanes ? all_lanes : 0, lanes);
}

/// Counts every lane that executes it, even one outside the member mask, as hardware does.
void execute_ballot(Warp& warp, const Operation& operation, LaneMask lanes) {
    broadcast(warp, operation.destination, lanes, voters(warp, operation, lanes));
}

Selection select_vote(Form& form) {
    using ptx::Type;
    Selection selection;
    const bool sync = form.take("sync");
    if (form.take("ballot")) {
        if (!form.take("b32")) return {};
        selection.execute = execute_ballot;
        selection.destination = Type::b32;
    } else {
        if (form.take("all")) selection.execute = execute_vote_all;
        if (form.take("any")) selection.execute = execute_vote_any;
        if (form.take("uni")) selection.execute = execute_vote_uniform;
        if (!form.take("pred")) return {};
        selection.destination = Type::pred;
    }
    selection.flow = sync ? Flow::warp_exchange : Flow::data;
    selection.source = {Type::pred, sync ? Type::b32 : Type::none};
    selection.immediate = form.take_negation(1) ? 1 : 0;
    return selection;
}

// match

/// Lanes of `lanes` whose value equals that of `lane`.
template <typename T>
LaneMask lanes_equal_to(const T* values, LaneMask lanes, unsigned lane) {
    LaneMask equal = 0;
    for (unsigned other = 0; other < warp_size; ++other) equal |= values[other] == values[lane] ? lane_bit[other] : 0;
    return equal & lanes;
}

template <typename T>
void execute_match_any(Warp& warp, const Operation& operation, LaneMask lanes) {
    const T* const values = warp.row<T>(operation.source[0]);
    LaneMask equal[warp_size];
    for_each_lane(lanes, [&](unsigned lane) { equal[lane] = lanes_equal_to(values, lanes, lane); });
    auto* const destination = warp.row<LaneMask>(operation.destination);
    for_each_lane(lanes, [&](unsigned lane) { destination[lane] = equal[lane]; });
}

template <typename T>
void execute_match_all(Warp& warp, const Operation& operation, LaneMask lanes) {
    const T* const values = warp.row<T>(operation.source[0]);
    const bool all = lanes_equal_to(values, lanes, first_lane(lanes)) == lanes;
    if (operation.destination != no_slot) broadcast(warp, operation.destination, lanes, all ? lanes : LaneMask{0});
    if (operation.destination2 != no_slot) write_predicate(warp, operation.destination2, all ? all_lanes : 0, lanes);
}

Selection select_match(Form& form) {
    Selection selection;
    if (!form.take("sync")) return {};
    const bool any = form.take("any");
    if (!any && !form.take("all")) return {};
    const ptx::Type type = form.take_type();
    if (type == ptx::Type::b32) {
        selection.execute = any ? execute_match_any<std::uint32_t> : execute_match_all<std::uint32_t>;
    }
    if (type == ptx::Type::b64) {
        selection.execute = any ? execute_match_any<std::uint64_t> : execute_match_all<std::uint64_t>;
    }
    selection.flow = Flow::warp_exchange;
    selection.destination = ptx::Type::b32;
    selection.source = {type, ptx::Type::b32};
    return selection;
}

// redux

/// Also for signed words: their sum wraps around to the same bits.
std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    return a + b;
}
template <typename T>
T bit_and(T a, T b) {
    return a & b;
}
template <typename T>
T bit_or(T a, T b) {
    return a | b;
}
template <typename T>
T bit_xor(T a, T b) {
    return a ^ b;
}
template <typename T>
T minimum(T a, T b) {
    return a < b ? a : b;
}
template <typename T>
T maximum(T a, T b) {
    return a > b ? a : b;
}

template <auto Function, typename T>
void execute_reduction(Warp& warp, const Operation& operation, LaneMask lanes) {
    const T* const values = warp.row<T>(operation.source[0]);
    T result = values[first_lane(lanes)];
    for_each_lane(lanes & (lanes - 1), [&](unsigned lane) { result = Function(result, values[lane]); });
    broadcast(warp, operation.destination, lanes, result);
}

template <float (*choose)(float, float), bool magnitudes, bool propagates_nan>
void execute_float_reduction(Warp& warp, const Operation& operation, LaneMask lanes) {
    const auto* const values = warp.row<float>(operation.source[0]);
    auto result = std::bit_cast<float>(canonical_nan_f32);
    bool any_nan = false;
    for_each_lane(lanes, [&](unsigned lane) {
        const float value = magnitudes ? std::fabs(values[lane]) : values[lane];
        any_nan = any_nan || std::isnan(value);
        result = choose(result, value);
    });
    if (propagates_nan && any_nan) result = std::bit_cast<float>(canonical_nan_f32);
    broadcast(warp, operation.destination, lanes, canonical(result));
}

template <typename T>
Execute take_integer_reduction(Form& form) {
    if (form.take("add")) return execute_reduction<sum, std::uint32_t>;
    if (form.take("min")) return execute_reduction<minimum<T>, T>;
    if (form.take("max")) return execute_reduction<maximum<T>, T>;
    return nullptr;
}

Execute take_bit_reduction(Form& form) {
    if (form.take("and")) return execute_reduction<bit_and<std::uint32_t>, std::uint32_t>;
    if (form.take("or")) return execute_reduction<bit_or<std::uint32_t>, std::uint32_t>;
    if (form.take("xor")) return execute_reduction<bit_xor<std::uint32_t>, std::uint32_t>;
    return nullptr;
}

template <float (*choose)(float, float)>
Execute take_float_reduction(Form& form) {
    const bool magnitudes = form.take("abs");
    const bool propagates_nan = form.take("NaN");
    if (magnitudes) {
        return propagates_nan ? execute_float_reduction<choose, true, true>
                              : execute_float_reduction<choose, true, false>;
    }
    return propagates_nan ? execute_float_reduction<choose, false, true>
                          : execute_float_reduction<choose, false, false>;
}

Execute take_reduction(Form& form, ptx::Type type) {
    using ptx::Type;
    if (type == Type::u32) return take_integer_reduction<std::uint32_t>(form);
    if (type == Type::s32) return take_integer_reduction<std::int32_t>(form);
    if (type == Type::b32) return take_bit_reduction(form);
    if (type != Type::f32) return nullptr;
    if (form.take("min")) return take_float_reduction<smaller<float>>(form);
    return form.take("max") ? take_float_reduction<larger<float>>(form) : nullptr;
}

Selection select_redux(Form& form) {
    Selection selection;
    if (!form.take("sync")) return {};
    const ptx::Type type = form.take_type();
    selection.execute = take_reduction(form, type);
    selection.flow = Flow::warp_exchange;
    selection.destination = type;
    selection.source = {type, ptx::Type::b32};
    return selection;
}

// activemask and elect

void execute_active_mask(Warp& warp, const Operation& operation, LaneMask lanes) {
    broadcast(warp, operation.destination, lanes, lanes);
}

Selection select_active_mask(Form& form) {
    Selection selection;
    if (!form.take("b32")) return {};
    selection.execute = execute_active_mask;
    selection.destination = ptx::Type::b32;
    return selection;
}

/// Chooses the lowest lane.
void execute_elect(Warp& warp, const Operation& operation, LaneMask lanes) {
    const auto leader = static_cast<std::uint32_t>(first_lane(lanes));
    if (operation.destination != no_slot) broadcast(warp, operation.destination, lanes, leader);
    if (operation.destination2 != no_slot) write_predicate(warp, operation.destination2, lane_bit[leader], lanes);
}

Selection select_elect(Form& form) {
    Selection selection;
    if (!form.take("sync")) return {};
    selection.execute = execute_elect;
    selection.flow = Flow::warp_exchange;
    selection.destination = ptx::Type::b32;
    selection.source = {ptx::Type::b32};
    return selection;
}

}  // namespace

Selection select_exchange(Form& form) {
    const std::string& opcode = form.opcode();
    if (opcode == "shfl") return select_shuffle(form);
    if (opcode == "vote") return select_vote(form);
    if (opcode == "match") return select_match(form);
    if (opcode == "redux") return select_redux(form);
    if (opcode == "activemask") return select_active_mask(form);
    return select_elect(form);
}

}  // namespace lanes::emulator
