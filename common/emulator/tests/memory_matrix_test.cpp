/// ldmatrix and stmatrix, against their definition element by element.
#include "memory_fixture.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace lanes::emulator {
namespace {

using ptx::Type;

constexpr unsigned padded_row = 80;  // bytes between rows: 16 would do, others have to work too

std::uint16_t element(unsigned matrix, unsigned row, unsigned column) {
    return static_cast<std::uint16_t>(matrix * 1000 + row * 10 + column);
}

/// Lanes 8m to 8m + 7 at the rows of matrix m.
TestRegister row_addresses(MemoryFixture& fixture) {
    return fixture.add<std::uint32_t>(Type::u32, [](unsigned lane) { return lane * padded_row; });
}

std::string form(const char* opcode, unsigned count, bool transposed) {
    return std::string(opcode) + ".sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") +
           ".shared.b16";
}

/// The element that half `half` of lane `lane` holds.
std::uint16_t held(unsigned matrix, unsigned lane, unsigned half, bool transposed) {
    const unsigned row = lane / 4;
    const unsigned column = 2 * (lane % 4) + half;
    return transposed ? element(matrix, column, row) : element(matrix, row, column);
}

TEST_CASE("ldmatrix gives each lane its two elements of each matrix") {
    for (const unsigned count : {1U, 2U, 4U})
        for (const bool transposed : {false, true}) {
            MemoryFixture fixture;
            for (unsigned matrix = 0; matrix < 4; ++matrix)
                for (unsigned row = 0; row < 8; ++row)
                    for (unsigned column = 0; column < 8; ++column) {
                        const std::uint16_t value = element(matrix, row, column);
                        std::memcpy(fixture.block.shared + (matrix * 8 + row) * padded_row + column * 2, &value, 2);
                    }
            std::vector<TestRegister> loaded;
            for (unsigned i = 0; i < count; ++i) loaded.push_back(fixture.add(Type::b32));
            fixture.execute(form("ldmatrix", count, transposed),
                            {vector_of(loaded), address_of(row_addresses(fixture))});
            REQUIRE_FALSE(fixture.has_fault());
            bool right = true;
            for (unsigned matrix = 0; matrix < count; ++matrix)
                for (unsigned lane = 0; lane < warp_size; ++lane) {
                    const std::uint32_t pair = fixture.row<std::uint32_t>(loaded[matrix])[lane];
                    right = right && (pair & 0xffff) == held(matrix, lane, 0, transposed) &&
                            pair >> 16 == held(matrix, lane, 1, transposed);
                }
            CHECK_MESSAGE(right, form("ldmatrix", count, transposed));
            // Rows 80 bytes apart lie in different banks: a wavefront for each matrix.
            CHECK(fixture.counters[Counter::shared_ld_inst] == 1);
            CHECK(fixture.counters[Counter::shared_ld_wavefronts] == count);
            CHECK(fixture.counters[Counter::shared_ld_conflicts] == 0);
        }
}

TEST_CASE("stmatrix is the way back") {
    for (const unsigned count : {1U, 2U, 4U})
        for (const bool transposed : {false, true}) {
            MemoryFixture fixture;
            std::vector<TestRegister> stored;
            for (unsigned matrix = 0; matrix < count; ++matrix)
                stored.push_back(fixture.add<std::uint32_t>(Type::b32, [=](unsigned lane) {
                    return held(matrix, lane, 0, transposed) | held(matrix, lane, 1, transposed) << 16;
                }));
            fixture.execute(form("stmatrix", count, transposed),
                            {address_of(row_addresses(fixture)), vector_of(stored)});
            REQUIRE_FALSE(fixture.has_fault());
            bool right = true;
            for (unsigned matrix = 0; matrix < count; ++matrix)
                for (unsigned row = 0; row < 8; ++row)
                    for (unsigned column = 0; column < 8; ++column) {
                        std::uint16_t value = 0;
                        std::memcpy(&value, fixture.block.shared + (matrix * 8 + row) * padded_row + column * 2, 2);
                        right = right && value == element(matrix, row, column);
                    }
            CHECK_MESSAGE(right, form("stmatrix", count, transposed));
        }
}

TEST_CASE("rows in one bank conflict, and addresses beyond the matrices are not looked at") {
    MemoryFixture fixture;
    const std::vector<TestRegister> loaded = {fixture.add(Type::b32), fixture.add(Type::b32)};
    const TestRegister address = fixture.add<std::uint64_t>(
        Type::u64, [](unsigned lane) { return lane < 16 ? std::uint64_t{lane} * 128 : std::uint64_t{1} << 40; });
    fixture.execute("ldmatrix.sync.aligned.m8n8.x2.shared.b16", {vector_of(loaded), address_of(address)});
    REQUIRE_FALSE(fixture.has_fault());
    CHECK(fixture.counters[Counter::shared_ld_wavefronts] == 16);
    CHECK(fixture.counters[Counter::shared_ld_conflicts] == 14);
}

TEST_CASE("matrix instructions need the whole warp, aligned rows, and rows inside shared memory") {
    MemoryFixture fixture;
    const std::vector<TestRegister> loaded = {fixture.add(Type::b32)};
    const auto load = [&](std::uint64_t begin, LaneMask lanes) {
        fixture.execute("ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                        {vector_of(loaded), address_of(fixture.addresses(begin, 16))}, lanes);
        const Fault fault = fixture.fault();
        fixture.forget_faults();
        return fault;
    };
    const Fault fault = load(0, 0x0000ffff);
    CHECK(fault.kind == FaultKind::invalid_mask);
    CHECK(fault.message.find("needs all 32 lanes of the warp; only lanes 0-15 came") != std::string::npos);
    CHECK(load(8, all_lanes).kind == FaultKind::misaligned);
    CHECK(load(4096 - 32, all_lanes).kind == FaultKind::out_of_bounds);
    CHECK(load(4096 - 32, all_lanes).thread == Dim3{2, 0, 0});
}

TEST_CASE("other shapes are refused") {
    MemoryFixture fixture;
    const ptx::Operand address = address_of(fixture.add(Type::u32));
    const ptx::Operand one = vector_of(std::vector<TestRegister>{fixture.add(Type::b32)});
    for (const char* name :
         {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
          "ldmatrix.sync.aligned.m8n8.shared.b16", "ldmatrix.sync.aligned.m8n8.x1.shared.b8"})
        CHECK_FALSE_MESSAGE(bool(fixture.select(name, {one, address})), name);
    CHECK(bool(fixture.select("ldmatrix.sync.aligned.m8n8.x1.shared.b16", {one, address})));
}

}  // namespace
}  // namespace lanes::emulator
