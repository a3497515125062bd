/// @file
/// @brief What one shared access of a warp costs: wavefronts, and how many of them are bank conflicts.
///
/// Shared memory has 32 banks, each 4 bytes wide; word w lies in bank w mod 32 (CUDA Programming Guide,
/// "Shared Memory Access Patterns"). A wavefront serves each bank once, with one word, to every lane that asked for it.
/// So a request takes as many wavefronts as the busiest bank has distinct words.
///
/// No public document says how wider accesses are split. The rules here were measured on an H200 with Nsight
/// Compute; the tests list every measured pattern:
/// - 8-byte accesses go in two phases of 16 lanes, 16-byte accesses in four phases of 8; the phases' costs add up.
/// - A load halves the number of phases when lanes n and n^1 read the same address for every n, or lanes n and n^2
///   for every n. A lane that is off agrees with any partner.
/// - The ideal is one wavefront for each phase with an active lane, counted after halving.
#pragma once

#include <lanes/model/distinct.hpp>
#include <lanes/model/warp.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>

namespace lanes::model {

/// Banks of shared memory, compute capability 7.5 to 12.1.
inline constexpr unsigned bank_count = 32;

/// Bytes of a word, the width of a bank.
inline constexpr unsigned bank_bytes = 4;

/// Which way the data goes: only loads can share phases.
enum class SharedOperation : std::uint8_t { load, store };

/// What one shared access costs.
struct SharedAccessCost {
    unsigned wavefronts = 0;        ///< `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}`
    unsigned ideal_wavefronts = 0;  ///< the least for this width and these lanes

    /// Wavefronts beyond the ideal: `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}`.
    constexpr unsigned conflicts() const { return wavefronts - ideal_wavefronts; }
    /// Adds the cost of another access.
    /// @param other cost of the access
    constexpr SharedAccessCost& operator+=(const SharedAccessCost& other) {
        wavefronts += other.wavefronts;
        ideal_wavefronts += other.ideal_wavefronts;
        return *this;
    }
    /// Equal in every count.
    constexpr bool operator==(const SharedAccessCost&) const = default;
};

/// The bank that holds a byte.
/// @param address byte offset in shared memory
/// @param banks number of banks: 32, or fewer in a picture
constexpr unsigned bank_of(std::uint64_t address, unsigned banks = bank_count) {
    return static_cast<unsigned>(address / bank_bytes % banks);
}

/// Whether every two lanes whose numbers differ in `distance` read the same address, or one of the two is off.
/// @param addresses one byte offset for each lane
/// @param active lanes that take part
/// @param distance 1 or 2: lane n is compared with lane n ^ distance
constexpr bool lanes_pair_up(LaneView addresses, LaneMask active, unsigned distance) {
    // Four lanes at a time hold both partners of each pair, and show most accesses that do not pair up.
    for (unsigned first = 0; first < warp_size; first += 4) {
        std::uint64_t difference = 0;
        for (unsigned lane = first; lane < first + 4; ++lane) {
            const bool both = is_active(active, lane) && is_active(active, lane ^ distance);
            difference |= both ? addresses[lane] ^ addresses[lane ^ distance] : 0;
        }
        if (difference != 0) return false;
    }
    return true;
}

/// Phases in which an access is served: 1, 2 or 4 by width, half as many for a load whose lanes pair up.
/// @param operation load or store
/// @param addresses one byte offset for each lane
/// @param bytes_per_lane 1, 2, 4, 8 or 16
/// @param active lanes that take part
constexpr unsigned count_phases(SharedOperation operation, LaneView addresses, unsigned bytes_per_lane,
                                LaneMask active) {
    const unsigned phases = std::max(bytes_per_lane / bank_bytes, 1U);
    const bool halved = phases > 1 && operation == SharedOperation::load &&
                        (lanes_pair_up(addresses, active, 1) || lanes_pair_up(addresses, active, 2));
    return halved ? phases / 2 : phases;
}

/// Phases that have an active lane: the ideal number of wavefronts.
/// @param phases 1, 2 or 4: each serves 32 / phases neighbouring lanes
/// @param active lanes that take part
constexpr unsigned count_occupied_phases(unsigned phases, LaneMask active) {
    const unsigned lanes = warp_size / phases;
    const LaneMask first_phase = all_lanes >> (warp_size - lanes);
    unsigned occupied = 0;
    for (unsigned phase = 0; phase < phases; ++phase)
        occupied += (active & (first_phase << (phase * lanes))) != 0 ? 1U : 0U;
    return occupied;
}

/// For each column and phase the number of elements asked for: entry column x phases + phase.
using ColumnCounts = std::array<std::uint8_t, bank_count>;

/// Keeps the greater of each pair of entries that lie half the array apart.
/// @tparam half entries that are left
/// @param counts array whose first 2 x half entries count
template <unsigned half>
constexpr void keep_greater_half(ColumnCounts& counts) {
    for (unsigned i = 0; i < half; ++i) counts[i] = std::max(counts[i], counts[i + half]);
}

/// Elements of each phase's busiest column, added up over the phases.
/// @param counts elements of each column and phase
/// @param phases 1, 2 or 4
constexpr unsigned sum_of_busiest(ColumnCounts counts, unsigned phases) {
    keep_greater_half<16>(counts);
    keep_greater_half<8>(counts);
    keep_greater_half<4>(counts);
    if (phases <= 2) keep_greater_half<2>(counts);
    if (phases == 1) keep_greater_half<1>(counts);
    unsigned sum = 0;
    for (unsigned phase = 0; phase < phases; ++phase) sum += counts[phase];
    return sum;
}

/// Counts the marked lanes at each place.
/// @param places column and phase of each lane, 0 to 31
/// @param marks 1 for lanes that count
constexpr ColumnCounts count_places(const LaneKeys& places, const LaneFlags& marks) {
    // Four arrays, so that neighbouring lanes at one place do not wait for each other's count.
    ColumnCounts counts{};
    ColumnCounts second{};
    ColumnCounts third{};
    ColumnCounts fourth{};
    const auto count = [&](ColumnCounts& into, unsigned lane) {
        into[places[lane]] = static_cast<std::uint8_t>(into[places[lane]] + marks[lane]);
    };
    for (unsigned lane = 0; lane < warp_size; lane += 4) {
        count(counts, lane);
        count(second, lane + 1);
        count(third, lane + 2);
        count(fourth, lane + 3);
    }
    for (unsigned i = 0; i < bank_count; ++i)
        counts[i] = static_cast<std::uint8_t>(counts[i] + second[i] + third[i] + fourth[i]);
    return counts;
}

/// Wavefronts of a shared access: for each phase the distinct words of its busiest bank, added up.
/// @param phases 1, 2 or 4, from count_phases()
/// @param addresses one byte offset for each lane, below 1 GiB
/// @param bytes_per_lane 1, 2, 4, 8 or 16
/// @param active lanes that take part, not 0
constexpr unsigned count_wavefronts(unsigned phases, LaneView addresses, unsigned bytes_per_lane, LaneMask active) {
    // Aligned lanes of 8 bytes use banks 2k and 2k + 1 together, lanes of 16 bytes banks 4k to 4k + 3. So it is enough
    // to count elements in each such column of banks. Columns times phases is at most 32.
    const unsigned element_bytes = std::max(bytes_per_lane, bank_bytes);
    const unsigned columns = bank_count * bank_bytes / element_bytes;
    const int element_shift = std::countr_zero(element_bytes);
    const int phase_shift = std::countr_zero(warp_size / phases);

    LaneKeys elements;  // 4 x element + phase
    for (unsigned lane = 0; lane < warp_size; ++lane)
        elements[lane] = static_cast<std::uint32_t>(addresses[lane] >> element_shift) * 4 + (lane >> phase_shift);
    if (active != all_lanes) elements = fill_inactive_lanes(elements, active);

    LaneKeys places;
    std::uint32_t used = 0;
    std::uint32_t differences = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        places[lane] = (elements[lane] / 4 & (columns - 1)) * phases + elements[lane] % 4;
        used |= 1U << places[lane];
        differences |= elements[lane] ^ elements[0];
    }
    // No conflict if each lane has a place of its own, or if all lanes use the same 128 bytes.
    if (used == all_lanes || differences / 4 < columns) return count_occupied_phases(phases, active);
    return sum_of_busiest(count_places(places, mark_distinct(elements)), phases);
}

/// Counts the wavefronts of one shared access, and the fewest possible for its width and lanes.
/// @param operation load or store
/// @param addresses one byte offset in shared memory for each lane, aligned to `bytes_per_lane`: hardware refuses
/// others
/// @param bytes_per_lane 1, 2, 4, 8 or 16
/// @param active lanes that take part
constexpr SharedAccessCost shared_access_cost(SharedOperation operation, LaneView addresses, unsigned bytes_per_lane,
                                              LaneMask active = all_lanes) {
    if (active == 0) return {};
    if (active == all_lanes && is_unit_stride(addresses, bytes_per_lane)) {
        const unsigned phases = std::max(bytes_per_lane / bank_bytes, 1U);
        return {.wavefronts = phases, .ideal_wavefronts = phases};
    }
    const unsigned phases = count_phases(operation, addresses, bytes_per_lane, active);
    return {.wavefronts = count_wavefronts(phases, addresses, bytes_per_lane, active),
            .ideal_wavefronts = count_occupied_phases(phases, active)};
}

/// Distinct words of the busiest bank, for any number of lanes and banks: the eight-bank pictures of the text.
/// @param words word index of each lane, one phase
/// @param banks number of banks
/// @return 1 is free of conflicts, 0 means there were no words
constexpr unsigned conflict_degree(std::span<const std::uint64_t> words, unsigned banks = bank_count) {
    unsigned busiest = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        unsigned distinct = 0;  // words of this bank that appear for the first time up to i
        for (std::size_t j = 0; j <= i; ++j) {
            const auto earlier = words.first(j);
            const bool first_time = std::find(earlier.begin(), earlier.end(), words[j]) == earlier.end();
            distinct += words[j] % banks == words[i] % banks && first_time ? 1U : 0U;
        }
        busiest = std::max(busiest, distinct);
    }
    return busiest;
}

/// Conflict degree of as many lanes as there are banks at a stride of `stride_words` four-byte words: the greatest
/// common divisor of stride and banks. At stride 0 all lanes read one word, which is a broadcast: 1.
/// @param stride_words distance between neighbouring lanes
/// @param banks number of banks, and of lanes
constexpr unsigned stride_conflict_degree(unsigned stride_words, unsigned banks = bank_count) {
    return stride_words == 0 ? 1 : std::gcd(stride_words, banks);
}

/// Where one lane's element lies and when it is served.
struct BankPlacement {
    bool active = false;         ///< false: nothing else here means anything
    std::uint8_t bank = 0;       ///< first bank
    std::uint8_t banks = 1;      ///< neighbouring banks used: 1, 2 or 4
    std::uint8_t phase = 0;      ///< 0 to 3
    std::uint8_t wavefront = 0;  ///< counted from 0 over the whole request
    std::uint64_t row = 0;       ///< which 128-byte row of shared memory

    /// Equal in every member.
    constexpr bool operator==(const BankPlacement&) const = default;
};

/// A shared access as a picture needs it.
struct BankMap {
    std::array<BankPlacement, warp_size> lanes{};  ///< by lane
    SharedAccessCost cost;                         ///< of the whole request
};

/// The wavefront that serves a lane, after the lanes before it in the same phase: that of a lane that wants the same
/// word, or the first in which the bank is free.
/// @param earlier the lanes before it
/// @param here its bank and row, and the first wavefront of the phase
constexpr std::uint8_t wavefront_after(std::span<const BankPlacement> earlier, const BankPlacement& here) {
    unsigned wavefront = here.wavefront;
    for (const BankPlacement& other : earlier) {
        if (!other.active || other.bank != here.bank) continue;
        if (other.row == here.row) return other.wavefront;
        wavefront = std::max(wavefront, other.wavefront + 1U);
    }
    return static_cast<std::uint8_t>(wavefront);
}

/// Places every lane in its bank and in a wavefront.
///
/// Lanes that read the same element share a wavefront. Which of a bank's words comes first is not documented;
/// this map takes them in the order of the lanes.
/// @param operation load or store
/// @param addresses one byte offset in shared memory for each lane, aligned to `bytes_per_lane`
/// @param bytes_per_lane 1, 2, 4, 8 or 16
/// @param active lanes that take part
constexpr BankMap bank_map(SharedOperation operation, LaneView addresses, unsigned bytes_per_lane,
                           LaneMask active = all_lanes) {
    BankMap map;
    map.cost = shared_access_cost(operation, addresses, bytes_per_lane, active);
    const unsigned phases = count_phases(operation, addresses, bytes_per_lane, active);
    const unsigned lanes_per_phase = warp_size / phases;
    unsigned first_wavefront = 0;  // of the phase
    unsigned next_phase_starts = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const unsigned first_lane = lane - lane % lanes_per_phase;
        if (lane == first_lane) first_wavefront = next_phase_starts;
        if (!is_active(active, lane)) continue;
        BankPlacement& here = map.lanes[lane];
        here = {.active = true,
                .bank = static_cast<std::uint8_t>(bank_of(addresses[lane])),
                .banks = static_cast<std::uint8_t>(std::max(bytes_per_lane / bank_bytes, 1U)),
                .phase = static_cast<std::uint8_t>(lane / lanes_per_phase),
                .wavefront = static_cast<std::uint8_t>(first_wavefront),
                .row = addresses[lane] / (bank_count * bank_bytes)};
        here.wavefront = wavefront_after(std::span(map.lanes).subspan(first_lane, lane - first_lane), here);
        next_phase_starts = std::max(next_phase_starts, here.wavefront + 1U);
    }
    return map;
}

/// The same for a small machine, which no GPU is: fewer banks, as many lanes or fewer, one word of 4 bytes a lane. For
/// pictures.
/// @param words word index of each lane, at most 32
/// @param banks number of banks
constexpr BankMap small_bank_map(std::span<const std::uint64_t> words, unsigned banks) {
    BankMap map;
    map.cost = {.wavefronts = conflict_degree(words, banks), .ideal_wavefronts = words.empty() ? 0U : 1U};
    for (std::size_t lane = 0; lane < words.size(); ++lane) {
        BankPlacement& here = map.lanes[lane];
        here = {.active = true,
                .bank = static_cast<std::uint8_t>(bank_of(words[lane] * bank_bytes, banks)),
                .row = words[lane] / banks};
        here.wavefront = wavefront_after(std::span(map.lanes).first(lane), here);
    }
    return map;
}

}  // namespace lanes::model
