// Wavefronts and bank conflicts: every pattern measured on an H200, and random ones against a slow reference.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/banks.hpp>
#include <lanes/model/tile_access.hpp>

#include "headline_values.hpp"
#include "random_accesses.hpp"

#include <map>
#include <set>
#include <vector>

using namespace lanes::model;

namespace {

/// One pattern and what Nsight Compute counted for it on an H200.
struct MeasuredPattern {
    const char* name;
    unsigned bytes_per_lane;
    std::uint64_t (*offset)(std::uint64_t lane);
    LaneMask active;
    std::array<unsigned, 2> load;   ///< wavefronts, conflicts
    std::array<unsigned, 2> store;  ///< wavefronts, conflicts
};

constexpr LaneMask first_half = 0x0000ffffU;
constexpr LaneMask even_lanes = 0x55555555U;

const std::vector<MeasuredPattern> measured_patterns{
    {"4: i*4", 4, [](std::uint64_t i) { return i * 4; }, all_lanes, {1, 0}, {1, 0}},
    {"4: i*8", 4, [](std::uint64_t i) { return i * 8; }, all_lanes, {2, 1}, {2, 1}},
    {"4: i*128", 4, [](std::uint64_t i) { return i * 128; }, all_lanes, {32, 31}, {32, 31}},
    {"4: i*132", 4, [](std::uint64_t i) { return i * 132; }, all_lanes, {1, 0}, {1, 0}},
    {"4: all 0", 4, [](std::uint64_t) { return std::uint64_t{0}; }, all_lanes, {1, 0}, {1, 0}},
    {"4: (i&1)*128", 4, [](std::uint64_t i) { return (i & 1) * 128; }, all_lanes, {2, 1}, {2, 1}},
    {"4: i<16 ? i*128 : off", 4, [](std::uint64_t i) { return i * 128; }, first_half, {16, 15}, {16, 15}},
    {"8: i*8", 8, [](std::uint64_t i) { return i * 8; }, all_lanes, {2, 0}, {2, 0}},
    {"8: i*128", 8, [](std::uint64_t i) { return i * 128; }, all_lanes, {32, 30}, {32, 30}},
    {"8: all 0", 8, [](std::uint64_t) { return std::uint64_t{0}; }, all_lanes, {1, 0}, {2, 0}},
    {"8: (i/2)*8", 8, [](std::uint64_t i) { return i / 2 * 8; }, all_lanes, {1, 0}, {2, 0}},
    {"8: ((i&1)+2*(i>>2))*8",
     8,
     [](std::uint64_t i) { return ((i & 1) + 2 * (i >> 2)) * 8; },
     all_lanes,
     {1, 0},
     {2, 0}},
    {"8: (i&15)*8", 8, [](std::uint64_t i) { return (i & 15) * 8; }, all_lanes, {2, 0}, {2, 0}},
    {"8: i<16 ? i*8 : off", 8, [](std::uint64_t i) { return i * 8; }, first_half, {1, 0}, {1, 0}},
    {"8: i even ? i*8 : off", 8, [](std::uint64_t i) { return i * 8; }, even_lanes, {2, 1}, {2, 0}},
    {"16: i*16", 16, [](std::uint64_t i) { return i * 16; }, all_lanes, {4, 0}, {4, 0}},
    {"16: i*32", 16, [](std::uint64_t i) { return i * 32; }, all_lanes, {8, 4}, {8, 4}},
    {"16: i*128", 16, [](std::uint64_t i) { return i * 128; }, all_lanes, {32, 28}, {32, 28}},
    {"16: all 0", 16, [](std::uint64_t) { return std::uint64_t{0}; }, all_lanes, {2, 0}, {4, 0}},
    {"16: (i/2)*16", 16, [](std::uint64_t i) { return i / 2 * 16; }, all_lanes, {2, 0}, {4, 0}},
    {"16: ((i&1)+2*(i>>2))*16",
     16,
     [](std::uint64_t i) { return ((i & 1) + 2 * (i >> 2)) * 16; },
     all_lanes,
     {2, 0},
     {4, 0}},
    {"16: (i&7)*16", 16, [](std::uint64_t i) { return (i & 7) * 16; }, all_lanes, {4, 0}, {4, 0}},
};

/// Cost of a load.
/// @param addresses one offset for each lane
/// @param bytes_per_lane 1 to 16
/// @param active lanes that take part
SharedAccessCost load_cost(const LaneAddresses& addresses, unsigned bytes_per_lane, LaneMask active = all_lanes) {
    return shared_access_cost(SharedOperation::load, addresses, bytes_per_lane, active);
}

/// Cost of a load with a stride of floats: a column of a tile with that pitch.
/// @param pitch floats between neighbouring lanes
unsigned column_wavefronts(unsigned pitch) {
    return load_cost(strided_addresses(0, pitch * 4), 4).wavefronts;
}

/// Whether two lanes agree: the same address, or one of them off.
bool agree(const LaneAddresses& addresses, LaneMask active, unsigned lane, unsigned other) {
    return !is_active(active, lane) || !is_active(active, other) || addresses[lane] == addresses[other];
}

/// Lanes served together.
unsigned lanes_per_phase(SharedOperation operation, const LaneAddresses& addresses, unsigned bytes, LaneMask active) {
    if (bytes <= 4) return 32;
    bool by_1 = operation == SharedOperation::load;
    bool by_2 = by_1;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        by_1 = by_1 && agree(addresses, active, lane, lane ^ 1U);
        by_2 = by_2 && agree(addresses, active, lane, lane ^ 2U);
    }
    return 128 / bytes * (by_1 || by_2 ? 2 : 1);
}

/// Wavefronts and ideal, word by word.
SharedAccessCost cost_of_all_words(SharedOperation operation, const LaneAddresses& addresses, unsigned bytes,
                                   LaneMask active) {
    const unsigned lanes = lanes_per_phase(operation, addresses, bytes, active);
    SharedAccessCost cost;
    for (unsigned first = 0; first < warp_size; first += lanes) {
        std::map<std::uint64_t, std::set<std::uint64_t>> words_of_bank;
        for (unsigned lane = first; lane < first + lanes; ++lane)
            for (unsigned byte = 0; byte < bytes; ++byte) {
                const std::uint64_t word = (addresses[lane] + byte) / 4;
                if (is_active(active, lane)) words_of_bank[word % 32].insert(word);
            }
        std::size_t busiest = 0;
        for (const auto& [bank, words] : words_of_bank) busiest = std::max(busiest, words.size());
        cost.wavefronts += static_cast<unsigned>(busiest);
        cost.ideal_wavefronts += busiest != 0 ? 1 : 0;
    }
    return cost;
}

/// Checks that a map serves each bank at most once a wavefront, except lanes that share a word.
void check_map(const BankMap& map, LaneMask active) {
    std::map<std::pair<unsigned, unsigned>, std::uint64_t> row_of;  // by wavefront and bank
    std::set<unsigned> wavefronts;
    bool consistent = true;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const BankPlacement& placement = map.lanes[lane];
        consistent = consistent && placement.active == is_active(active, lane);
        if (!placement.active) continue;
        wavefronts.insert(placement.wavefront);
        for (unsigned bank = placement.bank; bank < placement.bank + placement.banks; ++bank) {
            const auto [entry, added] = row_of.try_emplace({placement.wavefront, bank}, placement.row);
            consistent = consistent && entry->second == placement.row;
        }
    }
    CHECK(consistent);
    CHECK(wavefronts.size() == map.cost.wavefronts);
    CHECK((wavefronts.empty() || *wavefronts.rbegin() + 1 == map.cost.wavefronts));
}

}  // namespace

TEST_CASE("every pattern measured on an H200") {
    for (const MeasuredPattern& pattern : measured_patterns) {
        CAPTURE(pattern.name);
        const LaneAddresses addresses = lane_addresses(pattern.offset);
        const SharedAccessCost load =
            shared_access_cost(SharedOperation::load, addresses, pattern.bytes_per_lane, pattern.active);
        const SharedAccessCost store =
            shared_access_cost(SharedOperation::store, addresses, pattern.bytes_per_lane, pattern.active);
        CHECK(load.wavefronts == pattern.load[0]);
        CHECK(load.conflicts() == pattern.load[1]);
        CHECK(store.wavefronts == pattern.store[0]);
        CHECK(store.conflicts() == pattern.store[1]);
    }
}

TEST_CASE("loads whose lanes pair up have half the phases and half the ideal") {
    const auto cost_8 = load_cost(lane_addresses([](unsigned i) { return i / 2 * 16; }), 8);
    CHECK(cost_8.wavefronts == 2);
    CHECK(cost_8.conflicts() == 1);
    const auto cost_16 = load_cost(lane_addresses([](unsigned i) { return i / 2 * 64; }), 16);
    CHECK(cost_16.wavefronts == 8);
    CHECK(cost_16.conflicts() == 6);
    // n and n ^ 4 do not make a pair, nor do pairs in only a part of the warp.
    const auto apart_by_4 = [](unsigned i) { return ((i & 3U) + 4 * (i >> 3U)) * 8; };
    CHECK(load_cost(lane_addresses(apart_by_4), 8).ideal_wavefronts == 2);
    CHECK(load_cost(lane_addresses([](unsigned i) { return (i < 30 ? i / 2 : i) * 8; }), 8).ideal_wavefronts == 2);
    // Pairs of both kinds, but neither kind throughout.
    const auto mixed = [](unsigned i) { return (i < 16 ? i / 2 : (i & 1U) + 2 * (i >> 2U)) * 8; };
    CHECK(load_cost(lane_addresses(mixed), 8).ideal_wavefronts == 2);
}

TEST_CASE("random aligned accesses agree with the words") {
    constexpr std::uint64_t seed = 20260204;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    unsigned halved = 0;
    unsigned with_conflicts = 0;
    for (int i = 0; i < 30000; ++i) {
        const unsigned bytes = random.width(4);
        const LaneMask active = random.mask();
        const LaneAddresses addresses = random.addresses(std::uint64_t{1} << (7 + random.number(11)), bytes);
        for (const SharedOperation operation : {SharedOperation::load, SharedOperation::store}) {
            CAPTURE(bytes);
            CAPTURE(active);
            const SharedAccessCost expected = cost_of_all_words(operation, addresses, bytes, active);
            const SharedAccessCost cost = shared_access_cost(operation, addresses, bytes, active);
            CHECK(cost.wavefronts == expected.wavefronts);
            CHECK(cost.ideal_wavefronts == expected.ideal_wavefronts);
            const BankMap map = bank_map(operation, addresses, bytes, active);
            CHECK(map.cost == cost);
            check_map(map, active);
            halved += lanes_per_phase(operation, addresses, bytes, active) * bytes > 128 ? 1 : 0;
            with_conflicts += cost.conflicts() > 0 ? 1 : 0;
        }
    }
    // The draw must exercise what it is there for.
    CHECK(halved > 1000);
    CHECK(with_conflicts > 10000);
}

TEST_CASE("offsets of lanes that are off mean nothing") {
    LaneAddresses addresses = strided_addresses(0, 4);
    for (unsigned lane = 16; lane < warp_size; ++lane) addresses[lane] = 128 * lane;
    CHECK(load_cost(addresses, 4, first_half) == SharedAccessCost{.wavefronts = 1, .ideal_wavefronts = 1});
    CHECK(load_cost(addresses, 4, 0) == SharedAccessCost{});
}

TEST_CASE("tiles of the text") {
    CHECK(column_wavefronts(32) == 32);
    CHECK(column_wavefronts(33) == 1);
    // 32 x 32, swizzled: row and column.
    for (unsigned k = 0; k < warp_size; ++k) {
        CHECK(load_cost(lane_addresses([=](unsigned x) { return (k * 32 + (x ^ k)) * 4; }), 4).wavefronts == 1);
        CHECK(load_cost(lane_addresses([=](unsigned y) { return (y * 32 + (k ^ y)) * 4; }), 4).wavefronts == 1);
    }
    // 16 x 16: a warp reads two columns. Padding by one is not enough there.
    const auto two_columns = [](unsigned pitch) {
        return load_cost(lane_addresses([=](unsigned i) { return (i % 16 * pitch + i / 16) * 4; }), 4).wavefronts;
    };
    CHECK(two_columns(16) == 8);
    CHECK(two_columns(17) == 2);
    CHECK(two_columns(18) == 1);
    // 16 x 16 product: two words of As, sixteen of Bs.
    CHECK(load_cost(lane_addresses([](unsigned i) { return i / 16 * 64; }), 4).wavefronts == 1);
    CHECK(load_cost(lane_addresses([](unsigned i) { return i % 16 * 4; }), 4).wavefronts == 1);
}

TEST_CASE("wide columns of the text") {
    CHECK(load_cost(strided_addresses(0, 32 * 8), 8).wavefronts == 32);
    CHECK(load_cost(strided_addresses(0, 33 * 8), 8).wavefronts == 2);
    CHECK(load_cost(strided_addresses(0, 32 * 4), 16).wavefronts == 32);
    CHECK(load_cost(strided_addresses(0, 36 * 4), 16).wavefronts == 4);
}

TEST_CASE("bytes and halves of one word do not conflict") {
    CHECK(load_cost(strided_addresses(0, 1), 1) == SharedAccessCost{.wavefronts = 1, .ideal_wavefronts = 1});
    CHECK(load_cost(strided_addresses(0, 2), 2) == SharedAccessCost{.wavefronts = 1, .ideal_wavefronts = 1});
    CHECK(load_cost(strided_addresses(0, 128), 1).wavefronts == 32);
}

TEST_CASE("the degree of a stride is its greatest common divisor with the banks") {
    for (unsigned banks : {8U, 32U})
        for (unsigned stride = 0; stride <= 2 * banks; ++stride) {
            std::vector<std::uint64_t> words;
            for (unsigned lane = 0; lane < banks; ++lane) words.push_back(std::uint64_t{lane} * stride);
            CHECK(conflict_degree(words, banks) == stride_conflict_degree(stride, banks));
        }
    for (unsigned stride = 0; stride <= 64; ++stride)
        CHECK(column_wavefronts(stride) == stride_conflict_degree(stride));
    CHECK(conflict_degree({}, 8) == 0);
    // Sixteen lanes at stride 2 are free: the formula needs a full warp.
    CHECK(load_cost(strided_addresses(0, 8), 4, first_half).wavefronts == 1);
}

TEST_CASE("a map of eight-byte elements") {
    const BankMap map = bank_map(SharedOperation::load, strided_addresses(8, 8), 8);
    CHECK(map.lanes[0] == BankPlacement{.active = true, .bank = 2, .banks = 2, .phase = 0, .wavefront = 0, .row = 0});
    CHECK(map.lanes[15] == BankPlacement{.active = true, .bank = 0, .banks = 2, .phase = 0, .wavefront = 0, .row = 1});
    CHECK(map.lanes[31] == BankPlacement{.active = true, .bank = 0, .banks = 2, .phase = 1, .wavefront = 1, .row = 2});
}

TEST_CASE("a small machine's map fills its buckets in the order of the lanes, and counts what they hold") {
    const std::array<std::uint64_t, 8> words{0, 8, 1, 0, 16, 9, 9, 7};
    const BankMap map = small_bank_map(words, 8);
    constexpr std::array banks{0U, 0U, 1U, 0U, 0U, 1U, 1U, 7U};
    constexpr std::array wavefronts{0U, 1U, 0U, 0U, 2U, 1U, 1U, 0U};
    for (std::size_t lane = 0; lane < words.size(); ++lane) {
        CHECK(map.lanes[lane].bank == banks[lane]);
        CHECK(map.lanes[lane].wavefront == wavefronts[lane]);
        CHECK(map.lanes[lane].row == words[lane] / 8);
    }
    CHECK(map.cost == SharedAccessCost{.wavefronts = 3, .ideal_wavefronts = 1});
    CHECK_FALSE(map.lanes[8].active);
    CHECK(small_bank_map({}, 8).cost == SharedAccessCost{});
}

TEST_CASE("a small machine of 32 banks is the real one, for words") {
    for (unsigned stride = 0; stride <= 64; ++stride) {
        const LaneAddresses words = strided_addresses(0, stride);
        const BankMap map = bank_map(SharedOperation::load, strided_addresses(0, 4UL * stride), 4);
        CHECK(small_bank_map(words, bank_count).lanes == map.lanes);
        CHECK(small_bank_map(words, bank_count).cost == map.cost);
    }
}

TEST_CASE("ways through a tile") {
    const auto cost = [](const TileAccess& access) {
        return load_cost(lane_addresses([&](unsigned lane) { return access.element_of(lane) * 4; }), 4).wavefronts;
    };
    CHECK(cost({.width = 32, .pitch = 32}) == 1);
    CHECK(cost({.width = 32, .pitch = 32, .down = true}) == 32);
    CHECK(cost({.width = 32, .pitch = 33, .down = true}) == 1);
    for (const bool down : {false, true})
        for (const unsigned width : {8U, 16U, 32U})
            CHECK(cost({.width = width, .pitch = width, .down = down, .swizzled = true}) == 1);
    CHECK(cost({.width = 16, .pitch = 17, .down = true}) == 2);
    CHECK(TileAccess{.width = 16, .pitch = 18, .down = true}.element_of(17) == 18 + 1);
    CHECK(TileAccess{.width = 16, .pitch = 18, .down = true, .swizzled = true}.element_of(17) == 18 + (1 ^ 1));
    CHECK(TileAccess{.width = 16, .pitch = 18}.element_of(17) == 18 + 1);
}
