/// Alignment and bounds of memory accesses.
#include "memory_access.hpp"
#include "memory_faults.hpp"

#include <algorithm>

namespace lanes::emulator {
namespace {

/// The top bit of the result is set if an access that may begin at `begin` to `begin + last_start` begins elsewhere.
/// Sizes are below 2^63. Branch-free, so that loops over lanes vectorise.
std::uint64_t outside(std::uint64_t address, std::uint64_t begin, std::uint64_t last_start) {
    const std::uint64_t offset = address - begin;
    return offset | (last_start - offset);
}

/// True if all lanes' bytes are inside of one range.
bool inside(const LaneAccess& access, MemoryRange range, std::uint32_t bytes) {
    constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;
    if (range.end - range.begin < bytes) return false;
    const std::uint64_t last_start = range.end - range.begin - bytes;
    std::uint64_t any = 0;
    if (access.rows.exist()) {
        for (std::uint32_t row = 0; row < access.rows.count; ++row)
            any |= outside(access.rows.first[row], range.begin, last_start) |
                   outside(access.rows.last(row), range.begin, last_start);
    } else {
        for (const std::uint64_t address : access.address) any |= outside(address, range.begin, last_start);
    }
    return (any & top_bit) == 0;
}

bool aligned(const LaneAccess& access, std::uint32_t alignment) {
    std::uint64_t any = 0;
    if (access.rows.exist()) {
        any = access.rows.step;
        for (std::uint32_t row = 0; row < access.rows.count; ++row) any |= access.rows.first[row];
    } else {
        for (const std::uint64_t address : access.address) any |= address;
    }
    return (any & (alignment - 1)) == 0;
}

/// The lowest lane for whose address `fails` says yes; warp_size if there is none.
template <typename Fails>
unsigned first_failing(LaneMask lanes, const LaneAccess& access, const Fails& fails) {
    for (LaneMask left = lanes; left != 0; left &= left - 1)
        if (fails(access.of(first_lane(left)))) return first_lane(left);
    return warp_size;
}

bool check_alignment(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind,
                     std::uint32_t alignment, const LaneAccess& access) {
    if (aligned(access, alignment)) return true;
    const unsigned lane =
        first_failing(lanes, access, [=](std::uint64_t address) { return (address & (alignment - 1)) != 0; });
    raise_misaligned(warp, operation, lane, kind, access.of(lane), alignment);
    return false;
}

/// Shared, local and parameter memory: offsets from 0.
bool check_offsets(Warp& warp, const Operation& operation, LaneMask lanes, AccessKind kind, const LaneAccess& access,
                   MemoryRange range) {
    if (inside(access, range, kind.bytes)) return true;
    const unsigned lane =
        first_failing(lanes, access, [=](std::uint64_t address) { return !range.contains(address, kind.bytes); });
    raise_out_of_bounds(warp, operation, lane, kind, access.of(lane));
    return false;
}

/// The range that the operation's accesses landed in of late.
MemoryRange& recent_range(Block& block, const Operation& operation) {
    RecentAccesses& recent = block.recent;
    const std::uint64_t generation = block.launch->memory.generation();
    if (recent.generation != generation) {
        recent.ranges = {};
        recent.generation = generation;
    }
    return recent.ranges[operation.index % RecentAccesses::size];
}

bool check_device_addresses(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind,
                            const LaneAccess& access) {
    MemoryRange& range = recent_range(*warp.block, operation);
    if (inside(access, range, kind.bytes)) return true;
    const unsigned lane = first_failing(lanes, access, [&](std::uint64_t address) {
        if (range.contains(address, kind.bytes)) return false;
        range = warp.block->launch->memory.range(address);
        return !range.contains(address, kind.bytes);
    });
    if (lane == warp_size) return true;
    raise_out_of_bounds(warp, operation, lane, kind, access.of(lane));
    return false;
}

}  // namespace

bool check(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, std::uint32_t alignment,
           LaneAccess& access) {
    if (!check_alignment(warp, operation, lanes, kind, alignment, access)) return false;
    Block& block = *warp.block;
    access.host = nullptr;
    access.lane_stride = 0;
    switch (kind.space) {
        case ptx::Space::shared:
            access.host = block.shared;
            return check_offsets(warp, operation, lanes, kind, access,
                                 {operation.variable.begin, std::min(operation.variable.end, block.shared_bytes)});
        case ptx::Space::local:
            access.host = warp.local;
            access.lane_stride = warp.local_stride;
            return check_offsets(warp, operation, lanes, kind, access, {0, warp.local_bytes});
        case ptx::Space::param: {
            const std::span<const std::byte> parameters = block.launch->config.parameters;
            access.host = const_cast<std::byte*>(parameters.data());  // only loads are chosen for this space
            return check_offsets(warp, operation, lanes, kind, access, {0, parameters.size()});
        }
        case ptx::Space::global:
        case ptx::Space::constant:
        case ptx::Space::generic:
            break;
    }
    return check_device_addresses(warp, operation, lanes, kind, access);
}

}  // namespace lanes::emulator
