/// cp.async: what is copied, and that it is visible at the wait and not before.
#include "memory_fixture.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace lanes::emulator {
namespace {

using ptx::Space;
using ptx::Type;

/// A warp that copies from a buffer of 1, 2, 3, ... to shared memory, which holds 0xffffffff everywhere.
class CopyFixture : public MemoryFixture {
public:
    CopyFixture() { std::memset(block.shared, 0xff, block.shared_bytes); }

    /// cp.async of `bytes` a lane from byte `from` of the buffer to shared offset `to`, side by side.
    void copy(unsigned bytes, std::uint64_t from, std::uint32_t to, LaneMask lanes = all_lanes,
              const std::vector<ptx::Operand>& more = {}) {
        const TestRegister destination =
            add<std::uint32_t>(Type::u32, [=](unsigned lane) { return to + lane * bytes; });
        std::vector<ptx::Operand> operands = {address_of(destination), address_of(addresses(buffer + from, bytes)),
                                              immediate_of(bytes)};
        operands.insert(operands.end(), more.begin(), more.end());
        execute(bytes == 16 ? "cp.async.cg.shared.global.L2::128B" : "cp.async.ca.shared.global", operands, lanes);
    }
    void commit(LaneMask lanes = all_lanes) { execute("cp.async.commit_group", {}, lanes); }
    void wait(unsigned groups, LaneMask lanes = all_lanes) {
        execute("cp.async.wait_group", {immediate_of(groups)}, lanes);
    }
    std::uint32_t word(std::size_t offset) const {
        std::uint32_t value = 0;
        std::memcpy(&value, block.shared + offset, sizeof value);
        return value;
    }

    static constexpr std::uint32_t untouched = 0xffffffff;
    std::uint64_t buffer = allocate<std::uint32_t>(512, [](std::size_t i) { return i + 1; });
};

TEST_CASE("a copy is visible at the wait and not before, at every size") {
    for (const unsigned bytes : {4U, 8U, 16U}) {
        CAPTURE(bytes);
        CopyFixture fixture;
        fixture.copy(bytes, 0, 64);
        CHECK(fixture.word(64) == CopyFixture::untouched);
        fixture.commit();
        CHECK(fixture.word(64) == CopyFixture::untouched);
        fixture.wait(1);
        CHECK(fixture.word(64) == CopyFixture::untouched);
        fixture.wait(0);
        REQUIRE_FALSE(fixture.has_fault());
        bool right = true;
        for (unsigned i = 0; i < warp_size * bytes / 4; ++i) right = right && fixture.word(64 + i * 4) == i + 1;
        CHECK(right);
        CHECK(fixture.word(60) == CopyFixture::untouched);
        CHECK(fixture.word(64 + warp_size * bytes) == CopyFixture::untouched);
    }
}

TEST_CASE("the data is that of the moment of issue or later, not of a time before") {
    CopyFixture fixture;
    fixture.copy(4, 0, 0);
    fixture.commit();
    fixture.wait(0);
    *MemoryFixture::at<std::uint32_t>(fixture.buffer) = 77;
    CHECK(fixture.word(0) == 1);
    fixture.copy(4, 0, 0);
    fixture.commit();
    fixture.wait(0);
    CHECK(fixture.word(0) == 77);
}

TEST_CASE("wait_group N leaves the newest N groups pending") {
    CopyFixture fixture;
    for (unsigned stage = 0; stage < 4; ++stage) {
        fixture.copy(4, stage * 128, stage * 128);
        fixture.commit();
    }
    fixture.wait(2);
    CHECK(fixture.word(0) == 1);
    CHECK(fixture.word(128) == 33);
    CHECK(fixture.word(256) == CopyFixture::untouched);
    fixture.commit();  // an empty group counts too
    fixture.wait(2);
    CHECK(fixture.word(256) == 65);
    CHECK(fixture.word(384) == CopyFixture::untouched);
    fixture.wait(0);
    CHECK(fixture.word(384) == 97);
}

TEST_CASE("copies in no group stay pending until wait_all") {
    CopyFixture fixture;
    fixture.copy(4, 0, 0);
    fixture.wait(0);
    CHECK(fixture.word(0) == CopyFixture::untouched);
    fixture.execute("cp.async.wait_all", {});
    CHECK(fixture.word(0) == 1);
}

TEST_CASE("each lane waits for its own copies") {
    CopyFixture fixture;
    fixture.copy(4, 0, 0);
    fixture.commit(0x0000ffff);
    fixture.wait(0, 0x000000ff);
    CHECK(fixture.word(7 * 4) == 8);
    CHECK(fixture.word(8 * 4) == CopyFixture::untouched);
    fixture.wait(0);
    CHECK(fixture.word(15 * 4) == 16);
    CHECK(fixture.word(16 * 4) == CopyFixture::untouched);
    fixture.commit(0xffff0000);
    fixture.wait(0);
    CHECK(fixture.word(31 * 4) == 32);
}

TEST_CASE("bytes beyond the source size are zeros, and are not read") {
    CopyFixture fixture;
    const TestRegister size = fixture.add<std::uint32_t>(Type::b32, [](unsigned lane) {
        return lane % 4 == 0 ? 16U : lane % 4 == 1 ? 0U : lane % 4 == 2 ? 4U : 6U;
    });
    fixture.copy(16, 0, 0, all_lanes, {operand_of(size)});
    fixture.commit();
    fixture.wait(0);
    REQUIRE_FALSE(fixture.has_fault());
    CHECK(fixture.word(0) == 1);
    CHECK(fixture.word(12) == 4);
    CHECK(fixture.word(16) == 0);
    CHECK(fixture.word(28) == 0);
    CHECK(fixture.word(32) == 9);
    CHECK(fixture.word(36) == 0);
    CHECK(fixture.word(48) == 13);
    CHECK(fixture.word(52) == 14);  // of which the low two bytes were read: all that is in it
    CHECK(fixture.word(56) == 0);

    // A source outside of memory is no fault if nothing is read of it.
    fixture.copy(16, 1 << 20, 0, 0x2, {operand_of(size)});
    CHECK_FALSE(fixture.has_fault());
    fixture.copy(16, 1 << 20, 0, 0x4, {operand_of(size)});
    CHECK(fixture.fault().kind == FaultKind::out_of_bounds);
    CHECK(fixture.fault().message.find("read of 4 bytes") != std::string::npos);
}

TEST_CASE("lanes that ignore the source copy zeros") {
    CopyFixture fixture;
    const TestRegister ignore = fixture.add_predicate(0x0000000f);
    fixture.copy(4, 0, 0, all_lanes, {operand_of(ignore)});
    fixture.commit();
    fixture.wait(0);
    CHECK(fixture.word(3 * 4) == 0);
    CHECK(fixture.word(4 * 4) == 5);
}

TEST_CASE("source and destination are checked when the copy is issued") {
    CopyFixture fixture;
    fixture.copy(16, 8, 0, 1);
    CHECK(fixture.fault().kind == FaultKind::misaligned);
    CHECK(fixture.fault().message.find("read of 16 bytes") != std::string::npos);
    fixture.forget_faults();
    fixture.copy(8, 0, 4, 1);
    CHECK(fixture.fault().kind == FaultKind::misaligned);
    CHECK(fixture.fault().message.find("write of 8 bytes at shared offset 4") != std::string::npos);
    fixture.forget_faults();
    fixture.copy(16, 0, 4096, 1);
    CHECK(fixture.fault().message.find("write of 16 bytes at shared offset 4096 is outside") != std::string::npos);
    fixture.forget_faults();
    fixture.copy(16, 2048 - 16, 0, 3);
    CHECK(fixture.fault().message.find("is just past the end of a 2048-byte allocation") != std::string::npos);
    CHECK(fixture.fault().thread == Dim3{1, 0, 0});
    fixture.forget_faults();
    fixture.execute("cp.async.wait_all", {});
    CHECK(fixture.word(0) == CopyFixture::untouched);
}

TEST_CASE("offsets of both addresses count") {
    CopyFixture fixture;
    const TestRegister destination = fixture.add<std::uint64_t>(Type::u64, [](unsigned lane) { return lane * 4; });
    fixture.execute(
        "cp.async.ca.shared::cta.global",
        {address_of(destination, 256), address_of(fixture.addresses(fixture.buffer + 256, 4), -128), immediate_of(4)});
    fixture.execute("cp.async.wait_all", {});
    CHECK(fixture.word(256) == 33);
}

/// Remembers spaces and phases.
class PhaseRecorder : public Observer {
public:
    void on_access(const Access& access) override {
        seen.push_back({access.space, access.writes, access.phase, access.lanes, access.addresses()[1]});
    }
    void on_block_barrier(Block&, const BlockBarrier&, std::uint32_t) override {}
    void on_warp_barrier(Warp&, LaneMask) override {}
    struct Seen {
        Space space;
        bool writes;
        AsyncPhase phase;
        LaneMask lanes;
        std::uint64_t address_of_lane_1;
    };
    std::vector<Seen> seen;
};

TEST_CASE("observers see the read and the write at issue, and the write again at the wait") {
    CopyFixture fixture;
    PhaseRecorder recorder;
    fixture.block.observers.push_back(&recorder);
    fixture.copy(4, 0, 64, 0xff);
    fixture.execute("cp.async.wait_all", {}, 0xf);
    REQUIRE(recorder.seen.size() == 3);
    CHECK((recorder.seen[0].space == Space::global && !recorder.seen[0].writes));
    CHECK(recorder.seen[0].phase == AsyncPhase::issued);
    CHECK((recorder.seen[1].space == Space::shared && recorder.seen[1].writes));
    CHECK(recorder.seen[1].phase == AsyncPhase::issued);
    CHECK((recorder.seen[2].space == Space::shared && recorder.seen[2].writes));
    CHECK(recorder.seen[2].phase == AsyncPhase::completed);
    CHECK(recorder.seen[2].lanes == 0xf);
    CHECK(recorder.seen[2].address_of_lane_1 == 68);
}

TEST_CASE("copies count what an H200 counts: as global loads, and on their own") {
    // Nsight Compute 2025.3, cp.async.ca by one warp: bytes, distance of neighbouring lanes, offset, lanes, sectors.
    struct Pattern {
        unsigned bytes;
        unsigned distance;
        unsigned offset;
        LaneMask lanes;
        std::uint64_t sectors;
    };
    constexpr Pattern patterns[] = {
        {4, 4, 0, all_lanes, 4},     {8, 8, 0, all_lanes, 8}, {16, 16, 0, all_lanes, 16}, {4, 8, 0, all_lanes, 8},
        {4, 128, 0, all_lanes, 32},  {4, 4, 4, all_lanes, 5}, {4, 4, 0, 0xffff, 2},       {4, 0, 0, all_lanes, 1},
        {16, 16, 16, all_lanes, 17}, {8, 8, 8, all_lanes, 9},
    };
    for (const Pattern& pattern : patterns) {
        CAPTURE(pattern.bytes);
        CAPTURE(pattern.distance);
        MemoryFixture fixture;
        const std::uint64_t buffer = *fixture.memory.allocate(8192);
        const TestRegister to =
            fixture.add<std::uint32_t>(Type::u32, [&](unsigned lane) { return lane * pattern.bytes; });
        const TestRegister from = fixture.addresses(buffer + pattern.offset, pattern.distance);
        fixture.execute("cp.async.ca.shared.global", {address_of(to), address_of(from), immediate_of(pattern.bytes)},
                        pattern.lanes);
        REQUIRE_FALSE(fixture.has_fault());
        CounterSet expected;
        expected[Counter::global_ld_requests] = expected[Counter::async_copy_requests] = 1;
        expected[Counter::global_ld_sectors] = expected[Counter::async_copy_sectors] = pattern.sectors;
        expected[Counter::global_ld_sectors_ideal] = fixture.counters[Counter::global_ld_sectors_ideal];
        CHECK(fixture.counters == expected);
    }
}

}  // namespace
}  // namespace lanes::emulator
