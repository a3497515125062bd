#include "memory_access.hpp"

namespace lanes::emulator {
namespace {

/// The window that holds a generic address; 0 for a device address.
std::uint64_t window_of(std::uint64_t address) {
    if (address - shared_window < window_bytes) return shared_window;
    return address - local_window < window_bytes ? local_window : 0;
}

ptx::Space space_of_window(std::uint64_t window) {
    if (window == shared_window) return ptx::Space::shared;
    return window == local_window ? ptx::Space::local : ptx::Space::global;
}

}  // namespace

void LaneAccess::list() {
    if (listed) return;
    for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = first + lane * step;
    listed = true;
}

template <typename Address>
void locate(Warp& warp, Slot base, std::int64_t offset, std::uint32_t bytes, LaneMask lanes, LaneAccess& access) {
    access.regular = false;
    access.listed = false;
    if (base == no_slot) {
        access.first = static_cast<std::uint64_t>(offset);
        access.step = 0;
        access.regular = lanes == all_lanes;
        if (!access.regular) access.list();
        return;
    }
    const Address* const row = warp.row<Address>(base);
    const auto added = static_cast<Address>(offset);
    const auto lane_address = [&](unsigned lane) { return static_cast<Address>(row[lane] + added); };
    if (lanes == all_lanes) {
        const auto across = static_cast<Address>(row[warp_size - 1] - row[0]);
        if (across == 0 || across == Address{warp_size - 1} * bytes) {
            const Address step = across == 0 ? 0 : Address{bytes};
            Address difference = 0;
            for (unsigned lane = 0; lane < warp_size; ++lane)
                difference |= static_cast<Address>(row[lane] - row[0]) ^ static_cast<Address>(lane * step);
            access.first = lane_address(0);
            access.step = step;
            // A 32-bit sum that wraps on the way is left to the list.
            access.regular = difference == 0 && lane_address(0) <= lane_address(warp_size - 1);
            if (access.regular) return;
        }
        for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = lane_address(lane);
    } else {
        const std::uint64_t other = lane_address(first_lane(lanes));
        for (unsigned lane = 0; lane < warp_size; ++lane)
            access.address[lane] = ((lanes >> lane) & 1U) != 0 ? lane_address(lane) : other;
    }
    access.listed = true;
}

template void locate<std::uint32_t>(Warp&, Slot, std::int64_t, std::uint32_t, LaneMask, LaneAccess&);
template void locate<std::uint64_t>(Warp&, Slot, std::int64_t, std::uint32_t, LaneMask, LaneAccess&);

void show(Warp& warp, const Operation& operation, LaneMask lanes, AccessKind kind, LaneAccess& access,
          AsyncPhase phase) {
    const bool watched =
        kind.space == ptx::Space::global || kind.space == ptx::Space::shared || kind.space == ptx::Space::local;
    if (!watched) return;
    access.list();
    const Access seen{.warp = warp,
                      .operation = operation,
                      .space = kind.space,
                      .reads = kind.intent != Intent::store,
                      .writes = kind.intent != Intent::load,
                      .atomic = kind.intent == Intent::atomic,
                      .bytes = kind.bytes,
                      .lanes = lanes,
                      .addresses = access.address.data(),
                      .phase = phase,
                      .regular = access.regular,
                      .step = access.step};
    for (Observer* observer : warp.block->observers) observer->on_access(seen);
}

bool narrow_generic(LaneAccess& access, ptx::Space& space) {
    const std::uint64_t first = access.of(0);
    const std::uint64_t window = window_of(first);
    if (access.regular) {
        if (window_of(access.of(warp_size - 1)) != window) {
            access.list();
            access.regular = false;
            return false;
        }
    } else {
        // Windows and device addresses alike differ from each other above the low 32 bits, or not at all.
        std::uint64_t difference = 0;
        std::uint64_t highest = 0;
        for (const std::uint64_t address : access.address) {
            difference |= address ^ first;
            highest |= address;
        }
        const bool together = window == 0 ? highest < local_window : difference < window_bytes;
        if (!together) return false;
    }
    space = space_of_window(window);
    access.first -= window;
    if (access.regular || window == 0) return true;
    for (std::uint64_t& address : access.address) address -= window;
    return true;
}

SpacePart split_generic(LaneMask lanes, const LaneAccess& generic, LaneAccess& part_access) {
    const std::uint64_t window = window_of(generic.of(first_lane(lanes)));
    SpacePart part{.space = space_of_window(window)};
    for (unsigned lane = 0; lane < warp_size; ++lane)
        part.lanes |= LaneMask{window_of(generic.of(lane)) == window} << lane;
    part.lanes &= lanes;
    const std::uint64_t other = generic.of(first_lane(part.lanes));
    for (unsigned lane = 0; lane < warp_size; ++lane)
        part_access.address[lane] = (((part.lanes >> lane) & 1U) != 0 ? generic.of(lane) : other) - window;
    part_access.regular = false;
    part_access.listed = true;
    return part;
}

template <ptx::Space space, typename Address>
void access_memory(Warp& warp, const Operation& operation, LaneMask lanes, Intent intent, std::uint32_t bytes,
                   Move move) {
    LaneAccess access;
    locate<Address>(warp, operation.source[0], operation.immediate, bytes, lanes, access);
    ptx::Space found = space;
    if (space != ptx::Space::generic || narrow_generic(access, found)) {
        if (admit(warp, operation, lanes, {found, intent, bytes}, access)) move(warp, operation, lanes, access);
        return;
    }
    for (LaneMask left = lanes; left != 0;) {
        LaneAccess part_access;
        const SpacePart part = split_generic(left, access, part_access);
        if (!admit(warp, operation, part.lanes, {part.space, intent, bytes}, part_access)) return;
        move(warp, operation, part.lanes, part_access);
        left &= ~part.lanes;
    }
}

#define LANES_INSTANTIATE(space)                                                                             \
    template void access_memory<ptx::Space::space, std::uint32_t>(Warp&, const Operation&, LaneMask, Intent, \
                                                                  std::uint32_t, Move);                      \
    template void access_memory<ptx::Space::space, std::uint64_t>(Warp&, const Operation&, LaneMask, Intent, \
                                                                  std::uint32_t, Move);
LANES_INSTANTIATE(generic)
LANES_INSTANTIATE(global)
LANES_INSTANTIATE(constant)
LANES_INSTANTIATE(shared)
LANES_INSTANTIATE(local)
LANES_INSTANTIATE(param)
#undef LANES_INSTANTIATE

}  // namespace lanes::emulator
