/// mbarrier: phases, tokens, transaction bytes, and misuse.
#include "memory_fixture.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace lanes::emulator {
namespace {

using ptx::Type;

/// A warp with an mbarrier at shared offset 16.
class BarrierFixture : public MemoryFixture {
public:
    explicit BarrierFixture(std::uint32_t expected) {
        execute("mbarrier.init.shared::cta.b64", {barrier(), immediate_of(expected)}, 1);
    }
    static ptx::Operand barrier() { return address_of(16); }

    /// Arrivals of some lanes; returns their states.
    TestRegister arrive(LaneMask lanes, const char* name = "mbarrier.arrive.shared::cta.b64",
                        const std::vector<ptx::Operand>& more = {}) {
        const TestRegister state = add(Type::b64);
        std::vector<ptx::Operand> operands = {operand_of(state), barrier()};
        operands.insert(operands.end(), more.begin(), more.end());
        execute(name, operands, lanes);
        return state;
    }
    bool ended(TestRegister state, unsigned lane = 0) {
        execute("mbarrier.test_wait.shared.b64", {operand_of(answer_), barrier(), operand_of(state)}, 1U << lane);
        return answer_of(lane);
    }
    bool parity_ended(unsigned parity) {
        execute("mbarrier.try_wait.parity.acquire.cta.shared::cta.b64",
                {operand_of(answer_), barrier(), immediate_of(parity), immediate_of(1000)}, 1);
        return answer_of(0);
    }

private:
    bool answer_of(unsigned lane) { return ((*row<LaneMask>(answer_) >> lane) & 1U) != 0; }

    TestRegister answer_ = add_predicate(0);
};

TEST_CASE("a phase ends with the last arrival expected, and the next begins") {
    BarrierFixture fixture(32);
    CHECK_FALSE(fixture.parity_ended(0));
    CHECK(fixture.parity_ended(1));  // the phase before the first counts as ended
    const TestRegister early = fixture.arrive(0x7fffffff);
    CHECK_FALSE(fixture.ended(early));
    const TestRegister last = fixture.arrive(0x80000000);
    CHECK(fixture.ended(early));
    CHECK(fixture.ended(last, 31));
    CHECK(fixture.parity_ended(0));
    CHECK_FALSE(fixture.parity_ended(1));
    const TestRegister next = fixture.arrive(1);
    CHECK_FALSE(fixture.ended(next));
    fixture.arrive(0xfffffffe);
    CHECK(fixture.ended(next));
    CHECK(fixture.parity_ended(1));
    CHECK_FALSE(fixture.has_fault());
}

TEST_CASE("an arrival may count for several, and tells what was pending") {
    BarrierFixture fixture(8);
    const TestRegister state = fixture.arrive(1, "mbarrier.arrive.release.cta.shared.b64", {immediate_of(3)});
    const TestRegister count = fixture.add(Type::u32);
    fixture.execute("mbarrier.pending_count.b64", {operand_of(count), operand_of(state)}, 1);
    CHECK(fixture.row<std::uint32_t>(count)[0] == 8);
    fixture.arrive(1, "mbarrier.arrive.shared.b64", {immediate_of(5)});
    CHECK(fixture.ended(state));
}

TEST_CASE("a thread that drops out is not expected again") {
    BarrierFixture fixture(3);
    fixture.arrive(0x1, "mbarrier.arrive_drop.shared.b64");
    const TestRegister state = fixture.arrive(0x6);
    CHECK(fixture.ended(state, 1));
    const TestRegister next = fixture.arrive(0x2);
    CHECK_FALSE(fixture.ended(next, 1));
    fixture.arrive(0x4);
    CHECK(fixture.ended(next, 1));
}

TEST_CASE("a phase waits for its bytes as well") {
    BarrierFixture fixture(1);
    const TestRegister state = fixture.arrive(1, "mbarrier.arrive.expect_tx.shared::cta.b64", {immediate_of(1024)});
    CHECK_FALSE(fixture.ended(state));
    fixture.execute("mbarrier.complete_tx.relaxed.cta.shared::cta.b64", {BarrierFixture::barrier(), immediate_of(512)},
                    1);
    CHECK_FALSE(fixture.ended(state));
    fixture.execute("mbarrier.expect_tx.relaxed.cta.shared::cta.b64", {BarrierFixture::barrier(), immediate_of(16)}, 1);
    fixture.execute("mbarrier.complete_tx.relaxed.cta.shared::cta.b64", {BarrierFixture::barrier(), immediate_of(528)},
                    1);
    CHECK(fixture.ended(state));
}

TEST_CASE("copies arrive when they are complete") {
    BarrierFixture fixture(32);
    const std::uint64_t data = fixture.allocate<std::uint32_t>(32, [](std::size_t i) { return i + 1; });
    fixture.execute("cp.async.ca.shared.global",
                    {address_of(fixture.addresses(256, 4)), address_of(fixture.addresses(data, 4)), immediate_of(4)});
    fixture.execute("cp.async.mbarrier.arrive.noinc.shared.b64", {BarrierFixture::barrier()});
    CHECK(fixture.parity_ended(0));
    CHECK(fixture.shared<std::uint32_t>()[64 + 31] == 32);
    fixture.execute("cp.async.mbarrier.arrive.shared.b64", {BarrierFixture::barrier()});
    CHECK_FALSE(fixture.parity_ended(1));
    CHECK_FALSE(fixture.has_fault());
}

TEST_CASE("misuse is named") {
    BarrierFixture fixture(2);
    const auto says = [&](const std::string& words) {
        const bool found = fixture.fault().message.find(words) != std::string::npos;
        if (!found) MESSAGE(fixture.fault().message);
        fixture.forget_faults();
        return found;
    };
    fixture.arrive(1, "mbarrier.arrive.shared.b64", {immediate_of(3)});
    CHECK(says("3 arrivals where 2 are pending: mbarrier at shared offset 16"));
    fixture.execute("mbarrier.inval.shared.b64", {BarrierFixture::barrier()}, 1);
    fixture.arrive(1);
    CHECK(says("use of an mbarrier that was not initialised at shared offset 16"));
    fixture.execute("mbarrier.init.shared.b64", {BarrierFixture::barrier(), immediate_of(0)}, 1);
    CHECK(says("an mbarrier cannot expect 0 arrivals"));
    fixture.execute("mbarrier.init.shared.b64", {address_of(20), immediate_of(1)}, 1);
    CHECK(says("multiple of 8"));
}

TEST_CASE("fences and prefetches do nothing that a test could see") {
    MemoryFixture fixture;
    const TestRegister nowhere = fixture.addresses(12345, 1);
    for (const char* name : {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.acq_rel.gpu",
                             "fence.proxy.async", "fence.mbarrier_init.release.cluster", "fence.proxy.alias"})
        fixture.execute(name, {});
    for (const char* name :
         {"prefetch.global.L2", "prefetch.global.L1", "prefetchu.L1", "prefetch.global.L2::evict_last"})
        fixture.execute(name, {address_of(nowhere)});
    CHECK_FALSE(fixture.has_fault());
    CHECK(fixture.counters == CounterSet{});
    CHECK_FALSE(
        bool(fixture.select("fence.proxy.tensormap::generic.acquire.gpu", {address_of(nowhere), immediate_of(128)})));
}

}  // namespace
}  // namespace lanes::emulator
