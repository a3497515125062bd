/// @file
/// @brief Turns a function of one lane's values into a handler of a whole warp's rows.
///
/// `on_rows<add<std::int32_t>>()` is the Selection whose handler reads rows of the argument types, calls the function
/// for every lane and writes a row of the result type. `bool` stands for a predicate row.
///
/// The destination may be one of the sources: all results are computed into a local row before any is written. Since a
/// local row aliases nothing, the compiler vectorises the loop that computes it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "execution.hpp"
#include "lane_masks.hpp"

namespace lanes::emulator {

/// Element i has only bit i set: a test of one lane that vectorises without variable shifts.
inline constexpr std::array<LaneMask, warp_size> lane_bit = [] {
    std::array<LaneMask, warp_size> bits{};
    for (unsigned lane = 0; lane < warp_size; ++lane) bits[lane] = LaneMask{1} << lane;
    return bits;
}();

/// PTX type of a row whose elements are `T` in C++; half-precision values travel as 16-bit integers.
template <typename T>
constexpr ptx::Type row_type_of() {
    using ptx::Type;
    if constexpr (std::is_same_v<T, bool>) return Type::pred;
    if constexpr (std::is_same_v<T, float>) return Type::f32;
    if constexpr (std::is_same_v<T, double>) return Type::f64;
    if constexpr (std::is_same_v<T, std::uint16_t>) return Type::u16;
    if constexpr (std::is_same_v<T, std::int16_t>) return Type::s16;
    if constexpr (std::is_same_v<T, std::uint32_t>) return Type::u32;
    if constexpr (std::is_same_v<T, std::int32_t>) return Type::s32;
    if constexpr (std::is_same_v<T, std::uint64_t>) return Type::u64;
    if constexpr (std::is_same_v<T, std::int64_t>) return Type::s64;
    return Type::none;
}

/// A source row, element by element.
template <typename T>
class SourceRow {
public:
    SourceRow(Warp& warp, Slot slot) : values_(warp.row<T>(slot)) {}
    T operator[](unsigned lane) const { return values_[lane]; }

private:
    const T* values_;
};

/// A predicate row, lane by lane.
template <>
class SourceRow<bool> {
public:
    SourceRow(Warp& warp, Slot slot) : mask_(warp.predicate(slot)) {}
    bool operator[](unsigned lane) const { return (mask_ & lane_bit[lane]) != 0; }

private:
    LaneMask mask_;
};

/// Bit i is set where flags[i] is 1; every flag is 0 or 1.
inline LaneMask mask_of_flags(const std::uint8_t (&flags)[warp_size]) {
    // The product moves the lowest bit of byte j to bit 56 + j; no two partial products meet, so nothing carries.
    LaneMask mask = 0;
    for (unsigned group = 0; group < warp_size / 8; ++group) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, flags + 8 * group, sizeof bytes);
        mask |= static_cast<LaneMask>((bytes * 0x0102040810204080u) >> 56) << (8 * group);
    }
    return mask;
}

/// Writes the bits of `lanes` and leaves the others.
inline void write_predicate(Warp& warp, Slot slot, LaneMask value, LaneMask lanes) {
    LaneMask& predicate = warp.predicate(slot);
    predicate = (predicate & ~lanes) | (value & lanes);
}

/// Evaluates a predicate for all lanes.
template <auto Function, typename... Sources>
LaneMask evaluate_flags(const SourceRow<Sources>... sources) {
    alignas(warp_size) std::uint8_t flags[warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) flags[lane] = Function(sources[lane]...) ? 1 : 0;
    return mask_of_flags(flags);
}

/// Writes the values of `lanes` and leaves the others.
template <typename T>
void write_lanes(T* destination, const T (&values)[warp_size], LaneMask lanes) {
    if (lanes == all_lanes) {
        std::memcpy(destination, values, sizeof values);
        return;
    }
    T kept[warp_size];
    std::memcpy(kept, destination, sizeof kept);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        destination[lane] = (lanes & lane_bit[lane]) != 0 ? values[lane] : kept[lane];
    }
}

/// Evaluates a function for all lanes.
template <auto Function, typename D, typename... Sources>
void evaluate_lanes(D (&values)[warp_size], const SourceRow<Sources>... sources) {
    for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = Function(sources[lane]...);
}

/// A handler that evaluates `Function` for all 32 lanes, whether active or not, and keeps the results of `lanes`.
/// For functions that are cheap, have no side effects and are defined for every input.
template <auto Function, typename D, typename... Sources>
struct RowHandler {
    template <std::size_t... I>
    static void run(Warp& warp, const Operation& operation, LaneMask lanes, std::index_sequence<I...>) {
        if constexpr (std::is_same_v<D, bool>) {
            const LaneMask value = evaluate_flags<Function>(SourceRow<Sources>(warp, operation.source[I])...);
            write_predicate(warp, operation.destination, value, lanes);
        } else {
            alignas(64) D values[warp_size];
            evaluate_lanes<Function>(values, SourceRow<Sources>(warp, operation.source[I])...);
            write_lanes(warp.row<D>(operation.destination), values, lanes);
        }
    }

    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        run(warp, operation, lanes, std::index_sequence_for<Sources...>{});
    }
};

/// A handler that evaluates `Function` for the lanes of `lanes` only, one after the other.
/// For functions that do not vectorise or cost much.
template <auto Function, typename D, typename... Sources>
struct LaneHandler {
    template <std::size_t... I>
    static void run(Warp& warp, const Operation& operation, LaneMask lanes, std::index_sequence<I...>) {
        D* const destination = warp.row<D>(operation.destination);
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
            const unsigned lane = first_lane(rest);
            destination[lane] = Function(SourceRow<Sources>(warp, operation.source[I])[lane]...);
        }
    }

    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        run(warp, operation, lanes, std::index_sequence_for<Sources...>{});
    }
};

template <typename Destination, typename... Sources>
Selection selection_of(Execute execute, Destination (*)(Sources...)) {
    Selection selection;
    selection.execute = execute;
    selection.destination = row_type_of<Destination>();
    selection.source = {row_type_of<Sources>()...};
    return selection;
}

template <auto Function, typename D, typename... Sources>
Selection rows_of(D (*function)(Sources...)) {
    return selection_of(RowHandler<Function, D, Sources...>::execute, function);
}

template <auto Function, typename D, typename... Sources>
Selection lanes_of(D (*function)(Sources...)) {
    return selection_of(LaneHandler<Function, D, Sources...>::execute, function);
}

/// The handler of a cheap function of lane values, see RowHandler.
template <auto Function>
Selection on_rows() {
    return rows_of<Function>(Function);
}

/// The handler of a costly function of lane values, see LaneHandler.
template <auto Function>
Selection on_lanes() {
    return lanes_of<Function>(Function);
}

/// Calls `select` with std::type_identity<T> of the C++ integer for a 16, 32 or 64-bit integer type, signed for s16,
/// s32 and s64, unsigned for u and b types. An empty Selection for other types.
template <typename Select>
Selection for_integer(ptx::Type type, Select select) {
    using ptx::Type;
    switch (type) {
        case Type::s16:
            return select(std::type_identity<std::int16_t>{});
        case Type::s32:
            return select(std::type_identity<std::int32_t>{});
        case Type::s64:
            return select(std::type_identity<std::int64_t>{});
        case Type::u16:
        case Type::b16:
            return select(std::type_identity<std::uint16_t>{});
        case Type::u32:
        case Type::b32:
            return select(std::type_identity<std::uint32_t>{});
        case Type::u64:
        case Type::b64:
            return select(std::type_identity<std::uint64_t>{});
        default:
            return {};
    }
}

/// As for_integer, but for f16, bf16, f32, f64, f16x2 and bf16x2 too: the unsigned integer of the row's width.
template <typename Select>
Selection for_bits(ptx::Type type, Select select) {
    switch (ptx::size_of(type)) {
        case 2:
            return select(std::type_identity<std::uint16_t>{});
        case 4:
            return select(std::type_identity<std::uint32_t>{});
        case 8:
            return select(std::type_identity<std::uint64_t>{});
        default:
            return {};
    }
}

}  // namespace lanes::emulator
