/// What accesses cost: equal to the counters of an H200 where those were measured, and to the model everywhere.
#include "memory_fixture.hpp"

#include <lanes/model/banks.hpp>
#include <lanes/model/sectors.hpp>

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace lanes::emulator {
namespace {

using ptx::Type;

/// "global", 4 bytes: "ld.global.b32"; 16 bytes: "ld.global.v4.b32".
std::string form(const char* opcode, const char* space, unsigned bytes) {
    const std::string head = std::string(opcode) + "." + space;
    if (bytes == 32) return head + ".v8.b32";
    return bytes == 16 ? head + ".v4.b32" : head + ".b" + std::to_string(bytes * 8);
}

/// Loads or stores `bytes` a lane in a space.
class Accessor {
public:
    Accessor(MemoryFixture& fixture, const char* opcode, const char* space, unsigned bytes)
        : fixture_(fixture), address_(fixture.add(Type::u64)) {
        const bool load = std::string(opcode) == "ld";
        const Type type = bytes == 8 ? Type::b64 : bytes < 4 ? Type::b16 : Type::b32;
        const TestRegister value = fixture.add(type);
        const bool vector = bytes >= 16;
        const ptx::Operand data = vector ? vector_of(std::vector<TestRegister>(bytes / 4, value)) : operand_of(value);
        const ptx::Operand place = address_of(address_);
        operation_ =
            fixture.decode(form(opcode, space, bytes), load ? std::vector{data, place} : std::vector{place, data});
    }

    /// Accesses address(lane) in each lane of the mask.
    template <typename Address>
    void operator()(LaneMask lanes, const Address& address) {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            fixture_.row<std::uint64_t>(address_)[lane] = static_cast<std::uint64_t>(address(lane));
        operation_.execute(fixture_.warp, operation_, lanes);
        REQUIRE_FALSE(fixture_.has_fault());
    }

private:
    MemoryFixture& fixture_;
    TestRegister address_;
    Operation operation_;
};

/// A row of the table measured on an H200 with Nsight Compute 2025.3, one access a warp.
struct MeasuredPattern {
    const char* name;
    unsigned bytes;
    unsigned (*offset)(unsigned lane);
    LaneMask lanes;
    unsigned load_wavefronts, load_conflicts;
    unsigned store_wavefronts, store_conflicts;
};

constexpr LaneMask low_half = 0x0000ffff;
constexpr LaneMask even_lanes = 0x55555555;

constexpr MeasuredPattern measured[] = {
    {"i*4", 4, [](unsigned i) { return i * 4; }, all_lanes, 1, 0, 1, 0},
    {"i*8", 4, [](unsigned i) { return i * 8; }, all_lanes, 2, 1, 2, 1},
    {"i*128", 4, [](unsigned i) { return i * 128; }, all_lanes, 32, 31, 32, 31},
    {"i*132", 4, [](unsigned i) { return i * 132; }, all_lanes, 1, 0, 1, 0},
    {"all 0", 4, [](unsigned) { return 0U; }, all_lanes, 1, 0, 1, 0},
    {"(i&1)*128", 4, [](unsigned i) { return (i & 1) * 128; }, all_lanes, 2, 1, 2, 1},
    {"i<16 ? i*128 : off", 4, [](unsigned i) { return i * 128; }, low_half, 16, 15, 16, 15},
    {"i*8", 8, [](unsigned i) { return i * 8; }, all_lanes, 2, 0, 2, 0},
    {"i*128", 8, [](unsigned i) { return i * 128; }, all_lanes, 32, 30, 32, 30},
    {"all 0", 8, [](unsigned) { return 0U; }, all_lanes, 1, 0, 2, 0},
    {"(i/2)*8", 8, [](unsigned i) { return i / 2 * 8; }, all_lanes, 1, 0, 2, 0},
    {"((i&1) + 2*(i>>2))*8", 8, [](unsigned i) { return ((i & 1) + 2 * (i >> 2)) * 8; }, all_lanes, 1, 0, 2, 0},
    {"(i&15)*8", 8, [](unsigned i) { return (i & 15) * 8; }, all_lanes, 2, 0, 2, 0},
    {"i<16 ? i*8 : off", 8, [](unsigned i) { return i * 8; }, low_half, 1, 0, 1, 0},
    {"i even ? i*8 : off", 8, [](unsigned i) { return i * 8; }, even_lanes, 2, 1, 2, 0},
    {"i*16", 16, [](unsigned i) { return i * 16; }, all_lanes, 4, 0, 4, 0},
    {"i*32", 16, [](unsigned i) { return i * 32; }, all_lanes, 8, 4, 8, 4},
    {"i*128", 16, [](unsigned i) { return i * 128; }, all_lanes, 32, 28, 32, 28},
    {"all 0", 16, [](unsigned) { return 0U; }, all_lanes, 2, 0, 4, 0},
    {"(i/2)*16", 16, [](unsigned i) { return i / 2 * 16; }, all_lanes, 2, 0, 4, 0},
    {"((i&1) + 2*(i>>2))*16", 16, [](unsigned i) { return ((i & 1) + 2 * (i >> 2)) * 16; }, all_lanes, 2, 0, 4, 0},
    {"(i&7)*16", 16, [](unsigned i) { return (i & 7) * 16; }, all_lanes, 4, 0, 4, 0},
};

TEST_CASE("shared wavefronts and conflicts are those of an H200") {
    for (const MeasuredPattern& pattern : measured) {
        CAPTURE(pattern.name);
        CAPTURE(pattern.bytes);
        MemoryFixture fixture(8192);
        Accessor(fixture, "ld", "shared", pattern.bytes)(pattern.lanes, pattern.offset);
        CHECK(fixture.counters[Counter::shared_ld_inst] == 1);
        CHECK(fixture.counters[Counter::shared_ld_wavefronts] == pattern.load_wavefronts);
        CHECK(fixture.counters[Counter::shared_ld_conflicts] == pattern.load_conflicts);
        CHECK(fixture.counters[Counter::shared_ld_wavefronts_ideal] ==
              pattern.load_wavefronts - pattern.load_conflicts);
        CHECK(fixture.counters[Counter::shared_st_inst] == 0);
        Accessor(fixture, "st", "shared", pattern.bytes)(pattern.lanes, pattern.offset);
        CHECK(fixture.counters[Counter::shared_st_inst] == 1);
        CHECK(fixture.counters[Counter::shared_st_wavefronts] == pattern.store_wavefronts);
        CHECK(fixture.counters[Counter::shared_st_conflicts] == pattern.store_conflicts);
        CHECK(fixture.counters[Counter::shared_st_wavefronts_ideal] ==
              pattern.store_wavefronts - pattern.store_conflicts);
        CHECK(fixture.counters[Counter::shared_ld_inst] == 1);
    }
}

/// Requests and sectors of loads and stores on global memory.
struct GlobalCounts {
    std::uint64_t load_requests, load_sectors, store_requests, store_sectors;
    bool operator==(const GlobalCounts&) const = default;
};

GlobalCounts global_counts(const CounterSet& counters) {
    return {counters[Counter::global_ld_requests], counters[Counter::global_ld_sectors],
            counters[Counter::global_st_requests], counters[Counter::global_st_sectors]};
}

TEST_CASE("a copy counts the sectors an H200 counted") {
    constexpr std::uint64_t elements = 1047552;
    for (const std::uint64_t offset : {0U, 1U}) {
        MemoryFixture fixture;
        const std::uint64_t from = *fixture.memory.allocate((elements + 32) * 4);
        const std::uint64_t to = *fixture.memory.allocate(elements * 4);
        Accessor load(fixture, "ld", "global", 4);
        Accessor store(fixture, "st", "global", 4);
        for (std::uint64_t first = 0; first < elements; first += warp_size) {
            load(all_lanes, [&](unsigned lane) { return from + (first + offset + lane) * 4; });
            store(all_lanes, [&](unsigned lane) { return to + (first + lane) * 4; });
        }
        CHECK(global_counts(fixture.counters) == GlobalCounts{32736, offset == 0 ? 130944U : 163680U, 32736, 130944});
        CHECK(fixture.counters[Counter::global_ld_sectors_ideal] == 130944);
        CHECK(fixture.counters[Counter::global_st_sectors_ideal] == 130944);
    }
}

TEST_CASE("a read at stride 8 counts the sectors an H200 counted") {
    constexpr std::uint64_t elements = 32768;
    MemoryFixture fixture;
    const std::uint64_t from = *fixture.memory.allocate(elements * 8 * 4);
    const std::uint64_t to = *fixture.memory.allocate(elements * 4);
    Accessor load(fixture, "ld", "global", 4);
    Accessor store(fixture, "st", "global", 4);
    for (std::uint64_t first = 0; first < elements; first += warp_size) {
        load(all_lanes, [&](unsigned lane) { return from + (first + lane) * 32; });
        store(all_lanes, [&](unsigned lane) { return to + (first + lane) * 4; });
    }
    CHECK(global_counts(fixture.counters) == GlobalCounts{1024, 32768, 1024, 4096});
    CHECK(fixture.counters[Counter::global_ld_sectors_ideal] == 4096);
}

/// Wavefronts and conflicts of shared loads and stores.
struct SharedCounts {
    std::uint64_t load_wavefronts, load_conflicts, store_wavefronts, store_conflicts;
    bool operator==(const SharedCounts&) const = default;
};

SharedCounts shared_counts(const CounterSet& counters) {
    return {counters[Counter::shared_ld_wavefronts], counters[Counter::shared_ld_conflicts],
            counters[Counter::shared_st_wavefronts], counters[Counter::shared_st_conflicts]};
}

TEST_CASE("a naive transpose counts the sectors an H200 counted") {
    constexpr std::uint64_t n = 512;
    MemoryFixture fixture;
    const std::uint64_t from = *fixture.memory.allocate(n * n * 4);
    const std::uint64_t to = *fixture.memory.allocate(n * n * 4);
    Accessor load(fixture, "ld", "global", 4);
    Accessor store(fixture, "st", "global", 4);
    for (std::uint64_t row = 0; row < n; ++row)
        for (std::uint64_t column = 0; column < n; column += warp_size) {
            load(all_lanes, [&](unsigned lane) { return from + (row * n + column + lane) * 4; });
            store(all_lanes, [&](unsigned lane) { return to + ((column + lane) * n + row) * 4; });
        }
    CHECK(global_counts(fixture.counters) == GlobalCounts{8192, 32768, 8192, 262144});
}

TEST_CASE("a tiled transpose counts the wavefronts an H200 counted") {
    constexpr std::uint64_t n = 512;
    using Cell = std::uint64_t (*)(std::uint64_t row, std::uint64_t column);
    struct Tile {
        Cell cell;  // element of the tile's array that holds (row, column)
        SharedCounts expected;
    };
    const Tile tiles[] = {
        {[](std::uint64_t row, std::uint64_t column) { return row * 32 + column; }, {262144, 253952, 8192, 0}},
        {[](std::uint64_t row, std::uint64_t column) { return row * 33 + column; }, {8192, 0, 8192, 0}},
        {[](std::uint64_t row, std::uint64_t column) { return row * 32 + (column ^ row); }, {8192, 0, 8192, 0}}};
    for (const Tile& tile : tiles) {
        MemoryFixture fixture(32 * 33 * 4);
        const std::uint64_t from = *fixture.memory.allocate(n * n * 4);
        const std::uint64_t to = *fixture.memory.allocate(n * n * 4);
        Accessor load(fixture, "ld", "global", 4);
        Accessor store(fixture, "st", "global", 4);
        Accessor load_tile(fixture, "ld", "shared", 4);
        Accessor store_tile(fixture, "st", "shared", 4);
        for (std::uint64_t y = 0; y < n; y += 32)
            for (std::uint64_t x = 0; x < n; x += 32)
                for (std::uint64_t row = 0; row < 32; ++row) {
                    load(all_lanes, [&](unsigned lane) { return from + ((y + row) * n + x + lane) * 4; });
                    store_tile(all_lanes, [&](unsigned lane) { return tile.cell(row, lane) * 4; });
                    load_tile(all_lanes, [&](unsigned lane) { return tile.cell(lane, row) * 4; });
                    store(all_lanes, [&](unsigned lane) { return to + ((x + row) * n + y + lane) * 4; });
                }
        CHECK(global_counts(fixture.counters) == GlobalCounts{8192, 32768, 8192, 32768});
        CHECK(shared_counts(fixture.counters) == tile.expected);
    }
}

/// Counts of a block of 256 threads that adds up 256 floats in shared memory: in each step, thread t adds cell t + step
/// to cell t if it takes part.
template <typename TakesPart>
CounterSet reduction_counts(const std::vector<unsigned>& steps, const TakesPart& takes_part) {
    MemoryFixture fixture(1024);
    const std::uint64_t from = *fixture.memory.allocate(1024);
    const std::uint64_t to = *fixture.memory.allocate(4);
    Accessor load(fixture, "ld", "global", 4);
    Accessor store(fixture, "st", "global", 4);
    Accessor load_cell(fixture, "ld", "shared", 4);
    Accessor store_cell(fixture, "st", "shared", 4);
    for (unsigned first = 0; first < 256; first += warp_size) {
        load(all_lanes, [&](unsigned lane) { return from + (first + lane) * 4; });
        store_cell(all_lanes, [&](unsigned lane) { return (first + lane) * 4; });
    }
    for (const unsigned step : steps)
        for (unsigned first = 0; first < 256; first += warp_size) {
            LaneMask lanes = 0;
            for (unsigned lane = 0; lane < warp_size; ++lane) lanes |= LaneMask{takes_part(step, first + lane)} << lane;
            if (lanes == 0) continue;
            load_cell(lanes, [&](unsigned lane) { return (first + lane + step) * 4; });
            load_cell(lanes, [&](unsigned lane) { return (first + lane) * 4; });
            store_cell(lanes, [&](unsigned lane) { return (first + lane) * 4; });
        }
    load_cell(1, [](unsigned) { return 0; });
    store(1, [&](unsigned) { return to; });
    return fixture.counters;
}

TEST_CASE("reductions count what an H200 counted") {
    constexpr unsigned blocks = 1024;
    const CounterSet v0 = reduction_counts({1, 2, 4, 8, 16, 32, 64, 128},
                                           [](unsigned step, unsigned thread) { return thread % (2 * step) == 0; });
    CHECK(global_counts(v0) == GlobalCounts{8192 / blocks, 32768 / blocks, 1, 1});
    CHECK(shared_counts(v0) == SharedCounts{97280 / blocks, 0, 56320 / blocks, 0});
    const CounterSet v1 =
        reduction_counts({128, 64, 32, 16, 8, 4, 2, 1}, [](unsigned step, unsigned thread) { return thread < step; });
    CHECK(global_counts(v1) == GlobalCounts{8192 / blocks, 32768 / blocks, 1, 1});
    CHECK(shared_counts(v1) == SharedCounts{25600 / blocks, 0, 20480 / blocks, 0});
}

/// A shape of access: lane i at base + offset(i).
model::LaneAddresses random_shape(std::mt19937& random, unsigned bytes) {
    const auto kind = static_cast<unsigned>(random() % 5);
    const auto stride = static_cast<unsigned>(random() % 40);
    const auto start = static_cast<unsigned>(random() % 16);
    return model::lane_addresses([&](unsigned lane) -> std::uint64_t {
        switch (kind) {
            case 0:
                return std::uint64_t{lane} * bytes * stride;
            case 1:
                return std::uint64_t{random() % 64} * bytes;
            case 2:
                return std::uint64_t{lane / 4} * bytes * stride;
            case 3:
                return std::uint64_t{(lane + start) % 32} * bytes;
            default:
                return std::uint64_t{(lane ^ start) * 32 + start} * bytes;
        }
    });
}

TEST_CASE("counts equal the model's for accesses of any shape, again and again at other addresses") {
    std::mt19937 random(2026);
    for (const unsigned bytes : {1U, 2U, 4U, 8U, 16U, 32U}) {
        MemoryFixture fixture(1 << 16);
        const std::uint64_t data = *fixture.memory.allocate(1 << 17);
        Accessor load_global(fixture, "ld", "global", bytes);
        Accessor store_global(fixture, "st", "global", bytes);
        Accessor load_shared(fixture, "ld", "shared", std::min(bytes, 16U));
        Accessor store_shared(fixture, "st", "shared", std::min(bytes, 16U));
        const std::array<LaneMask, 5> masks = {all_lanes, 0xffff, 0xf0f0f0f0, 1, static_cast<LaneMask>(random() | 2)};
        for (unsigned round = 0; round < 400; ++round) {
            const model::LaneAddresses shape = random_shape(random, bytes);
            const LaneMask lanes = masks[round % masks.size()];
            for (unsigned shift = 0; shift < 8; ++shift) {
                // Some addresses keep their place in sector and banks, some do not.
                const std::uint64_t base = shift % 2 == 0 ? 32 * (random() % 64) : bytes * (random() % 64);
                const auto offset = [&](unsigned lane) { return base + shape[lane] % 32768; };
                const model::LaneAddresses offsets = model::lane_addresses(offset);
                const model::LaneAddresses places =
                    model::lane_addresses([&](unsigned lane) { return data + offsets[lane]; });
                CounterSet before = fixture.counters;
                load_global(lanes, [&](unsigned lane) { return places[lane]; });
                store_global(lanes, [&](unsigned lane) { return places[lane]; });
                const model::GlobalAccessCost global = model::global_access_cost(places, bytes, lanes);
                before[Counter::global_ld_requests] += 1;
                before[Counter::global_st_requests] += 1;
                before[Counter::global_ld_sectors] += global.sectors;
                before[Counter::global_st_sectors] += global.sectors;
                before[Counter::global_ld_sectors_ideal] += global.ideal_sectors;
                before[Counter::global_st_sectors_ideal] += global.ideal_sectors;
                REQUIRE(fixture.counters == before);
                if (bytes > 16) continue;
                load_shared(lanes, offset);
                store_shared(lanes, offset);
                const auto loaded = model::shared_access_cost(model::SharedOperation::load, offsets, bytes, lanes);
                const auto stored = model::shared_access_cost(model::SharedOperation::store, offsets, bytes, lanes);
                before[Counter::shared_ld_inst] += 1;
                before[Counter::shared_st_inst] += 1;
                before[Counter::shared_ld_wavefronts] += loaded.wavefronts;
                before[Counter::shared_st_wavefronts] += stored.wavefronts;
                before[Counter::shared_ld_wavefronts_ideal] += loaded.ideal_wavefronts;
                before[Counter::shared_st_wavefronts_ideal] += stored.ideal_wavefronts;
                before[Counter::shared_ld_conflicts] += loaded.conflicts();
                before[Counter::shared_st_conflicts] += stored.conflicts();
                REQUIRE(fixture.counters == before);
            }
        }
    }
}

TEST_CASE("generic accesses count where they land; local, constant and parameter ones nowhere") {
    MemoryFixture fixture;
    const std::uint64_t data = *fixture.memory.allocate(4096);
    const TestRegister value = fixture.add(Type::b32);
    fixture.execute("ld.b32", {operand_of(value), address_of(fixture.addresses(data, 4))});
    fixture.execute("st.b32", {address_of(fixture.addresses(data + 4, 4)), operand_of(value)});
    CHECK(global_counts(fixture.counters) == GlobalCounts{1, 4, 1, 5});
    CHECK(shared_counts(fixture.counters) == SharedCounts{});
    fixture.execute("ld.b32", {operand_of(value), address_of(fixture.addresses(shared_window, 8))});
    fixture.execute("st.b32", {address_of(fixture.addresses(shared_window, 4)), operand_of(value)});
    CHECK(global_counts(fixture.counters) == GlobalCounts{1, 4, 1, 5});
    CHECK(shared_counts(fixture.counters) == SharedCounts{2, 1, 1, 0});

    const CounterSet before = fixture.counters;
    fixture.execute("ld.local.b32", {operand_of(value), address_of(4)});
    fixture.execute("st.local.b32", {address_of(4), operand_of(value)});
    fixture.execute("ld.b32", {operand_of(value), address_of(fixture.addresses(local_window, 0))});
    fixture.execute("ld.const.b32", {operand_of(value), address_of(fixture.addresses(data, 0))});
    fixture.execute("ld.param.b32", {operand_of(value), address_of(4)});
    REQUIRE_FALSE(fixture.has_fault());
    CHECK(fixture.counters == before);
}

TEST_CASE("atomics have counts of their own") {
    MemoryFixture fixture;
    const std::uint64_t data = *fixture.memory.allocate(4096);
    const TestRegister value = fixture.add(Type::u32);
    const ptx::Operand wide = address_of(fixture.addresses(data, 64));
    fixture.execute("atom.global.add.u32", {operand_of(value), wide, operand_of(value)});
    fixture.execute("red.global.add.u32", {address_of(fixture.addresses(data, 0)), operand_of(value)}, 0xff);
    fixture.execute("red.shared.add.u32", {address_of(fixture.addresses(0, 4)), operand_of(value)});
    fixture.execute("red.add.u32", {address_of(fixture.addresses(shared_window, 4)), operand_of(value)});
    CounterSet expected;
    expected[Counter::global_atomic_requests] = 2;
    expected[Counter::global_atomic_sectors] = 32 + 1;
    expected[Counter::shared_atomic_inst] = 2;
    CHECK(fixture.counters == expected);
}

TEST_CASE("an access that faults counts nothing") {
    MemoryFixture fixture;
    const TestRegister value = fixture.add(Type::u32);
    fixture.execute("ld.shared.u32", {operand_of(value), address_of(fixture.addresses(1 << 20, 4))});
    CHECK(fixture.has_fault());
    CHECK(fixture.counters == CounterSet{});
}

}  // namespace
}  // namespace lanes::emulator
