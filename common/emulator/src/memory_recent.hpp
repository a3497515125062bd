/// @file
/// @brief What a block remembers of its recent memory accesses, because the next ones are mostly like them.
///
/// Entries belong to operations by their index, a few operations to an entry. Nothing here changes a result: all may be
/// forgotten at any time, or kept from block to block of one worker.
#pragma once

#include <lanes/emulator/memory.hpp>
#include <lanes/model/warp.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanes::emulator {

/// What a RecentCost counts.
enum class CostKind : std::uint8_t { sectors, load_wavefronts, store_wavefronts };

/// The shape of an access and what it costs. The cost is the same for all accesses whose addresses differ from these by
/// one common multiple of 32 bytes, the size of a sector and of eight banks.
struct RecentCost {
    model::LaneMask lanes = 0;  ///< 0: nothing remembered
    std::uint32_t bytes = 0;    ///< a lane's bytes
    CostKind kind = CostKind::sectors;
    std::uint8_t start = 0;              ///< address of lane 0, modulo 32
    std::uint32_t rows = 0;              ///< LaneRows::count; if not 0, `from_lane_0` holds the rows' first addresses
    std::uint64_t step = 0;              ///< LaneRows::step
    model::LaneAddresses from_lane_0{};  ///< each lane's address less that of lane 0
    unsigned cost = 0;                   ///< sectors or wavefronts
    unsigned ideal = 0;                  ///< wavefronts without conflicts
};

/// What a block remembers.
struct RecentAccesses {
    static constexpr std::size_t size = 64;

    std::uint64_t generation = 0;            ///< DeviceMemory::generation() when the ranges were found
    std::array<MemoryRange, size> ranges{};  ///< live device memory that accesses landed in
    std::array<RecentCost, size> costs{};    ///< of accesses that are not one row
};

}  // namespace lanes::emulator
