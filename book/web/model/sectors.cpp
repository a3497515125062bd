/// @file
/// @brief Export `sectors`: what one access of a warp to global memory costs, and which sectors each lane touches.
#include <lanes/model/sectors.hpp>

#include "export.hpp"

#include <bit>

namespace {

namespace model = lanes::model;

/// In: bytes a lane, mask of the active lanes, 32 byte addresses.
/// Out: requests, sectors, lines, ideal sectors; then for each lane its sector's number, -1 if it is not active; then
/// the bytes that lanes read, each byte once however many lanes want it.
void compute_sectors(lanes::web::Call& call) {
    const unsigned bytes = call.choice("bytes a lane", {1, 2, 4, 8, 16, 32});
    const model::LaneMask active = call.unsigned_integer("the mask of active lanes", 0, model::all_lanes);
    model::LaneAddresses addresses{};
    for (std::uint64_t& address : addresses) {
        address = static_cast<std::uint64_t>(call.integer("an address", 0, std::int64_t{1} << 52));
        if (address % bytes != 0) call.refuse("An address must be a multiple of the bytes that a lane accesses there.");
    }
    const model::GlobalAccessCost cost = model::global_access_cost(addresses, bytes, active);
    call.put(cost.requests);
    call.put(cost.sectors);
    call.put(cost.lines);
    call.put(cost.ideal_sectors);
    for (unsigned lane = 0; lane < model::warp_size; ++lane)
        call.put(model::is_active(active, lane) ? static_cast<double>(addresses[lane] / model::sector_bytes) : -1);
    call.put(model::count_segments(addresses, bytes, active, std::countr_zero(bytes)) * bytes);
}

}  // namespace

LANES_WEB_EXPORT(sectors, compute_sectors)
