/// @file
/// @brief Patterns of chapter 3: which element of shared memory each lane of one warp accesses.
#pragma once

#include <lanes/cases.hpp>
#include <lanes/prediction.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Bytes of shared memory that a pattern may use.
inline constexpr unsigned pattern_bytes = 8192;

/// The element of a lane that takes no part.
inline constexpr int off = -1;

/// One access by one warp.
struct Pattern {
    std::string name;                   ///< of its results
    lanes::model::SharedOperation way;  ///< load or store
    unsigned bytes;                     ///< an element: 4, 8 or 16
    std::function<int(int)> element;    ///< lane to element, or `off`

    /// Elements of the 32 lanes.
    std::vector<int> elements() const {
        std::vector<int> of_lane(32);
        for (int lane = 0; lane < 32; ++lane) of_lane[lane] = element(lane);
        return of_lane;
    }

    /// What the model says.
    lanes::SharedTraffic cost() const {
        return lanes::shared_traffic_of(way, 32, bytes, [&](std::size_t lane) {
            const int chosen = element(int(lane));
            return chosen == off ? std::nullopt : std::optional<std::uint64_t>(std::uint64_t(chosen) * bytes);
        });
    }
};

/// Loads: broadcast, multicast, half warps, and wide elements.
inline std::vector<Pattern> load_patterns() {
    constexpr auto load = lanes::model::SharedOperation::load;
    return {{"load_row", load, 4, [](int lane) { return lane; }},
            {"load_reversed", load, 4, [](int lane) { return 31 - lane; }},
            {"load_shuffled", load, 4, [](int lane) { return lane * 5 % 32; }},
            {"load_one_word", load, 4, [](int) { return 0; }},
            {"load_eight_words", load, 4, [](int lane) { return lane % 8; }},
            {"load_pairs", load, 4, [](int lane) { return lane / 2; }},
            {"load_two_words_of_a_bank", load, 4, [](int lane) { return lane % 2 * 32; }},
            {"load_stride_2", load, 4, [](int lane) { return lane * 2; }},
            {"load_half_warp_stride_2", load, 4, [](int lane) { return lane < 16 ? lane * 2 : off; }},
            {"load_half_warp_stride_32", load, 4, [](int lane) { return lane < 16 ? lane * 32 : off; }},
            {"load_8_row", load, 8, [](int lane) { return lane; }},
            {"load_8_column_16", load, 8, [](int lane) { return lane * 16; }},
            {"load_8_column_17", load, 8, [](int lane) { return lane * 17; }},
            {"load_8_one", load, 8, [](int) { return 0; }},
            {"load_8_neighbours_share", load, 8, [](int lane) { return lane / 2; }},
            {"load_8_lanes_2_apart_share", load, 8, [](int lane) { return lane % 2 + lane / 4 * 2; }},
            {"load_8_halves_share", load, 8, [](int lane) { return lane % 16; }},
            {"load_8_even_lanes", load, 8, [](int lane) { return lane % 2 == 0 ? lane : off; }},
            {"load_16_row", load, 16, [](int lane) { return lane; }},
            {"load_16_stride_2", load, 16, [](int lane) { return lane * 2; }},
            {"load_16_column_8", load, 16, [](int lane) { return lane * 8; }},
            {"load_16_column_9", load, 16, [](int lane) { return lane * 9; }},
            {"load_16_one", load, 16, [](int) { return 0; }},
            {"load_16_neighbours_share", load, 16, [](int lane) { return lane / 2; }},
            {"load_16_lanes_2_apart_share", load, 16, [](int lane) { return lane % 2 + lane / 4 * 2; }},
            {"load_16_quarters_share", load, 16, [](int lane) { return lane % 8; }}};
}

/// Stores. No two lanes share an element: which of them would win is not defined.
inline std::vector<Pattern> store_patterns() {
    constexpr auto store = lanes::model::SharedOperation::store;
    return {{"store_row", store, 4, [](int lane) { return lane; }},
            {"store_stride_2", store, 4, [](int lane) { return lane * 2; }},
            {"store_column_32", store, 4, [](int lane) { return lane * 32; }},
            {"store_column_33", store, 4, [](int lane) { return lane * 33; }},
            {"store_8_row", store, 8, [](int lane) { return lane; }},
            {"store_8_column_16", store, 8, [](int lane) { return lane * 16; }},
            {"store_8_even_lanes", store, 8, [](int lane) { return lane % 2 == 0 ? lane : off; }},
            {"store_16_row", store, 16, [](int lane) { return lane; }},
            {"store_16_stride_2", store, 16, [](int lane) { return lane * 2; }},
            {"store_16_column_8", store, 16, [](int lane) { return lane * 8; }},
            {"store_16_column_9", store, 16, [](int lane) { return lane * 9; }}};
}
