// Distinct keys of a warp, against std::set.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <lanes/model/distinct.hpp>

#include "random_accesses.hpp"

#include <numeric>
#include <set>

using namespace lanes::model;

namespace {

/// Keys of the marked lanes.
/// @param keys one for each lane
/// @param marks 0 or 1 for each lane
std::multiset<std::uint32_t> marked_keys(const LaneKeys& keys, const LaneFlags& marks) {
    std::multiset<std::uint32_t> marked;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (marks[lane] == 1) marked.insert(keys[lane]);
    return marked;
}

/// Checks every way to find the distinct keys.
/// @param keys one for each lane
void check_distinct(const LaneKeys& keys) {
    const std::set<std::uint32_t> expected(keys.begin(), keys.end());
    const std::multiset<std::uint32_t> each_once(expected.begin(), expected.end());
    CHECK(count_distinct(keys) == expected.size());
    CHECK(marked_keys(keys, mark_distinct(keys)) == each_once);
    CHECK(marked_keys(keys, mark_distinct_by_vote(keys)) == each_once);
    const LaneFlags marks = mark_distinct_by_vote(keys);
    CHECK(std::accumulate(marks.begin(), marks.end(), 0U) == expected.size());
}

}  // namespace

TEST_CASE("random keys are counted and marked once each") {
    constexpr std::uint64_t seed = 20260201;
    MESSAGE("seed " << seed);
    RandomAccesses random(seed);
    for (int i = 0; i < 20000; ++i) {
        const LaneAddresses values = random.addresses(std::uint64_t{1} << (1 + random.number(29)), 1);
        LaneKeys keys{};
        for (unsigned lane = 0; lane < warp_size; ++lane) keys[lane] = static_cast<std::uint32_t>(values[lane]);
        check_distinct(keys);
    }
}

TEST_CASE("keys whose hash slots collide are told apart") {
    // Multiples of the hash's inverse land in slot 0, whatever the multiple, as long as it is small.
    constexpr std::uint32_t inverse = [] {
        std::uint32_t x = 1;
        for (int i = 0; i < 5; ++i) x *= 2 - 0x9e3779b1U * x;  // Newton's iteration modulo 2^32
        return x;
    }();
    static_assert(inverse * 0x9e3779b1U == 1);
    LaneKeys keys{};
    for (unsigned lane = 0; lane < warp_size; ++lane) keys[lane] = inverse * (lane / 3 + 1);
    const std::set<std::uint32_t> expected(keys.begin(), keys.end());
    CHECK(expected.size() == 11);
    CHECK(marked_keys(keys, mark_distinct_by_vote(keys)) ==
          std::multiset<std::uint32_t>(expected.begin(), expected.end()));
}

TEST_CASE("neighbours that only rise or only fall are in order") {
    LaneKeys rising{};
    std::iota(rising.begin(), rising.end(), 0U);
    LaneKeys falling(rising);
    std::reverse(falling.begin(), falling.end());
    LaneKeys both(rising);
    both[31] = 7;
    CHECK(compare_neighbours(rising).ordered);
    CHECK(compare_neighbours(falling).ordered);
    CHECK(compare_neighbours(LaneKeys{}).ordered);
    CHECK_FALSE(compare_neighbours(both).ordered);
    CHECK(compare_neighbours(rising).changes == 31);
    CHECK(compare_neighbours(LaneKeys{}).changes == 0);
}
