/// @file
/// @brief How a warp goes through a tile in shared memory: along its rows or down its columns, padded or swizzled.
#pragma once

#include <lanes/model/warp.hpp>

#include <cstdint>

namespace lanes::model {

/// One access of a warp to a square tile that lies in shared memory row by row. Neighbouring lanes stand side by side,
/// or one below the other, as far as the tile goes.
struct TileAccess {
    unsigned width = warp_size;  ///< rows and columns of the tile; a power of two if it is swizzled
    unsigned pitch = warp_size;  ///< elements from row to row; those beyond the width are padding
    bool down = false;           ///< lanes go down the columns
    bool swizzled = false;       ///< row y keeps its column x in place x ^ y

    /// The row of a lane's element.
    /// @param lane 0 to 31
    constexpr unsigned row_of(unsigned lane) const { return down ? lane % width : lane / width; }
    /// The place in its row of a lane's element.
    /// @param lane 0 to 31
    constexpr unsigned place_of(unsigned lane) const {
        const unsigned column = down ? lane / width : lane % width;
        return swizzled ? column ^ row_of(lane) : column;
    }
    /// The element of a lane, counted from the start of the tile.
    /// @param lane 0 to 31
    constexpr std::uint64_t element_of(unsigned lane) const {
        return std::uint64_t{row_of(lane)} * pitch + place_of(lane);
    }
};

}  // namespace lanes::model
