/// @file
/// @brief Export `banks`: what one access of a warp to a tile in shared memory costs, and which wavefront serves each
/// lane.
#include <lanes/model/banks.hpp>
#include <lanes/model/tile_access.hpp>

#include "export.hpp"

#include <cstdint>
#include <span>

namespace {

namespace model = lanes::model;

/// Where the lanes go: a warp on the real machine, or 8 lanes on a small one of 8 banks, which knows words only.
model::BankMap map_of(const model::TileAccess& access, unsigned banks, unsigned bytes) {
    const model::LaneAddresses elements = model::lane_addresses([&](unsigned lane) { return access.element_of(lane); });
    if (banks != model::bank_count) return model::small_bank_map(std::span(elements).first(banks), banks);
    const model::LaneAddresses addresses = model::lane_addresses([&](unsigned lane) { return elements[lane] * bytes; });
    return model::bank_map(model::SharedOperation::load, addresses, bytes);
}

/// In: banks, 8 or 32; bytes a lane, 4, 8 or 16 (4 if there are 8 banks); the tile's width, 8, 16 or 32; elements from
/// row to row; whether lanes go down the columns; whether the tile is swizzled.
/// Out: wavefronts of a load, at best, conflicts; then for each lane (8 or 32) the row of its element, its place in the
/// row, its first bank, how many banks, phase, wavefront; then for each element of the tile, row by row and with the
/// padding, its first bank.
void compute_banks(lanes::web::Call& call) {
    const unsigned banks = call.choice("the number of banks", {8, model::bank_count});
    const unsigned bytes = call.choice("bytes a lane", {4, 8, 16});
    if (banks != model::bank_count && bytes != model::bank_bytes)
        call.refuse("A lane has 4 bytes on the small machine of 8 banks.");
    model::TileAccess access;
    access.width = call.choice("the tile's width", {8, 16, 32});
    access.pitch = call.unsigned_integer("the pitch", access.width, 64);
    access.down = call.choice("down", {0, 1}) != 0;
    access.swizzled = call.choice("swizzled", {0, 1}) != 0;
    if (call.refused()) return;
    const model::BankMap map = map_of(access, banks, bytes);
    call.put(map.cost.wavefronts);
    call.put(map.cost.ideal_wavefronts);
    call.put(map.cost.conflicts());
    for (unsigned lane = 0; lane < banks; ++lane) {
        const model::BankPlacement& place = map.lanes[lane];
        for (const unsigned number : {access.row_of(lane), access.place_of(lane), unsigned{place.bank},
                                      unsigned{place.banks}, unsigned{place.phase}, unsigned{place.wavefront}})
            call.put(number);
    }
    for (unsigned element = 0; element < access.width * access.pitch; ++element)
        call.put(model::bank_of(std::uint64_t{element} * bytes, banks));
}

}  // namespace

LANES_WEB_EXPORT(banks, compute_banks)
