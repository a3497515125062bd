/// The quick ways of the checks against the plain one: each access of random sequences goes through `on_access` of one
/// check and lane by lane through `visit` of another, and both must find the same.

#include <doctest/doctest.h>

#include "check_global.hpp"
#include "check_shared.hpp"
#include "memory_access.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace lanes::emulator;

namespace {

constexpr std::uint32_t warps = 4;
constexpr std::uint32_t memory_words = 512;
constexpr std::uint32_t memory_bytes = memory_words * 4;
constexpr std::uint32_t lines = 12;
constexpr unsigned runs = 400;
constexpr unsigned events = 300;

/// What a block's checks look at, without a kernel that runs.
class Stage {
public:
    Stage() {
        program.lines.resize(lines);
        block.launch = &launch;
        block.shared_bytes = memory_bytes;
        block.threads = warps * warp_size;
        for (std::uint32_t i = 0; i < warps; ++i) {
            warp[i].registers = reinterpret_cast<std::byte*>(row);
            warp[i].block = &block;
            warp[i].index = i;
            warp[i].live = all_lanes;
        }
        const Result<std::uint64_t> allocated = memory.allocate(memory_bytes);
        REQUIRE(allocated);
        address = *allocated;
        clock.start_block();
    }

    Kernel kernel;
    Program program;
    LaunchConfig config;
    DeviceMemory memory;
    LaunchState launch{kernel, program, config, memory};
    Block block;
    Warp warp[warps];
    BlockClock clock{warps, first_launch_time};
    std::uint64_t address = 0;                      ///< of device memory
    alignas(64) std::uint64_t row[warp_size] = {};  ///< where `locate` finds the addresses of an access
};

/// Random accesses and synchronisations.
class Events {
public:
    explicit Events(unsigned seed) : random_(seed), barriers_(1 + below(30)) {}

    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    bool happens(std::uint32_t percent) { return below(100) < percent; }

    /// Perhaps threads synchronise.
    void synchronise(BlockClock& clock) {
        if (!happens(barriers_)) return;
        switch (below(8)) {
            case 0:
                return clock.join(1 + below((1U << warps) - 1), below(4));
            case 1:
                return clock.arrive(below(warps), below(4));
            case 2:
                return clock.join_lanes(below(warps), all_lanes, all_lanes);
            case 3:
                return clock.join_lanes(below(warps), 1 + below(all_lanes), all_lanes);
            case 4:
                return clock.publish(below(warps));
            case 5:
                return clock.acquire(below(warps));
            default:
                return clock.join_all();
        }
    }

    /// Shows a random access to two checks.
    template <typename Check>
    void touch(Stage& stage, ptx::Space space, Check& quick, Check& plain) {
        const std::uint32_t bytes = happens(2) ? 1U << below(2) : 4U << (happens(70) ? 0 : below(3));
        const LaneMask lanes = happens(75) ? all_lanes : 1 + below(all_lanes);
        choose_offsets(stage.row, bytes);
        Operation operation;
        operation.line = below(lines);
        operation.index = below(5);
        if (happens(3)) operation.order = MemoryOrder::relaxed;
        const bool writes = happens(30);
        const bool atomic = happens(2);
        Warp& warp = stage.warp[below(warps)];
        LaneAccess located;
        const std::uint64_t base = space == ptx::Space::global ? stage.address : 0;
        locate<std::uint64_t>(warp, 0, static_cast<std::int64_t>(base), bytes, lanes, located);
        const Access access{.warp = warp,
                            .operation = operation,
                            .space = space,
                            .reads = atomic || !writes,
                            .writes = atomic || writes,
                            .atomic = atomic,
                            .bytes = bytes,
                            .lanes = lanes,
                            .located = located,
                            .rows = located.rows};
        quick.on_access(access);
        plain.visit(access);
    }

private:
    /// Rows of 32, 16 or 8 lanes or none; side by side, together, or anywhere.
    void choose_offsets(std::uint64_t* offsets, std::uint32_t bytes) {
        const std::uint32_t places = memory_bytes / bytes;
        const unsigned row_lanes = 1U << (happens(80) ? 3 + below(3) : below(3));
        const bool close = happens(60);  // so that rows often meet
        const auto place = [&](unsigned length) {
            const std::uint32_t end = places - length + 1;
            return close ? below(std::min(end, 3U)) * std::min<std::uint32_t>(length, 8) % end : below(end);
        };
        for (unsigned row = 0; row < warp_size; row += row_lanes) {
            const bool together = happens(30);
            const std::uint32_t first = place(together ? 1 : row_lanes);
            for (unsigned lane = 0; lane < row_lanes; ++lane)
                offsets[row + lane] = std::uint64_t{first + (together ? 0 : lane)} * bytes;
        }
    }

    std::mt19937 random_;
    std::uint32_t barriers_;  ///< of 100 events
};

/// All that the findings say, a line each.
std::string text_of(const Findings& findings) {
    std::string text;
    for (const Finding& finding : findings.all())
        text += std::to_string(static_cast<int>(finding.kind)) + " line " + std::to_string(finding.now.line) +
                " thread " + std::to_string(finding.now.thread) + ", line " + std::to_string(finding.other.line) +
                " thread " + std::to_string(finding.other.thread) + ", " + std::to_string(finding.occurrences) + "\n";
    return text;
}

}  // namespace

TEST_CASE("shared memory: quick ways find what lane by lane finds") {
    std::size_t found = 0;
    for (unsigned seed = 1; seed <= runs; ++seed) {
        CAPTURE(seed);
        Stage stage;
        Findings quick_findings;
        Findings plain_findings;
        SharedCheck quick(stage.block, stage.clock, Checks::all(), quick_findings);
        SharedCheck plain(stage.block, stage.clock, Checks::all(), plain_findings);
        Events random(seed);
        for (unsigned event = 0; event < events; ++event) {
            CAPTURE(event);
            if (random.happens(1)) {
                stage.clock.start_block();
                quick.start_block();
                plain.start_block();
            }
            random.synchronise(stage.clock);
            random.touch(stage, ptx::Space::shared, quick, plain);
            REQUIRE(text_of(quick_findings) == text_of(plain_findings));
        }
        found += plain_findings.all().size();
    }
    CHECK(found > runs);
}

TEST_CASE("device memory: quick ways find what lane by lane finds") {
    std::size_t found = 0;
    for (unsigned seed = 1; seed <= runs; ++seed) {
        CAPTURE(seed);
        Stage stage;
        Findings quick_findings;
        Findings plain_findings;
        RegionTable quick_regions;
        RegionTable plain_regions;
        GlobalLaunch quick_launch{quick_regions, stage.memory, stage.program, Checks::all()};
        GlobalLaunch plain_launch{plain_regions, stage.memory, stage.program, Checks::all()};
        Events random(seed);
        if (random.happens(50)) {
            const std::uint64_t written = random.below(memory_bytes);
            for (RegionTable* const regions : {&quick_regions, &plain_regions}) {
                regions->mark_unset(stage.memory, stage.address);
                regions->mark_written(stage.address, written);
            }
        }
        GlobalCheck quick(quick_launch, stage.block, stage.clock, 3, quick_findings);
        GlobalCheck plain(plain_launch, stage.block, stage.clock, 3, plain_findings);
        for (unsigned event = 0; event < events; ++event) {
            CAPTURE(event);
            if (random.happens(1)) {
                stage.clock.start_block();
                quick.start_block();
                plain.start_block();
            }
            random.synchronise(stage.clock);
            random.touch(stage, ptx::Space::global, quick, plain);
            REQUIRE(text_of(quick_findings) == text_of(plain_findings));
        }
        found += plain_findings.all().size();
    }
    CHECK(found > runs);
}
