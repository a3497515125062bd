/// @file
/// @brief What one global access of a warp moves: requests, 32-byte sectors, 128-byte lines.
#pragma once

#include <lanes/model/distinct.hpp>
#include <lanes/model/warp.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace lanes::model {

/// Bytes of a sector, the unit in which caches and memory move data (Nsight Compute, "Memory Tables").
inline constexpr unsigned sector_bytes = 32;

/// Bytes of a cache line: four sectors, one tag.
inline constexpr unsigned line_bytes = 128;

/// Distinct aligned segments of 2^`shift` bytes under any addresses: for accesses that straddle segments or lie
/// further apart than 32-bit keys reach. Hardware refuses the former, so this need not be fast.
/// @param addresses one byte address for each lane
/// @param bytes_per_lane 1 to 32: at most two segments for each lane
/// @param active lanes that take part
/// @param shift 5 for sectors, 7 for lines
constexpr unsigned count_segments_of_any(LaneView addresses, unsigned bytes_per_lane, LaneMask active, unsigned shift) {
    std::array<std::uint64_t, 2 * std::size_t{warp_size}> seen{};
    auto end = seen.begin();
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!is_active(active, lane)) continue;
        for (const std::uint64_t byte : {addresses[lane], addresses[lane] + bytes_per_lane - 1})
            if (std::find(seen.begin(), end, byte >> shift) == end) *end++ = byte >> shift;
    }
    return static_cast<unsigned>(end - seen.begin());
}

/// Distinct aligned segments of 2^`shift` bytes that the active lanes touch.
/// @param addresses one byte address for each lane
/// @param bytes_per_lane 1 to 32
/// @param active lanes that take part
/// @param shift 5 for sectors, 7 for lines
constexpr unsigned count_segments(LaneView addresses, unsigned bytes_per_lane, LaneMask active, unsigned shift) {
    if (active == 0) return 0;
    if (active == all_lanes && is_unit_stride(addresses, bytes_per_lane)) {
        const std::uint64_t last_byte = addresses[warp_size - 1] + bytes_per_lane - 1;
        return static_cast<unsigned>((last_byte >> shift) - (addresses[0] >> shift) + 1);
    }
    LaneAddresses filled;
    if (active != all_lanes) {
        filled = fill_inactive_lanes(addresses, active);
        addresses = filled;
    }
    LaneKeys segments;
    std::uint64_t set_bits = 0;
    std::uint64_t differences = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        segments[lane] = static_cast<std::uint32_t>(addresses[lane] >> shift);
        set_bits |= addresses[lane];
        differences |= addresses[lane] ^ addresses[0];
    }
    const bool aligned = std::has_single_bit(bytes_per_lane) && (set_bits & (bytes_per_lane - 1)) == 0;
    const bool near = differences >> shift <= std::numeric_limits<std::int32_t>::max();
    if (!aligned || !near) return count_segments_of_any(addresses, bytes_per_lane, active, shift);
    return count_distinct(segments);
}

/// Distinct 32-byte sectors that the active lanes touch: what
/// `l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}` counts for the access.
///
/// Four-byte elements: 4 if lane i reads element i of an aligned array, 5 if it reads element i + 1, 32 at a stride
/// of 8 elements or more.
/// @param addresses one byte address for each lane
/// @param bytes_per_lane 1, 2, 4, 8, 16 or 32
/// @param active lanes that take part
constexpr unsigned count_sectors(LaneView addresses, unsigned bytes_per_lane, LaneMask active = all_lanes) {
    return count_segments(addresses, bytes_per_lane, active, std::countr_zero(sector_bytes));
}

/// Distinct 128-byte lines that the active lanes touch, each a tag to look up.
/// @param addresses one byte address for each lane
/// @param bytes_per_lane 1, 2, 4, 8, 16 or 32
/// @param active lanes that take part
constexpr unsigned count_lines(LaneView addresses, unsigned bytes_per_lane, LaneMask active = all_lanes) {
    return count_segments(addresses, bytes_per_lane, active, std::countr_zero(line_bytes));
}

/// Sectors the active lanes' elements would fill if each were a separate one and all lay side by side: Nsight Compute's
/// ideal (User Interface guide, "Source Page"). Lanes that share an address can need fewer.
/// @param bytes_per_lane 1, 2, 4, 8, 16 or 32
/// @param active lanes that take part
constexpr unsigned ideal_sectors(unsigned bytes_per_lane, LaneMask active = all_lanes) {
    return (lane_count(active) * bytes_per_lane + sector_bytes - 1) / sector_bytes;
}

/// Requests of one access: one for an instruction with any active lane, at any width (compute capability 7.0 on;
/// Nsight Compute, "Memory Tables").
/// @param active lanes that take part
constexpr unsigned count_requests(LaneMask active) {
    return active != 0 ? 1 : 0;
}

/// Everything one global access costs.
struct GlobalAccessCost {
    unsigned requests = 0;       ///< instructions sent to the L1 cache
    unsigned sectors = 0;        ///< distinct 32-byte sectors
    unsigned lines = 0;          ///< distinct 128-byte lines
    unsigned ideal_sectors = 0;  ///< sectors of the same bytes, side by side

    /// Equal in every count.
    constexpr bool operator==(const GlobalAccessCost&) const = default;
};

/// Counts everything one global access costs.
/// @param addresses one byte address for each lane
/// @param bytes_per_lane 1, 2, 4, 8, 16 or 32
/// @param active lanes that take part
constexpr GlobalAccessCost global_access_cost(LaneView addresses, unsigned bytes_per_lane,
                                              LaneMask active = all_lanes) {
    return {.requests = count_requests(active),
            .sectors = count_sectors(addresses, bytes_per_lane, active),
            .lines = count_lines(addresses, bytes_per_lane, active),
            .ideal_sectors = ideal_sectors(bytes_per_lane, active)};
}

}  // namespace lanes::model
