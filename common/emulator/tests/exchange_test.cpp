/// shfl, vote, match, redux, activemask and elect.

#include "arithmetic_reference.hpp"

using namespace lanes::emulator;

namespace {

class ExchangeFixture : public ArithmeticFixture {
public:
    ExchangeFixture() {
        for (const char* name : {"%d", "%a", "%b", "%c", "%m"}) declare(name, "b32");
        for (const char* name : {"%p", "%q"}) declare(name, "pred");
        declare("%f", "f32");
        declare("%l", "b64");
        fill<std::uint32_t>("%m", [](unsigned) { return all_lanes; });
        fill<std::uint32_t>("%a", [](unsigned lane) { return 100 + lane; });
        fill<std::uint32_t>("%d", [](unsigned) { return 7777; });
    }

    /// Lane i of %d.
    std::uint32_t result(unsigned lane) { return row<std::uint32_t>("%d")[lane]; }
};

/// One lane of shfl as the PTX ISA writes it.
struct ShuffleLane {
    std::uint32_t value;
    bool inside;
};

ShuffleLane shuffled(const std::string& mode, int lane, std::uint32_t b, std::uint32_t c) {
    const int distance = static_cast<int>(b & 0x1fu);
    const int clamp = static_cast<int>(c & 0x1fu);
    const int mask = static_cast<int>(c >> 8 & 0x1fu);
    const int last = (lane & mask) | (clamp & ~mask);
    const int first = lane & mask;
    int source = 0;
    bool inside = false;
    if (mode == "up") {
        source = lane - distance;
        inside = source >= last;
    } else if (mode == "down") {
        source = lane + distance;
        inside = source <= last;
    } else if (mode == "bfly") {
        source = lane ^ distance;
        inside = source <= last;
    } else {
        source = first | (distance & ~mask);
        inside = source <= last;
    }
    if (!inside) source = lane;
    return {100 + static_cast<std::uint32_t>(source), inside};
}

}  // namespace

TEST_CASE("shfl in all modes, for the widths that CUDA's intrinsics use") {
    for (const std::string mode : {"up", "down", "bfly", "idx"}) {
        for (const unsigned width : {1u, 2u, 4u, 8u, 16u, 32u}) {
            for (std::uint32_t b = 0; b < 34; ++b) {
                const std::uint32_t c = (32 - width) << 8 | (mode == "up" ? 0u : 31u);
                ExchangeFixture warp;
                warp.fill<std::uint32_t>("%b", [&](unsigned) { return b; });
                warp.fill<std::uint32_t>("%c", [&](unsigned) { return c; });
                warp.execute("shfl.sync." + mode + ".b32 %d|%p, %a, %b, %c, %m");
                for (unsigned lane = 0; lane < warp_size; ++lane) {
                    const ShuffleLane expected = shuffled(mode, static_cast<int>(lane), b, c);
                    CHECK(warp.result(lane) == expected.value);
                    CHECK((warp.predicate("%p") >> lane & 1u) == (expected.inside ? 1u : 0u));
                }
                CHECK(warp.faults().empty());
            }
        }
    }
}

TEST_CASE("shfl takes each lane's own selector, and its destination may be its source") {
    ExchangeFixture warp;
    warp.fill<std::uint32_t>("%b", [](unsigned lane) { return 31 - lane; });
    warp.fill<std::uint32_t>("%c", [](unsigned) { return 31; });
    warp.execute("shfl.sync.idx.b32 %a, %a, %b, %c, %m");
    for (unsigned lane = 0; lane < warp_size; ++lane) CHECK(warp.row<std::uint32_t>("%a")[lane] == 131 - lane);
    warp.execute("shfl.sync.idx.b32 %d|_, %a, %b, 31, -1");
    for (unsigned lane = 0; lane < warp_size; ++lane) CHECK(warp.result(lane) == 100 + lane);
    warp.execute("shfl.idx.b32 %d, %d, 3, 31");
    CHECK(warp.result(30) == 103);
}

TEST_CASE("shfl from a lane that does not take part is an error and changes only lanes that do") {
    ExchangeFixture warp;
    warp.execute("shfl.sync.down.b32 %d, %a, 8, 31, %m", 0x0000ffffu);
    CHECK(warp.result(0) == 108);
    CHECK(warp.result(7) == 115);
    CHECK(warp.result(16) == 7777);
    REQUIRE(warp.faults().size() == 1);
    const Fault& fault = warp.faults().front();
    CHECK(fault.kind == FaultKind::invalid_mask);
    CHECK(fault.severity == Severity::error);
    CHECK(fault.occurrences == 8);
    CHECK(fault.message.find("lane 8 takes the value of lane 16, which ") != std::string::npos);
    CHECK(fault.message.find("only lanes 0-15 shuffle with the member mask ") != std::string::npos);

    ExchangeFixture alone;
    alone.execute("shfl.sync.down.b32 %d, %a, 8, 31, %m", 0x1u);
    REQUIRE(alone.faults().size() == 1);
    CHECK(alone.faults().front().message.find("only lane 0 shuffles with the member mask ") != std::string::npos);
}

TEST_CASE("vote: all, any, uni and ballot, also of the negated predicate") {
    const LaneMask lanes = 0x00ff00f0u;
    const std::vector<LaneMask> voters = {0u, all_lanes, lanes, 0x00000010u, ~lanes, 0x00ff0000u};
    for (const LaneMask votes : voters) {
        for (const bool negated : {false, true}) {
            ExchangeFixture warp;
            warp.predicate("%p") = votes;
            warp.predicate("%q") = 0x5a5a5a5au;
            const std::string source = negated ? "!%p" : "%p";
            const LaneMask effective = (negated ? ~votes : votes) & lanes;
            const auto vote = [&](const std::string& mode) {
                warp.predicate("%q") = 0x5a5a5a5au;
                std::string text = "vote.sync." + mode;
                text += ".pred %q, " + source + ", %m";
                warp.execute(text, lanes);
                CHECK((warp.predicate("%q") & ~lanes) == (0x5a5a5a5au & ~lanes));
                const LaneMask result = warp.predicate("%q") & lanes;
                CHECK((result == 0 || result == lanes));
                return result != 0;
            };
            CHECK(vote("all") == (effective == lanes));
            CHECK(vote("any") == (effective != 0));
            CHECK(vote("uni") == (effective == lanes || effective == 0));
            warp.execute("vote.sync.ballot.b32 %d, " + source + ", %m", lanes);
            CHECK(warp.result(4) == effective);
            CHECK(warp.result(0) == 7777);
        }
    }
}

TEST_CASE("a ballot counts a lane outside the member mask, as hardware does") {
    ExchangeFixture warp;
    warp.predicate("%p") = all_lanes;
    warp.execute("vote.ballot.sync.b32 %d, %p, 0x0000ffff");
    CHECK(warp.result(3) == all_lanes);
}

TEST_CASE("match.any groups lanes by value") {
    ExchangeFixture warp;
    const LaneMask lanes = 0xfffffff0u;
    warp.fill<std::uint32_t>("%a", [](unsigned lane) { return lane % 3; });
    warp.execute("match.any.sync.b32 %d, %a, %m", lanes);
    for (unsigned lane = 4; lane < warp_size; ++lane) {
        LaneMask expected = 0;
        for (unsigned other = 4; other < warp_size; ++other) expected |= other % 3 == lane % 3 ? 1u << other : 0u;
        CHECK(warp.result(lane) == expected);
    }
    CHECK(warp.result(0) == 7777);
    warp.fill<std::uint64_t>("%l", [](unsigned lane) { return std::uint64_t{lane / 8} << 32; });
    warp.execute("match.any.sync.b64 %d, %l, %m");
    CHECK(warp.result(9) == 0x0000ff00u);
    warp.fill<std::uint32_t>("%a", [](unsigned lane) { return lane % 2; });
    warp.execute("match.any.sync.b32 %a, %a, %m");
    CHECK(warp.row<std::uint32_t>("%a")[31] == 0xaaaaaaaau);
}

TEST_CASE("match.all asks whether all lanes agree") {
    ExchangeFixture warp;
    warp.fill<std::uint32_t>("%a", [](unsigned lane) { return lane == 3 ? 1 : 5; });
    warp.execute("match.all.sync.b32 %d|%p, %a, %m");
    CHECK(warp.result(0) == 0);
    CHECK(warp.predicate("%p") == 0);
    warp.execute("match.all.sync.b32 %d|%p, %a, %m", 0x000000f0u);
    CHECK(warp.result(4) == 0x000000f0u);
    CHECK(warp.predicate("%p") == 0x000000f0u);
    warp.fill<std::uint64_t>("%l", [](unsigned) { return 1ull << 40; });
    warp.execute("match.all.sync.b64 %d, %l, %m");
    CHECK(warp.result(31) == all_lanes);
}

TEST_CASE("redux over the lanes that take part") {
    for (const LaneMask lanes : {all_lanes, LaneMask{0x80000000u}, LaneMask{0x0f0f1234u}}) {
        ExchangeFixture warp;
        std::mt19937 random(lanes);
        warp.fill<std::uint32_t>("%a", [&](unsigned) { return random(); });
        std::vector<std::uint32_t> values;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if ((lanes >> lane & 1u) != 0) values.push_back(warp.row<std::uint32_t>("%a")[lane]);
        }
        const auto reduced = [&](const std::string& form) {
            warp.execute("redux.sync." + form + " %d, %a, %m", lanes);
            return warp.result(static_cast<unsigned>(std::countr_zero(lanes)));
        };
        const auto folded = [&](std::uint32_t start, const auto& function) {
            for (const std::uint32_t value : values) start = function(start, value);
            return start;
        };
        using U = std::uint32_t;
        using S = std::int32_t;
        CHECK(reduced("add.u32") == folded(0, [](U a, U b) { return a + b; }));
        CHECK(reduced("add.s32") == folded(0, [](U a, U b) { return a + b; }));
        CHECK(reduced("and.b32") == folded(~0u, [](U a, U b) { return a & b; }));
        CHECK(reduced("or.b32") == folded(0, [](U a, U b) { return a | b; }));
        CHECK(reduced("xor.b32") == folded(0, [](U a, U b) { return a ^ b; }));
        CHECK(reduced("min.u32") == folded(~0u, [](U a, U b) { return std::min(a, b); }));
        CHECK(reduced("max.u32") == folded(0, [](U a, U b) { return std::max(a, b); }));
        CHECK(reduced("min.s32") == folded(0x7fffffffu, [](U a, U b) {
                  return static_cast<U>(std::min(static_cast<S>(a), static_cast<S>(b)));
              }));
        CHECK(reduced("max.s32") == folded(0x80000000u, [](U a, U b) {
                  return static_cast<U>(std::max(static_cast<S>(a), static_cast<S>(b)));
              }));
        if (lanes != all_lanes) CHECK(warp.result(0) == 7777);
    }
}

TEST_CASE("redux of f32: NaN counts only with .NaN") {
    ExchangeFixture warp;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto reduced = [&](const std::string& form, LaneMask lanes = all_lanes) {
        warp.fill<float>("%f", [&](unsigned lane) {
            return lane == 5 ? nan : lane == 9 ? -40.0f : static_cast<float>(lane);
        });
        warp.execute("redux.sync." + form + ".f32 %f, %f, %m", lanes);
        return std::bit_cast<std::uint32_t>(warp.row<float>("%f")[static_cast<unsigned>(std::countr_zero(lanes))]);
    };
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    CHECK(reduced("min") == bits(-40.0f));
    CHECK(reduced("max") == bits(31.0f));
    CHECK(reduced("max.abs") == bits(40.0f));
    CHECK(reduced("min.abs") == bits(0.0f));
    CHECK(reduced("min.NaN") == 0x7fffffffu);
    CHECK(reduced("max.abs.NaN") == 0x7fffffffu);
    CHECK(reduced("max.NaN", 0xffff0000u) == bits(31.0f));
    CHECK(reduced("max", 0x00000020u) == 0x7fffffffu);
}

TEST_CASE("activemask and elect") {
    ExchangeFixture warp;
    warp.execute("activemask.b32 %d", 0x00ff0100u);
    CHECK(warp.result(8) == 0x00ff0100u);
    CHECK(warp.result(9) == 7777);
    warp.predicate("%p") = 0;
    warp.execute("elect.sync %d|%p, %m", 0x00ff0100u);
    CHECK(warp.result(16) == 8);
    CHECK(warp.predicate("%p") == 0x00000100u);
    warp.predicate("%p") = all_lanes;
    warp.execute("elect.sync _|%p, %m");
    CHECK(warp.predicate("%p") == 1u);
}

TEST_CASE(".sync forms wait for their member mask, the others and activemask do not") {
    ExchangeFixture warp;
    CHECK(warp.decode("shfl.sync.idx.b32 %d, %a, %b, %c, %m").flow == Flow::warp_exchange);
    CHECK(warp.decode("vote.sync.any.pred %p, %q, %m").flow == Flow::warp_exchange);
    CHECK(warp.decode("match.any.sync.b32 %d, %a, %m").flow == Flow::warp_exchange);
    CHECK(warp.decode("redux.sync.add.s32 %d, %a, %m").flow == Flow::warp_exchange);
    CHECK(warp.decode("elect.sync %d|%p, %m").flow == Flow::warp_exchange);
    CHECK(warp.decode("shfl.idx.b32 %d, %a, %b, %c").flow == Flow::data);
    CHECK(warp.decode("vote.any.pred %p, %q").flow == Flow::data);
    CHECK(warp.decode("activemask.b32 %d").flow == Flow::data);
}
