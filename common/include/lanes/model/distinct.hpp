/// @file
/// @brief Which of a warp's keys are distinct, without a heap and in tens of nanoseconds.
#pragma once

#include <lanes/model/warp.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace lanes::model {

/// One key for each lane: the sector it touches, or the word it reads.
using LaneKeys = std::array<std::uint32_t, warp_size>;

/// One 0 or 1 for each lane. As wide as a key, so that compilers compare and store four or more lanes at a time.
using LaneFlags = std::array<std::uint32_t, warp_size>;

/// How each lane's key compares with that of the lane before it.
struct NeighbourComparison {
    bool ordered = false;  ///< keys only rise or only fall; neighbours may be equal
    unsigned changes = 0;  ///< neighbours that differ
};

/// Compares each lane's key with that of the lane before it.
/// @param keys one for each lane, no two further apart than 2^31 - 1
constexpr NeighbourComparison compare_neighbours(const LaneKeys& keys) {
    std::uint32_t rises = 0;  // the top bit is the sign of a difference
    std::uint32_t falls = 0;
    unsigned changes = 0;
    for (unsigned lane = 1; lane < warp_size; ++lane) {
        rises |= keys[lane - 1] - keys[lane];
        falls |= keys[lane] - keys[lane - 1];
        changes += keys[lane] != keys[lane - 1] ? 1U : 0U;
    }
    return {.ordered = (rises & falls) >> 31 == 0, .changes = changes};
}

/// Marks one lane for each distinct key. Equal keys must be neighbours, as they are when keys are ordered.
/// @param keys one for each lane
constexpr LaneFlags mark_distinct_ordered(const LaneKeys& keys) {
    LaneFlags marks;
    marks[0] = 1;
    for (unsigned lane = 1; lane < warp_size; ++lane) marks[lane] = keys[lane] != keys[lane - 1] ? 1U : 0U;
    return marks;
}

/// Marks one lane for each distinct key, by a vote: all lanes whose keys share a hash slot write their number there,
/// and the one left is elected. The table needs no clearing, because every slot that is read has been written.
/// @param keys one for each lane, in any order
constexpr LaneFlags mark_distinct_by_vote(const LaneKeys& keys) {
    constexpr unsigned slot_bits = 12;  // two of 32 random keys share one of 4,096 slots in about one case of nine
    std::array<std::uint16_t, warp_size> slot;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        slot[lane] = static_cast<std::uint16_t>((keys[lane] * 0x9e3779b1U) >> (32 - slot_bits));  // Fibonacci hashing
    std::array<std::uint8_t, std::size_t{1} << slot_bits> elected;
    for (unsigned lane = 0; lane < warp_size; ++lane) elected[slot[lane]] = static_cast<std::uint8_t>(lane);

    LaneFlags marks;
    std::uint32_t differences = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const unsigned representative = elected[slot[lane]];
        marks[lane] = representative == lane ? 1U : 0U;
        differences |= keys[representative] ^ keys[lane];
    }
    if (differences == 0) return marks;

    // Some lanes' slots went to another key. Lanes with one key share that fate, so its first lane can speak for it.
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (keys[elected[slot[lane]]] == keys[lane]) continue;
        const auto here = keys.begin() + lane;
        marks[lane] = std::find(keys.begin(), here, *here) == here ? 1U : 0U;
    }
    return marks;
}

/// Marks one lane for each distinct key. Keys in order, as most accesses give, take one pass.
/// @param keys one for each lane, in any order
constexpr LaneFlags mark_distinct(const LaneKeys& keys) {
    return compare_neighbours(keys).ordered ? mark_distinct_ordered(keys) : mark_distinct_by_vote(keys);
}

/// Number of distinct keys.
/// @param keys one for each lane, in any order
constexpr unsigned count_distinct(const LaneKeys& keys) {
    const NeighbourComparison comparison = compare_neighbours(keys);
    if (comparison.ordered) return comparison.changes + 1;
    const LaneFlags marks = mark_distinct_by_vote(keys);
    return std::accumulate(marks.begin(), marks.end(), 0U);
}

}  // namespace lanes::model
