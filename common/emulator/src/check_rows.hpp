/// @file
/// @brief Rows of an access, for loops whose lengths the compiler knows.
#pragma once

#include "execution.hpp"

#include <cstdint>
#include <type_traits>

namespace lanes::emulator {

/// Calls `use(lanes, lane_words)` with the shape of a row, as constants.
/// @return what it returns; false if rows have no such shape
template <typename Use>
bool with_shape(unsigned lanes, std::uint32_t lane_words, const Use& use) {
    const auto with_words = [&](auto lane_count) {
        switch (lane_words) {
            case 1:
                return use(lane_count, std::integral_constant<unsigned, 1>{});
            case 2:
                return use(lane_count, std::integral_constant<unsigned, 2>{});
            case 4:
                return use(lane_count, std::integral_constant<unsigned, 4>{});
            default:
                return false;
        }
    };
    switch (lanes) {
        case 8:
            return with_words(std::integral_constant<unsigned, 8>{});
        case 16:
            return with_words(std::integral_constant<unsigned, 16>{});
        default:
            return with_words(std::integral_constant<unsigned, 32>{});
    }
}

/// True if no two rows of an access touch the same byte.
inline bool are_apart(const LaneRows& rows) {
    const std::uint64_t bytes = rows.lanes() * rows.step;
    for (std::uint32_t row = 1; row < rows.count; ++row)
        for (std::uint32_t other = 0; other < row; ++other)
            if (rows.first[row] - rows.first[other] + bytes - 1 < 2 * bytes - 1) return false;
    return true;
}

}  // namespace lanes::emulator
