// Whole kernels, warp by warp, against what Nsight Compute counted for them on an H200.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/banks.hpp>
#include <lanes/model/reduction.hpp>
#include <lanes/model/sectors.hpp>

using namespace lanes::model;

namespace {

/// Requests and sectors of a kernel.
struct GlobalCounts {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;

    /// Adds one access.
    void add(const LaneAddresses& addresses, unsigned bytes_per_lane) {
        requests += count_requests(all_lanes);
        sectors += count_sectors(addresses, bytes_per_lane);
    }
};

/// Wavefronts and conflicts of a kernel.
struct SharedCounts {
    std::uint64_t wavefronts = 0;
    std::uint64_t conflicts = 0;

    /// Adds one access.
    void add(SharedOperation operation, const LaneAddresses& addresses, LaneMask active) {
        const SharedAccessCost cost = shared_access_cost(operation, addresses, 4, active);
        wavefronts += cost.wavefronts;
        conflicts += cost.conflicts();
    }
};

/// Reads floats `stride` apart from `offset` on.
/// @param elements threads, a multiple of 32
GlobalCounts read_floats(std::uint64_t elements, std::uint64_t offset, std::uint64_t stride) {
    GlobalCounts counts;
    for (std::uint64_t first = 0; first < elements; first += warp_size)
        counts.add(strided_addresses((offset + first * stride) * 4, stride * 4), 4);
    return counts;
}

/// The column or row accesses of a 512 x 512 transpose through 32 x 32 tiles: one for each row of each tile.
/// @param index callable: (unsigned lane, unsigned row) to float of the tile
template <typename Index>
SharedCounts transpose_512(SharedOperation operation, const Index& index) {
    SharedCounts counts;
    for (unsigned tile = 0; tile < 16 * 16; ++tile)
        for (unsigned row = 0; row < 32; ++row)
            counts.add(operation, lane_addresses([&](unsigned lane) { return index(lane, row) * 4; }), all_lanes);
    return counts;
}

/// Shared loads and stores of one block of 256 threads that adds up its elements.
struct ReductionCounts {
    SharedCounts load;
    SharedCounts store;
};

/// Walks through `buffer[tid] = x; for (...) if (adds) buffer[tid] += buffer[tid + s]; if (tid == 0) ... = buffer[0];`.
/// @param scheme v0: modulo, v1: sequential
ReductionCounts reduce_256(ReductionScheme scheme) {
    constexpr unsigned threads = 256;
    ReductionCounts counts;
    for (unsigned first = 0; first < threads; first += warp_size)
        counts.store.add(SharedOperation::store, strided_addresses(first * 4, 4), all_lanes);
    for (unsigned s = 1; s < threads; s *= 2)
        for (unsigned first = 0; first < threads; first += warp_size) {
            LaneMask adds = 0;
            for (unsigned lane = 0; lane < warp_size; ++lane)
                if (adds_in_step(scheme, threads, s, first + lane)) adds |= LaneMask{1} << lane;
            const LaneAddresses own = strided_addresses(first * 4, 4);
            counts.load.add(SharedOperation::load, own, adds);
            counts.load.add(SharedOperation::load, strided_addresses((first + s) * 4, 4), adds);
            counts.store.add(SharedOperation::store, own, adds);
        }
    counts.load.add(SharedOperation::load, strided_addresses(0, 4), 1U);
    return counts;
}

}  // namespace

TEST_CASE("copy of 1,047,552 floats") {
    CHECK(read_floats(1047552, 0, 1).requests == 32736);
    CHECK(read_floats(1047552, 0, 1).sectors == 130944);
    CHECK(read_floats(1047552, 1, 1).requests == 32736);
    CHECK(read_floats(1047552, 1, 1).sectors == 163680);
}

TEST_CASE("32,768 floats read at stride 8") {
    CHECK(read_floats(32768, 0, 8).requests == 1024);
    CHECK(read_floats(32768, 0, 8).sectors == 32768);
}

TEST_CASE("naive transpose of 512 x 512 floats") {
    GlobalCounts load;
    GlobalCounts store;
    for (std::uint64_t row = 0; row < 512; ++row)
        for (std::uint64_t first = 0; first < 512; first += warp_size) {
            load.add(strided_addresses((row * 512 + first) * 4, 4), 4);
            store.add(strided_addresses((first * 512 + row) * 4, 512 * 4), 4);
        }
    CHECK(load.requests == 8192);
    CHECK(load.sectors == 32768);
    CHECK(store.requests == 8192);
    CHECK(store.sectors == 262144);
}

TEST_CASE("tiled transpose of 512 x 512 floats: bare, padded, swizzled") {
    const auto bare_row = [](unsigned lane, unsigned row) { return row * 32 + lane; };
    const auto bare_column = [](unsigned lane, unsigned row) { return lane * 32 + row; };
    const auto padded_column = [](unsigned lane, unsigned row) { return lane * 33 + row; };
    const auto swizzled_column = [](unsigned lane, unsigned row) { return lane * 32 + (row ^ lane); };
    const SharedCounts store = transpose_512(SharedOperation::store, bare_row);
    CHECK(store.wavefronts == 8192);
    CHECK(store.conflicts == 0);
    const SharedCounts bare = transpose_512(SharedOperation::load, bare_column);
    CHECK(bare.wavefronts == 262144);
    CHECK(bare.conflicts == 253952);
    CHECK(transpose_512(SharedOperation::load, padded_column).wavefronts == 8192);
    CHECK(transpose_512(SharedOperation::load, padded_column).conflicts == 0);
    CHECK(transpose_512(SharedOperation::load, swizzled_column).wavefronts == 8192);
}

TEST_CASE("sum of 2^18 floats in 1,024 blocks of 256") {
    const ReductionCounts v0 = reduce_256(ReductionScheme::modulo);
    CHECK(1024 * v0.load.wavefronts == 97280);
    CHECK(1024 * v0.store.wavefronts == 56320);
    CHECK(v0.load.conflicts + v0.store.conflicts == 0);
    const ReductionCounts v1 = reduce_256(ReductionScheme::sequential);
    CHECK(1024 * v1.load.wavefronts == 25600);
    CHECK(1024 * v1.store.wavefronts == 20480);
    CHECK(v1.load.conflicts + v1.store.conflicts == 0);
}

TEST_CASE("Harris's strided index has the conflicts that the modulo has not") {
    // `buffer[2 * s * tid] += buffer[2 * s * tid + s]`: at s = 16 eight lanes meet in each bank they use.
    const LaneAddresses indices = strided_addresses(0, 2 * 16 * 4);
    CHECK(shared_access_cost(SharedOperation::load, indices, 4, 0x000000ffU).wavefronts == 8);
}
