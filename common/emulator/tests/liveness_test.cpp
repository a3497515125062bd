#include "liveness.hpp"

#include <doctest/doctest.h>

#include <set>

#include "ptx_launch.hpp"

using namespace lanes::emulator;

namespace {

/// A function of `size` operations that go on to the next one, the last of which leaves.
struct Sketch {
    Program program;
    std::vector<RegisterAccess> accesses;

    explicit Sketch(std::uint32_t size) {
        program.operations.resize(size);
        program.operations.back().flow = Flow::exit;
    }

    /// Operation `from` may go to `to` instead of the next one.
    void branch(std::uint32_t from, std::uint32_t to) {
        program.operations[from].flow = Flow::branch;
        program.operations[from].target = to;
        program.operations[from].guard = 0;
    }
    void read(std::uint32_t operation, std::uint32_t reg) { accesses.push_back({operation, reg, false, false}); }
    void write(std::uint32_t operation, std::uint32_t reg, bool guarded = false) {
        accesses.push_back({operation, reg, true, guarded});
    }

    std::vector<LiveRange> ranges(std::uint32_t registers) const {
        const BasicBlocks blocks(program, 0, static_cast<std::uint32_t>(program.operations.size()));
        return live_ranges(blocks, accesses, registers);
    }
};

void check(const LiveRange& range, std::uint32_t begin, std::uint32_t end, bool at_entry = false) {
    CHECK(range.begin == begin);
    CHECK(range.end == end);
    CHECK(range.at_entry == at_entry);
}

}  // namespace

TEST_CASE("in a straight line a register lives from its write to its last read") {
    Sketch sketch(6);
    sketch.write(1, 0);
    sketch.read(2, 0);
    sketch.write(2, 1);
    sketch.read(4, 0);
    sketch.read(4, 1);
    const auto ranges = sketch.ranges(3);
    check(ranges[0], 1, 4);
    check(ranges[1], 2, 4);
    CHECK(ranges[2].empty());
}

TEST_CASE("what a loop reads before it writes lives through the whole loop") {
    // 0: write a   1: read a, write b   2: write a   3: read b, back to 1   4: read a
    Sketch sketch(6);
    sketch.branch(3, 1);
    sketch.write(0, 0);
    sketch.read(1, 0);
    sketch.write(1, 1);
    sketch.write(2, 0);
    sketch.read(3, 1);
    sketch.read(4, 0);
    const auto ranges = sketch.ranges(2);
    check(ranges[0], 0, 4);
    check(ranges[1], 1, 3);
}

TEST_CASE("a value from before a loop that every turn reads lives to the loop's end") {
    Sketch sketch(6);
    sketch.branch(4, 1);
    sketch.write(0, 0);
    sketch.read(2, 0);
    check(sketch.ranges(1)[0], 0, 4);
}

TEST_CASE("a write that may not happen keeps the old value alive") {
    Sketch sketch(5);
    sketch.write(0, 0);
    sketch.write(2, 0, true);
    sketch.read(3, 0);
    check(sketch.ranges(1)[0], 0, 3);
    Sketch unset(5);
    unset.write(2, 0, true);
    unset.read(3, 0);
    check(unset.ranges(1)[0], 0, 3, true);
}

TEST_CASE("a register that only one way writes may be read unset") {
    Sketch sketch(5);
    sketch.branch(0, 2);
    sketch.write(1, 0);
    sketch.read(3, 0);
    check(sketch.ranges(1)[0], 0, 3, true);
}

TEST_CASE("registers that are needed at different times share rows, those needed together do not") {
    // sixty-four values one after the other, of which two are alive at a time; then eight together
    std::string body;
    for (int i = 0; i < 64; ++i) {
        const std::string reg = "%v" + std::to_string(i);
        body += "add.u32 " + reg + ", %r0, " + std::to_string(i) + ";\nadd.u32 %r1, %r1, " + reg + ";\n";
    }
    for (int i = 64; i < 72; ++i) body += "add.u32 %v" + std::to_string(i) + ", %r0, " + std::to_string(i) + ";\n";
    for (int i = 64; i < 72; ++i) body += "add.u32 %r1, %r1, %v" + std::to_string(i) + ";\n";
    const auto values = tests::run_threads(".reg .b32 %v<72>;\n" + body, 32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) CHECK(values[lane] == 72 * lane + 71 * 72 / 2);

    tests::TestProgram program(tests::kernel_of(".reg .b32 %v<72>;\n" + body));
    std::set<Slot> rows;
    for (const Operation& operation : program.image->find_kernel("k")->program->operations) {
        if (operation.destination != no_slot) rows.insert(operation.destination);
    }
    CHECK(rows.size() >= 9);
    CHECK(rows.size() < 20);
}

TEST_CASE("registers that are read unset are 0 in every block") {
    const auto values = tests::run_threads(R"(
        setp.eq.u32 %p1, %r20, 7;
        @%p1 bra SKIP;
        mov.u32 %r5, 9;
    SKIP:
        add.u32 %r1, %r5, 1;
    )",
                                           32, nullptr, 20);
    for (std::uint32_t i = 0; i < values.size(); ++i) CHECK(values[i] == (i / 32 == 7 ? 1 : 10));
}
