// Sectors, lines and requests of a global access, against every byte put into a std::set.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/sectors.hpp>

#include "headline_values.hpp"
#include "random_accesses.hpp"

#include <set>

using namespace lanes::model;

namespace {

/// Distinct segments, byte by byte.
/// @param addresses one for each lane
/// @param bytes_per_lane any
/// @param active lanes that take part
/// @param segment_bytes size of a segment
std::size_t segments_of_all_bytes(const LaneAddresses& addresses, unsigned bytes_per_lane, LaneMask active,
                                  unsigned segment_bytes) {
    std::set<std::uint64_t> segments;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (unsigned byte = 0; byte < bytes_per_lane; ++byte)
            if (is_active(active, lane)) segments.insert((addresses[lane] + byte) / segment_bytes);
    return segments.size();
}

/// Compares the model with the bytes.
/// @param addresses one for each lane
/// @param bytes_per_lane any
/// @param active lanes that take part
void check_segments(const LaneAddresses& addresses, unsigned bytes_per_lane, LaneMask active) {
    CAPTURE(bytes_per_lane);
    CAPTURE(active);
    CAPTURE(addresses[0]);
    CAPTURE(addresses[1]);
    CHECK(count_sectors(addresses, bytes_per_lane, active) ==
          segments_of_all_bytes(addresses, bytes_per_lane, active, sector_bytes));
    CHECK(count_lines(addresses, bytes_per_lane, active) ==
          segments_of_all_bytes(addresses, bytes_per_lane, active, line_bytes));
}

}  // namespace

TEST_CASE("aligned accesses agree with the bytes") {
    constexpr std::uint64_t seed = 20260202;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    for (int i = 0; i < 20000; ++i) {
        const unsigned bytes = random.width(5);
        check_segments(random.addresses(std::uint64_t{1} << (10 + random.number(37)), bytes), bytes, random.mask());
    }
}

TEST_CASE("accesses that straddle sectors agree with the bytes") {
    constexpr std::uint64_t seed = 20260203;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    for (int i = 0; i < 20000; ++i) {
        const auto bytes = static_cast<unsigned>(1 + random.number(31));
        check_segments(random.addresses(std::uint64_t{1} << (10 + random.number(37)), 1), bytes, random.mask());
    }
}

TEST_CASE("addresses at the top of the address space") {
    const std::uint64_t high = 0xffff'ffff'ffff'f000ULL;
    CHECK(count_sectors(strided_addresses(high, 4), 4) == 4);
    CHECK(count_sectors(lane_addresses([=](unsigned lane) { return lane % 2 == 0 ? high : 0; }), 4) == 2);
    CHECK(count_sectors(strided_addresses(high, 64), 4) == 32);
}

TEST_CASE("inactive lanes' addresses mean nothing") {
    LaneAddresses addresses = strided_addresses(0, 4);
    for (unsigned lane = 8; lane < warp_size; ++lane) addresses[lane] = 0xdead'beef'0000ULL + lane * 4099;
    CHECK(count_sectors(addresses, 4, 0x000000ffU) == 1);
    CHECK(count_lines(addresses, 4, 0x000000ffU) == 1);
}

TEST_CASE("strides of the text") {
    constexpr std::array<unsigned, 6> strides{1, 2, 4, 8, 16, 32};
    constexpr std::array<unsigned, 6> sectors{4, 8, 16, 32, 32, 32};
    constexpr std::array<unsigned, 6> lines{1, 2, 4, 8, 16, 32};
    for (std::size_t i = 0; i < strides.size(); ++i) {
        CHECK(count_sectors(strided_addresses(0, strides[i] * 4), 4) == sectors[i]);
        CHECK(count_lines(strided_addresses(0, strides[i] * 4), 4) == lines[i]);
    }
}

TEST_CASE("starts, permutations and widths of the text") {
    // On a sector but not on a line: 4 sectors still, but 2 lines.
    CHECK(global_access_cost(strided_addresses(32, 4), 4) ==
          GlobalAccessCost{.requests = 1, .sectors = 4, .lines = 2, .ideal_sectors = 4});
    CHECK(count_sectors(lane_addresses([](unsigned lane) { return (lane ^ 21U) * 4; }), 4) == 4);
    CHECK(count_sectors(strided_addresses(0, 8), 8) == 8);
    CHECK(count_sectors(strided_addresses(0, 16), 16) == 16);
    CHECK(count_sectors(strided_addresses(0, 32), 32) == 32);
    CHECK(count_sectors(strided_addresses(0, 1), 1) == 1);
    // A 16-wide block: two rows of 64 bytes in two lines.
    const auto rows_of_16 = [](unsigned lane) { return lane / 16 * 4096 + lane % 16 * 4; };
    CHECK(count_sectors(lane_addresses(rows_of_16), 4) == 4);
    CHECK(count_lines(lane_addresses(rows_of_16), 4) == 2);
}

TEST_CASE("a broadcast lies below the ideal") {
    CHECK(global_access_cost(strided_addresses(4096, 0), 4) ==
          GlobalAccessCost{.requests = 1, .sectors = 1, .lines = 1, .ideal_sectors = 4});
}

TEST_CASE("ideal sectors round the active lanes' bytes up") {
    CHECK(ideal_sectors(4) == 4);
    CHECK(ideal_sectors(16) == 16);
    CHECK(ideal_sectors(1) == 1);
    CHECK(ideal_sectors(4, 0x1U) == 1);
    CHECK(ideal_sectors(4, 0x1ffU) == 2);
    CHECK(ideal_sectors(4, 0) == 0);
}

TEST_CASE("no active lane, no cost") {
    CHECK(global_access_cost(strided_addresses(4, 4), 4, 0) == GlobalAccessCost{});
}
