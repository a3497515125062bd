/// @file
/// @brief A warp and its lanes: the types every other header of the model shares.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

/// What a warp's work costs, in pure C++: the same functions serve tests, emulator and pictures.
namespace lanes::model {

/// Lanes of a warp (CUDA Programming Guide, "SIMT Architecture").
inline constexpr unsigned warp_size = 32;

/// Bit i stands for lane i.
using LaneMask = std::uint32_t;

/// The mask of a full warp.
inline constexpr LaneMask all_lanes = 0xffffffffU;

/// One byte address for each lane; entries of inactive lanes mean nothing.
using LaneAddresses = std::array<std::uint64_t, warp_size>;

/// A view of one byte address for each lane. A `LaneAddresses` converts to it; so does `LaneView(pointer, 32)`.
using LaneView = std::span<const std::uint64_t, warp_size>;

/// Whether `lane` takes part.
/// @param active bit i set: lane i takes part
/// @param lane 0 to 31
constexpr bool is_active(LaneMask active, unsigned lane) {
    return ((active >> lane) & 1U) != 0;
}

/// How many lanes take part.
/// @param active bit i set: lane i takes part
constexpr unsigned lane_count(LaneMask active) {
    return static_cast<unsigned>(std::popcount(active));
}

/// Warps a block of `threads` threads occupies: the last one may be partly empty.
/// @param threads threads of the block
constexpr unsigned warp_count(unsigned threads) {
    return threads / warp_size + (threads % warp_size != 0 ? 1 : 0);
}

/// The addresses a warp uses when lane i uses `address_of_lane(i)`.
/// @param address_of_lane callable: unsigned lane to byte address
template <typename AddressOfLane>
constexpr LaneAddresses lane_addresses(const AddressOfLane& address_of_lane) {
    LaneAddresses addresses;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        addresses[lane] = static_cast<std::uint64_t>(address_of_lane(lane));
    return addresses;
}

/// The addresses base, base + stride, base + 2 stride, and so on.
/// @param base byte address of lane 0
/// @param stride_bytes distance between neighbouring lanes
constexpr LaneAddresses strided_addresses(std::uint64_t base, std::uint64_t stride_bytes) {
    return lane_addresses([=](unsigned lane) { return base + lane * stride_bytes; });
}

/// Whether a full warp's lanes lie side by side: lane i at the address of lane 0 plus i elements.
/// @param addresses one byte address for each lane
/// @param bytes_per_lane size of an element
constexpr bool is_unit_stride(LaneView addresses, unsigned bytes_per_lane) {
    // Most accesses that are not fail here, before the loop.
    if (addresses[warp_size - 1] - addresses[0] != std::uint64_t{warp_size - 1} * bytes_per_lane) return false;
    std::uint64_t difference = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        difference |= addresses[lane] ^ (addresses[0] + std::uint64_t{lane} * bytes_per_lane);
    return difference == 0;
}

/// Lane values with each inactive lane's replaced by that of the nearest active lane before it, or of the first
/// active lane. No value is new and order is kept, so what counts distinct values need not look at the mask.
/// @param values an array of 32, or a view of one
/// @param active lanes that take part, not 0
template <typename Values>
constexpr auto fill_inactive_lanes(const Values& values, LaneMask active) {
    using Value = std::remove_cvref_t<decltype(values[0])>;
    std::array<Value, warp_size> filled;
    Value last = values[static_cast<unsigned>(std::countr_zero(active)) % warp_size];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        last = (active & 1U) != 0 ? values[lane] : last;
        filled[lane] = last;
        active >>= 1;
    }
    return filled;
}

}  // namespace lanes::model
