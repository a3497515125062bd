/// @file
/// @brief One memory access of one warp: where its lanes go, whether they may, and what it costs.
///
/// A handler locates the lanes' addresses, has them admitted (checked, counted, shown to observers), and only then
/// moves data. Most accesses lie in rows: see LaneRows. Those need no list of addresses and are checked and counted by
/// the ends of their rows.
#pragma once

#include "execution.hpp"
#include "lane_masks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace lanes::emulator {

/// What an access does to memory.
enum class Intent : std::uint8_t { load, store, atomic };

/// What one access is, the same for all its lanes.
struct AccessKind {
    ptx::Space space = ptx::Space::global;
    Intent intent = Intent::load;
    std::uint32_t bytes = 4;  ///< a lane's bytes, vector included
};

/// Where the lanes of one access go, all in one state space.
struct LaneAccess {
    LaneRows rows{};
    bool listed = false;            ///< `address` is filled
    std::byte* host = nullptr;      ///< host address of address 0 of the space, for lane 0
    std::uint64_t lane_stride = 0;  ///< local memory: host distance of neighbouring lanes
    /// One address for each lane. Lanes that do not take part hold that of the first that does, so that checks need no
    /// mask. Not initialised: filling it is the cost that accesses in rows avoid.
    alignas(64) std::array<std::uint64_t, warp_size> address;

    LaneAccess() {}  // NOLINT: `address` stays unset on purpose

    /// Address of a lane that takes part.
    std::uint64_t of(unsigned lane) const { return rows.exist() ? rows.of(lane) : address[lane]; }
    /// Host address of an address of the space, for lane 0.
    std::byte* on_host(std::uint64_t place) const {
        // As a number: `host` may be null, to which C++ allows nothing to be added.
        return reinterpret_cast<std::byte*>(reinterpret_cast<std::uint64_t>(host) + place);
    }
    /// Host address of the byte at `of(lane)`.
    std::byte* at(unsigned lane) const { return on_host(of(lane) + lane * lane_stride); }
    /// Fills `address` for observers and for counting.
    void list();
};

/// Finds the addresses of an access from a row of base addresses (or none) and an offset.
/// @tparam Address  std::uint64_t or std::uint32_t: the width of the base's row, in which the sum wraps
/// @param bytes  a lane's bytes
/// @param access  written; its space is not known yet
template <typename Address>
void locate(Warp& warp, Slot base, std::int64_t offset, std::uint32_t bytes, LaneMask lanes, LaneAccess& access);

/// Checks alignment and bounds, raises a fault at the first lane that fails, and finds the host address.
/// @param alignment  a power of two; for most accesses the same as the bytes
/// @return false if a fault was raised
bool check(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, std::uint32_t alignment,
           LaneAccess& access);

/// Adds what the access costs to the operation's counters: global and shared accesses only.
void count(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, const LaneAccess& access);

/// Shows the access to observers: see observe.
void show(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, LaneAccess& access,
          AsyncPhase phase);

/// Shows the access to the block's observers: global, shared and local accesses only.
inline void observe(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, LaneAccess& access,
                    AsyncPhase phase = AsyncPhase::none) {
    if (!warp.block->observers.empty()) show(warp, operation, lanes, kind, access, phase);
}

/// check, count and observe.
inline bool admit(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, LaneAccess& access) {
    if (!check(warp, operation, lanes, kind, kind.bytes, access)) return false;
    count(warp, operation, lanes, kind, access);
    observe(warp, operation, lanes, kind, access);
    return true;
}

/// If all lanes of a generic access go to one space, makes its addresses those of the space.
/// @param space  written if so
/// @return false if the lanes go to several spaces: see split_generic
bool narrow_generic(LaneAccess& access, ptx::Space& space);

/// The lanes of a generic access that go to the same space as the first of them.
struct SpacePart {
    ptx::Space space = ptx::Space::global;
    LaneMask lanes = 0;
};

/// Takes the first part of a generic access that goes to several spaces.
/// @param lanes  lanes left, not 0
/// @param generic  their generic addresses, listed
/// @param part_access  written: the part's addresses in its space
SpacePart split_generic(LaneMask lanes, const LaneAccess& generic, LaneAccess& part_access);

/// Moves the data of an admitted access.
using Move = void (*)(Warp& warp, const Operation& operation, LaneMask lanes, const LaneAccess& access);

/// Locates and admits the access at source[0] + immediate, then has its data moved: in one go, or space by space if a
/// generic access goes to several. Stops at the first fault. Not inlined: handlers are many and should stay small.
/// @tparam space  of the instruction
/// @tparam Address  std::uint64_t or std::uint32_t: the width of the address register
/// @param bytes  a lane's bytes
template <ptx::Space space, typename Address>
void access_memory(Warp& warp, const Operation& operation, LaneMask lanes, Intent intent, std::uint32_t bytes,
                   Move move);

}  // namespace lanes::emulator
