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
    for (std::uint32_t row = 0; row < rows.count; ++row) {
        std::uint64_t* const of_row = address.data() + std::size_t{row} * rows.lanes();
        for (unsigned lane = 0; lane < rows.lanes(); ++lane) of_row[lane] = rows.first[row] + lane * rows.step;
    }
    listed = true;
}

namespace {

/// True if each row of `row_lanes` bases goes on by `step`. One branch-free loop over all lanes, so that it vectorises:
/// compilers unroll short loops first, and then see no vectors.
template <unsigned row_lanes, typename Address>
bool lie_in_rows(const Address* bases, Address step) {
    const Address first[] = {bases[0], bases[row_lanes % 32], bases[2 * row_lanes % 32], bases[3 * row_lanes % 32]};
    Address difference = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Address low = lane < row_lanes ? first[0] : first[1];
        const Address high = lane < 3 * row_lanes ? first[2] : first[3];
        const Address start = lane < 2 * row_lanes ? low : high;
        difference |= static_cast<Address>(bases[lane] - start) ^ static_cast<Address>(lane % row_lanes * step);
    }
    return difference == 0;
}

/// The number of rows that the bases of 32 lanes make; 0 if they make none.
template <typename Address>
std::uint32_t count_rows(const Address* bases, Address step) {
    const auto across = [&](unsigned lanes) { return static_cast<Address>(bases[lanes - 1] - bases[0]); };
    if (across(32) == 31 * step && lie_in_rows<32>(bases, step)) return 1;
    if (across(16) == 15 * step && lie_in_rows<16>(bases, step)) return 2;
    if (across(8) == 7 * step && lie_in_rows<8>(bases, step)) return 4;
    return 0;
}

/// Finds the rows of an access of all lanes, if there are any. A 32-bit sum that wraps in a row is left to the list.
template <typename Address>
void find_rows(const Address* bases, Address offset, std::uint32_t bytes, LaneRows& rows) {
    const auto step = static_cast<Address>(bases[1] - bases[0]);
    if (step != 0 && step != bytes) return;
    const std::uint32_t count = count_rows(bases, step);
    if (count == 0) return;
    const unsigned lanes = warp_size / count;
    for (std::uint32_t row = 0; row < count; ++row) {
        const auto first = static_cast<Address>(bases[row * lanes] + offset);
        if (static_cast<Address>(first + (lanes - 1) * step) < first) return;
        rows.first[row] = first;
    }
    rows.step = step;
    rows.count = count;
}

}  // namespace

const std::uint64_t* Access::addresses() const {
    located.list();
    return located.address.data();
}

template <typename Address>
void locate(Warp& warp, Slot base, std::int64_t offset, std::uint32_t bytes, LaneMask lanes, LaneAccess& access) {
    access.rows.count = 0;
    access.listed = false;
    if (base == no_slot) {
        access.rows = {.count = 1, .step = 0, .first = {static_cast<std::uint64_t>(offset)}};
        if (lanes == all_lanes) return;
        access.list();
        access.rows.count = 0;
        return;
    }
    const Address* const row = warp.row<Address>(base);
    const auto added = static_cast<Address>(offset);
    const auto lane_address = [&](unsigned lane) { return static_cast<Address>(row[lane] + added); };
    if (lanes == all_lanes) {
        find_rows<Address>(row, added, bytes, access.rows);
        if (access.rows.exist()) return;
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

void show(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, LaneAccess& access,
          AsyncPhase phase) {
    const bool watched =
        kind.space == ptx::Space::global || kind.space == ptx::Space::shared || kind.space == ptx::Space::local;
    if (!watched) return;
    const Access seen{.warp = warp,
                      .operation = operation,
                      .space = kind.space,
                      .reads = kind.intent != Intent::store,
                      .writes = kind.intent != Intent::load,
                      .atomic = kind.intent == Intent::atomic,
                      .bytes = kind.bytes,
                      .lanes = lanes,
                      .located = access,
                      .phase = phase,
                      .rows = access.rows};
    for (Observer* observer : warp.block->observers) observer->on_access(seen);
}

bool narrow_generic(LaneAccess& access, ptx::Space& space) {
    const std::uint64_t first = access.of(0);
    const std::uint64_t window = window_of(first);
    bool together = true;
    if (access.rows.exist()) {
        for (std::uint32_t row = 0; row < access.rows.count; ++row)
            together =
                together && window_of(access.rows.first[row]) == window && window_of(access.rows.last(row)) == window;
    } else {
        // Windows and device addresses alike differ from each other above the low 32 bits, or not at all.
        std::uint64_t difference = 0;
        std::uint64_t highest = 0;
        for (const std::uint64_t address : access.address) {
            difference |= address ^ first;
            highest |= address;
        }
        together = window == 0 ? highest < local_window : difference < window_bytes;
    }
    if (!together) {
        access.list();
        access.rows.count = 0;
        return false;
    }
    space = space_of_window(window);
    for (std::uint32_t row = 0; row < access.rows.count; ++row) access.rows.first[row] -= window;
    if (access.rows.exist() || window == 0) return true;
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
    part_access.rows.count = 0;
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
