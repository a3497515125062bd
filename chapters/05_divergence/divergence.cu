/// @file
/// @brief Chapter 5: what a warp pays when its lanes go different ways, and how to put them together again.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include chapters/05_divergence/divergence.cu
///     -o divergence
///
/// Versions, in the order of the text:
///  - two_arms         arms that really differ: a mixed warp issues both
///  - constant_arms    arms that differ in constants: the compiler merges them, no branch is left
///  - select_value     a short arm: computed by all lanes, chosen by each
///  - predicated_add   one predicated instruction: lanes that are active and yet off
///  - per_lane_trips   a loop that lasts as long as its slowest lane
///  - sum_blocks       a block's sum, whose last warp works without barriers of the block
///  - reverse_blocks   a barrier that every thread reaches, those without an element too
///  - ordered_arms     two_arms with each block's work ordered by kind first
#include "predictions.hpp"

#include <lanes/main.hpp>
#include <lanes/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Shifts and exclusive ors, `turns` times: Marsaglia, "Xorshift RNGs", 2003.
// [arms]
__device__ inline unsigned shift_arm(unsigned x, int turns) {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

/// Multiplies and adds, `turns` times: a linear congruential generator.
__device__ inline unsigned multiply_arm(unsigned x, int turns) {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) x = x * 1664525u + 1013904223u;
    return x;
}
// [/arms]

/// Kind 0 multiplies, every other kind shifts.
///
/// kinds, in, out: `count` elements; turns: how long each arm is. Launch: 1-D, at least `count` threads in all, any
/// block size, no shared memory.
// [two_arms]
__global__ void two_arms(const int* kinds, const unsigned* in, unsigned* out, int count, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    if (kinds[i] != 0)
        out[i] = shift_arm(in[i], turns);
    else
        out[i] = multiply_arm(in[i], turns);
}
// [/two_arms]

/// Two arms that differ in their constants only.
///
/// kinds, in, out: `count` elements. Launch: as two_arms.
// [constant_arms]
__global__ void constant_arms(const int* kinds, const unsigned* in, unsigned* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const unsigned x = in[i];
    unsigned y;
    if (kinds[i] != 0)
        y = x * 3 + 1;
    else
        y = x * 5 + 7;
    out[i] = y;
}
// [/constant_arms]

/// A short arm and none: the lanes of kind 0 keep their value.
///
/// kinds, in, out: `count` elements. Launch: as two_arms.
// [select_value]
__global__ void select_value(const int* kinds, const unsigned* in, unsigned* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned x = in[i];
    if (kinds[i] != 0) x = x * 2 + 1;
    out[i] = x;
}
// [/select_value]

/// Adds 1 where the kind is not 0, by one instruction that carries a predicate: written in PTX, so that no compiler
/// makes a selection of it.
///
/// kinds, in, out: `count` elements. Launch: as two_arms.
// [predicated_add]
__global__ void predicated_add(const int* kinds, const unsigned* in, unsigned* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned x = in[i];
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; @p add.u32 %0, %0, 1; }" : "+r"(x) : "r"(kinds[i]));
    out[i] = x;
}
// [/predicated_add]

/// Every element is shifted as often as it asks for.
///
/// trips, in, out: `count` elements, trips at least 0. Launch: as two_arms.
// [per_lane_trips]
__global__ void per_lane_trips(const int* trips, const unsigned* in, unsigned* out, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = shift_arm(in[i], trips[i]);
}
// [/per_lane_trips]

/// Threads of a block, in every launch of this chapter.
constexpr int threads_per_block = 256;

/// Sums each block's 256 elements; the last warp needs no barrier of the block, but its lanes still wait for each
/// other.
///
/// in: `count` elements; out: one sum a block, modulo 2^32. synced: without, the lanes are trusted to run in step,
/// which no GPU since compute capability 7.0 promises: a race. Launch: 1-D, blocks of 256 threads.
// [sum_blocks]
template <bool synced>
__global__ void sum_blocks(const unsigned* in, unsigned* out, int count) {
    __shared__ unsigned sums[threads_per_block];
    const int t = threadIdx.x, i = blockIdx.x * threads_per_block + t;
    sums[t] = i < count ? in[i] : 0;
    __syncthreads();
    for (int stride = threads_per_block / 2; stride >= 64; stride /= 2) {
        if (t < stride) sums[t] += sums[t + stride];
        __syncthreads();
    }
    if (t >= 32) return;
    for (int stride = 32; stride >= 1; stride /= 2) {
        const unsigned other = sums[t + stride];
        if (synced) __syncwarp();  // all have read
        sums[t] += other;
        if (synced) __syncwarp();  // all have written
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}
// [/sum_blocks]

/// Turns the elements of each block around, through shared memory; those of the last block, which may be fewer, too.
///
/// A thread without an element does not return before the barrier: it has nothing to load, and waits with the others.
/// in, out: `count` elements, not the same. Launch: 1-D, blocks of 256 threads.
// [reverse_blocks]
__global__ void reverse_blocks(const unsigned* in, unsigned* out, int count) {
    __shared__ unsigned tile[threads_per_block];
    const int t = threadIdx.x, first = blockIdx.x * threads_per_block, size = min(threads_per_block, count - first);
    if (t < size) tile[t] = in[first + t];
    __syncthreads();
    if (t < size) out[first + t] = tile[size - 1 - t];
}
// [/reverse_blocks]

/// The same with the barrier inside the condition: wrong, for the threads without an element never reach it.
///
/// in, out, launch: as reverse_blocks.
// [barrier_in_branch]
__global__ void barrier_in_branch(const unsigned* in, unsigned* out, int count) {
    __shared__ unsigned tile[threads_per_block];
    const int t = threadIdx.x, first = blockIdx.x * threads_per_block, size = min(threads_per_block, count - first);
    if (t < size) {
        tile[t] = in[first + t];
        __syncthreads();
        out[first + t] = tile[size - 1 - t];
    }
}
// [/barrier_in_branch]

/// Gives each thread of a block an element of it: first those of a kind other than 0, then those of kind 0, then none.
///
/// places: 256 ints of shared memory. Returns the element's place in the block, or -1. Called by all of 256 threads.
// [ordered_place]
__device__ int ordered_place(int kind, int size, int* places) {
    __shared__ int shifting_of_warp[threads_per_block / 32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const bool shifts = t < size && kind != 0;
    const unsigned shifting = __ballot_sync(0xffffffff, shifts);
    shifting_of_warp[warp] = __popc(shifting);  // 32 lanes, one value
    __syncthreads();
    int before = __popc(shifting & ((1u << lane) - 1)), total = 0;
    for (int w = 0; w < threads_per_block / 32; ++w) {
        if (w == warp) before += total;
        total += shifting_of_warp[w];
    }
    if (t < size) places[shifts ? before : total + t - before] = t;
    __syncthreads();
    return t < size ? places[t] : -1;
}
// [/ordered_place]

/// two_arms, with each block's elements ordered by kind first: at most one warp of a block is left mixed.
///
/// kinds, in, out, turns: as two_arms. Launch: 1-D, blocks of 256 threads.
// [ordered_arms]
__global__ void ordered_arms(const int* kinds, const unsigned* in, unsigned* out, int count, int turns) {
    __shared__ int places[threads_per_block];
    const int t = threadIdx.x, first = blockIdx.x * threads_per_block, size = min(threads_per_block, count - first);
    const int place = ordered_place(t < size ? kinds[first + t] : 0, size, places);
    if (place < 0) return;  // after the last barrier
    const int i = first + place;
    if (kinds[i] != 0)
        out[i] = shift_arm(in[i], turns);
    else
        out[i] = multiply_arm(in[i], turns);
}
// [/ordered_arms]

namespace {

using Numbers = std::vector<unsigned>;
using Launch = std::function<void(const int* kinds, const unsigned* in, unsigned* out, int count)>;

/// Blocks of 256 threads, one thread an element; no elements, no launch.
template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, int count, Arguments... arguments) {
    if (count == 0) return;
    kernel<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(arguments...);
}

Launch launch_arms(int turns) {
    return [=](const int* kinds, const unsigned* in, unsigned* out, int count) {
        launch(two_arms, count, kinds, in, out, count, turns);
    };
}

Launch launch_ordered(int turns) {
    return [=](const int* kinds, const unsigned* in, unsigned* out, int count) {
        launch(ordered_arms, count, kinds, in, out, count, turns);
    };
}

/// For the kernels that take kinds, or trips, and nothing more.
template <typename Kernel>
Launch launch_plain(Kernel kernel) {
    return [=](const int* kinds, const unsigned* in, unsigned* out, int count) {
        launch(kernel, count, kinds, in, out, count);
    };
}

/// Runs a launch into poisoned output.
Numbers run_kernel(const char* kernel, const Launch& launch, const std::vector<int>& kinds, const Numbers& in) {
    const lanes::DeviceArray<int> device_kinds(kinds);
    const lanes::DeviceArray<unsigned> device_in(in);
    lanes::DeviceArray<unsigned> out(in.size());
    out.poison();
    launch(device_kinds.data(), device_in.data(), out.data(), int(in.size()));
    lanes::check_launch(kernel);
    return out.to_host();
}

// ---------------------------------------------------------------------------------------------------------------------
// Is it right? Every kernel, at sizes that fit nothing.

const std::vector<std::size_t> sizes{0, 1, 3, 31, 32, 33, 100, 1000, 1023, 1025};

using ValueOf = std::function<unsigned(int kind, unsigned x)>;

/// Checks out[i] == value_of(kinds[i], in[i]) for every size of the ladder, with kinds from 0 to `kinds_to`.
void check_elements(const char* kernel, const Launch& launch, int kinds_to, const ValueOf& value_of) {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        lanes::Random random;
        const auto kinds = random.whole_numbers<int>(count, 0, kinds_to);
        const auto in = random.whole_numbers<unsigned>(count, 0, 1000000);
        Numbers expected(count);
        for (std::size_t i = 0; i < count; ++i) expected[i] = value_of(kinds[i], in[i]);
        CHECK(lanes::equal(run_kernel(kernel, launch, kinds, in), expected));
    }
}

/// shift_arm on the host.
unsigned shifted(unsigned x, int turns) {
    for (; turns > 0; --turns) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

/// multiply_arm on the host.
unsigned multiplied(unsigned x, int turns) {
    for (; turns > 0; --turns) x = x * 1664525u + 1013904223u;
    return x;
}

ValueOf arms_value(int turns) {
    return [=](int kind, unsigned x) { return kind != 0 ? shifted(x, turns) : multiplied(x, turns); };
}

TEST_CASE("two_arms and ordered_arms compute the same, whatever the order of the kinds") {
    for (const int turns : {0, 1, 5}) {
        CAPTURE(turns);
        check_elements("two_arms", launch_arms(turns), 1, arms_value(turns));
        check_elements("ordered_arms", launch_ordered(turns), 1, arms_value(turns));
    }
}

TEST_CASE("the kernels without a branch compute what their source says") {
    check_elements("constant_arms", launch_plain(constant_arms), 1,
                   [](int kind, unsigned x) { return kind != 0 ? x * 3 + 1 : x * 5 + 7; });
    check_elements("select_value", launch_plain(select_value), 1,
                   [](int kind, unsigned x) { return kind != 0 ? x * 2 + 1 : x; });
    check_elements("predicated_add", launch_plain(predicated_add), 1,
                   [](int kind, unsigned x) { return kind != 0 ? x + 1 : x; });
}

TEST_CASE("per_lane_trips shifts each element as often as it asks") {
    check_elements("per_lane_trips", launch_plain(per_lane_trips), 40,
                   [](int trips, unsigned x) { return shifted(x, trips); });
}

TEST_CASE("sum_blocks sums each block") {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const auto host = lanes::Random().whole_numbers<unsigned>(count, 0, 1000000);
        Numbers expected((count + threads_per_block - 1) / threads_per_block);
        for (std::size_t i = 0; i < count; ++i) expected[i / threads_per_block] += host[i];
        const lanes::DeviceArray<unsigned> in(host);
        lanes::DeviceArray<unsigned> out(expected.size());
        out.poison();
        launch(sum_blocks<true>, int(count), in.data(), out.data(), int(count));
        lanes::check_launch("sum_blocks");
        CHECK(lanes::equal(out.to_host(), expected));
    }
}

TEST_CASE("reverse_blocks turns each block around, the last one too") {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const auto host = lanes::Random().whole_numbers<unsigned>(count, 0, 1000000);
        Numbers expected = host;
        for (std::size_t first = 0; first < count; first += threads_per_block)
            std::reverse(expected.begin() + first, expected.begin() + std::min(first + threads_per_block, count));
        const auto reversed = [](const int*, const unsigned* in, unsigned* out, int n) {
            launch(reverse_blocks, n, in, out, n);
        };
        CHECK(lanes::equal(run_kernel("reverse_blocks", reversed, std::vector<int>(count), host), expected));
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Predicted by the model, counted by the emulator and by Nsight Compute.

constexpr std::size_t counted_elements = 2048;
constexpr int counted_turns = 8;

/// Kinds of `counted_elements` threads by their number.
std::vector<int> kinds_by(const std::function<int(std::size_t thread)>& kind_of) {
    std::vector<int> kinds(counted_elements);
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = kind_of(i);
    return kinds;
}

/// Lanes below `first_lanes` of each warp are of kind 1.
std::vector<int> split(std::size_t first_lanes) {
    return kinds_by([=](std::size_t i) { return i % 32 < first_lanes ? 1 : 0; });
}

std::vector<int> warp_aligned() {
    return kinds_by([](std::size_t i) { return i / 32 % 2 == 0 ? 1 : 0; });
}

std::vector<int> random_kinds() {
    return lanes::Random().whole_numbers<int>(counted_elements, 0, 1);
}

lanes::CountedCase counted_case(std::string name, std::string kernel, std::vector<std::string> snippets,
                                const std::vector<int>& kinds, std::uint64_t divergent, const Launch& launch) {
    return {.name = std::move(name),
            .snippets = std::move(snippets),
            .kernel = kernel,
            .parameters = {{"elements", counted_elements}, {"turns", counted_turns}},
            .predicted = divergent_branches(divergent),
            .launch = [=] { run_kernel(kernel.c_str(), launch, kinds, Numbers(counted_elements, 1)); }};
}

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    const auto add_arms = [&](const std::string& name, const std::vector<int>& kinds) {
        cases.push_back(counted_case("arms_" + name, "two_arms", {"two_arms", "arms"}, kinds, mixed_warps(kinds),
                                     launch_arms(counted_turns)));
        const auto ordered = ordered_in_blocks(kinds, threads_per_block);
        cases.push_back(counted_case("ordered_" + name, "ordered_arms", {"ordered_arms", "ordered_place", "arms"},
                                     kinds, mixed_warps(ordered), launch_ordered(counted_turns)));
    };
    add_arms("0_32", split(0));
    add_arms("16_16", split(16));
    add_arms("31_1", split(31));
    add_arms("32_0", split(32));
    add_arms("warp_aligned", warp_aligned());
    add_arms("random", random_kinds());
    // Merged, selected, predicated: no branch is left that could part the lanes.
    cases.push_back(
        counted_case("constant_arms", "constant_arms", {"constant_arms"}, split(16), 0, launch_plain(constant_arms)));
    cases.push_back(
        counted_case("select_value", "select_value", {"select_value"}, split(16), 0, launch_plain(select_value)));
    cases.push_back(counted_case("predicated_add", "predicated_add", {"predicated_add"}, split(16), 0,
                                 launch_plain(predicated_add)));
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    lanes::check_cases(counted_cases());
}

/// Cost of a launch with these kinds.
Cost cost_of(const Launch& launch, const std::vector<int>& kinds) {
    run_kernel("a counted kernel", launch, kinds, Numbers(kinds.size(), 1));
    return last_cost();
}

/// What `counted_turns` more turns of both arms cost: all that is not in the loops cancels out.
Cost cost_of_turns(const std::vector<int>& kinds) {
    return cost_of(launch_arms(2 * counted_turns), kinds) - cost_of(launch_arms(counted_turns), kinds);
}

constexpr std::uint64_t counted_warps = counted_elements / 32;

TEST_CASE("claim: a mixed warp issues both arms in full, 16:16 as 31:1; lane efficiency follows the formula") {
    if (!lanes::on_emulator()) return;
    using namespace lanes::model;
    const std::uint64_t shift = cost_of_turns(split(32)).issued.issues / counted_warps;
    const std::uint64_t multiply = cost_of_turns(split(0)).issued.issues / counted_warps;
    CHECK(shift > multiply);
    CHECK(multiply > 0);
    for (const unsigned lanes_that_shift : {0U, 1U, 8U, 16U, 31U, 32U}) {
        CAPTURE(lanes_that_shift);
        const auto taken = LaneMask((std::uint64_t{1} << lanes_that_shift) - 1);
        const IssueCount warp = branch_cost(all_lanes, taken, shift, multiply);
        const Cost counted = cost_of_turns(split(lanes_that_shift));
        CHECK(counted.issued.issues == counted_warps * warp.issues);
        CHECK(counted.issued.active_lanes == counted_warps * warp.active_lanes);
        CHECK(counted.issued.lane_efficiency() == warp.lane_efficiency());
        CHECK(counted.divergent == 0);  // the loops' own branches: all lanes of an arm turn alike
        const std::uint64_t arms = lanes_that_shift == 0 || lanes_that_shift == 32 ? 1 : 2;
        CHECK(counted.uniform == counted_warps * arms * counted_turns);
    }
}

TEST_CASE("claim: a condition aligned with warps costs no lane anything") {
    if (!lanes::on_emulator()) return;
    const Cost aligned = cost_of_turns(warp_aligned());
    CHECK(aligned.issued.lane_efficiency() == 1.0);
    CHECK(2 * aligned.issued.issues == cost_of_turns(split(16)).issued.issues);
}

TEST_CASE("claim: merged and selected arms cost the same whichever way the lanes go") {
    if (!lanes::on_emulator()) return;
    for (const Launch& kernel : {launch_plain(constant_arms), launch_plain(select_value)}) {
        const Cost mixed = cost_of(kernel, split(16));
        CHECK(mixed.divergent == 0);
        CHECK(mixed.issued == cost_of(kernel, split(0)).issued);
        CHECK(mixed.issued == cost_of(kernel, split(32)).issued);
        CHECK(mixed.issued.lane_efficiency() == 1.0);
    }
}

TEST_CASE("claim: a lane that a predicate turns off is active and does nothing") {
    if (!lanes::on_emulator()) return;
    const Cost all = cost_of(launch_plain(predicated_add), split(32));
    for (const std::size_t on : {0, 1, 16, 31}) {
        CAPTURE(on);
        const Cost some = cost_of(launch_plain(predicated_add), split(on));
        CHECK(some.divergent == 0);
        CHECK(some.issued == all.issued);
        CHECK(all.lanes_pred_on - some.lanes_pred_on == counted_warps * (32 - on));
    }
}

TEST_CASE("claim: a warp turns as often as its slowest lane") {
    if (!lanes::on_emulator()) return;
    const auto cost = [](const std::function<int(std::size_t)>& trips_of) {
        return cost_of(launch_plain(per_lane_trips), kinds_by(trips_of));
    };
    const Cost one = cost([](std::size_t) { return 1; });
    const std::uint64_t turn = (cost([](std::size_t) { return 2; }) - one).issued.issues / counted_warps;
    std::array<std::uint32_t, 32> growing{}, single{};
    for (unsigned lane = 0; lane < 32; ++lane) growing[lane] = lane;
    single[7] = 31;
    for (const auto& more : {growing, single}) {
        const Cost counted = cost([&](std::size_t i) { return int(1 + more[i % 32]); }) - one;
        const auto predicted = lanes::model::loop_cost(more, turn);
        CHECK(counted.issued.issues == counted_warps * predicted.issues);
        CHECK(counted.issued.active_lanes == counted_warps * predicted.active_lanes);
    }
}

TEST_CASE("claim: order within a block leaves at most one mixed warp in it") {
    const auto kinds = random_kinds();
    CHECK(mixed_warps(kinds) == counted_warps);
    CHECK(mixed_warps(ordered_in_blocks(kinds, threads_per_block)) <= counted_elements / threads_per_block);
}

/// What the model says of the turns of both arms, warp by warp.
lanes::model::IssueCount predicted_turns(const std::vector<int>& kinds, std::uint64_t shift, std::uint64_t multiply) {
    using namespace lanes::model;
    IssueCount total;
    for (std::size_t first = 0; first < kinds.size(); first += warp_size) {
        LaneMask taken = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) taken |= LaneMask{kinds[first + lane] != 0} << lane;
        total += branch_cost(all_lanes, taken, shift, multiply);
    }
    return total;
}

TEST_CASE("claim: random kinds issue both arms in every warp; ordered by kind, one warp a block does at most") {
    if (!lanes::on_emulator()) return;
    const std::uint64_t shift = cost_of_turns(split(32)).issued.issues / counted_warps;
    const std::uint64_t multiply = cost_of_turns(split(0)).issued.issues / counted_warps;
    const auto kinds = random_kinds();
    const Cost mixed = cost_of_turns(kinds);
    const Cost ordered =
        cost_of(launch_ordered(2 * counted_turns), kinds) - cost_of(launch_ordered(counted_turns), kinds);
    CHECK(mixed.issued == predicted_turns(kinds, shift, multiply));
    CHECK(ordered.issued == predicted_turns(ordered_in_blocks(kinds, threads_per_block), shift, multiply));
    CHECK(ordered.issued.active_lanes == mixed.issued.active_lanes);  // the same work
    CHECK(ordered.issued.lane_efficiency() > mixed.issued.lane_efficiency());
}

TEST_CASE("claim: ordering costs instructions once, and pays them back when the arms are long") {
    if (!lanes::on_emulator()) return;
    const auto issues = [](const Launch& launch) { return cost_of(launch, random_kinds()).issued.issues; };
    CHECK(issues(launch_ordered(1)) > issues(launch_arms(1)));
    CHECK(issues(launch_ordered(256)) < issues(launch_arms(256)));
}

// ---------------------------------------------------------------------------------------------------------------------
// Faults shown on purpose.

/// Launches a kernel over 100 ones.
template <typename Kernel>
void show(const char* name, Kernel kernel) {
    const lanes::DeviceArray<unsigned> in(Numbers(100, 1));
    lanes::DeviceArray<unsigned> out(100);
    launch(kernel, 100, in.data(), out.data(), 100);
    lanes::check_launch(name);
}

/// The last warp's lanes read what others write, and nothing orders them.
void show_lock_step() {
    show("sum_blocks", sum_blocks<false>);
}

/// Threads without an element leave, and those with one wait for them.
void show_barrier_in_branch() {
    show("barrier_in_branch", barrier_in_branch);
}

TEST_CASE("lock-step code is a race, and is found") {
    if (!lanes::on_emulator()) return;  // a GPU runs it in silence: compute-sanitizer's racecheck finds it there
    const lanes::DemonstrationResult shown = lanes::demonstrate("lock_step");
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("races with the read") != std::string::npos);
    CHECK(shown.output.find("divergence.cu:") != std::string::npos);
}

TEST_CASE("a barrier that some threads of the block never reach is named") {
    if (!lanes::on_emulator()) return;  // undefined on a GPU: today's goes on without the threads that have left
    const lanes::DemonstrationResult shown = lanes::demonstrate("barrier_in_branch");
    CHECK(shown.output.find("100 threads of the block wait at this barrier, but 156 have left") != std::string::npos);
    CHECK(shown.output.find("divergence.cu:") != std::string::npos);
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take?

/// One kernel on kinds of one order, held against the same work without a mixed warp.
lanes::Variant arms_variant(const std::string& name, std::vector<std::string> snippets, int turns,
                            const lanes::DeviceArray<int>& kinds, const lanes::DeviceArray<unsigned>& in,
                            lanes::DeviceArray<unsigned>& out, const Launch& launch) {
    return {.name = name,
            .snippets = std::move(snippets),
            .parameters = {{"elements", out.size()}, {"turns", turns}},
            .bytes = kinds.bytes() + in.bytes() + out.bytes(),
            .ceiling = "aligned_" + std::to_string(turns),
            .launch = [&, launch] { launch(kinds.data(), in.data(), out.data(), int(out.size())); },
            .poison = [&out] { out.poison(); },
            .verify =
                [&, turns] {
                    const auto host_kinds = kinds.to_host();
                    auto expected = in.to_host();
                    for (std::size_t i = 0; i < expected.size(); ++i)
                        expected[i] = arms_value(turns)(host_kinds[i], expected[i]);
                    return lanes::equal(out.to_host(), expected);
                }};
}

void measure_arms(lanes::Benchmark& benchmark, int turns) {
    const std::size_t n = benchmark.pick(std::size_t{1} << 24, std::size_t{1} << 22, std::size_t{1} << 12);
    std::vector<int> by_warp(n), by_half(n);
    for (std::size_t i = 0; i < n; ++i) {
        by_warp[i] = i / 32 % 2 == 0 ? 1 : 0;
        by_half[i] = i % 32 < 16 ? 1 : 0;
    }
    const lanes::DeviceArray<int> aligned(by_warp), halves(by_half), mixed(lanes::Random().whole_numbers<int>(n, 0, 1));
    const lanes::DeviceArray<unsigned> in(lanes::Random().whole_numbers<unsigned>(n, 0, 1000000));
    lanes::DeviceArray<unsigned> out(n);
    const std::string suffix = "_" + std::to_string(turns);
    std::vector<lanes::Variant> variants{
        arms_variant("aligned" + suffix, {"two_arms", "arms"}, turns, aligned, in, out, launch_arms(turns)),
        arms_variant("halves" + suffix, {"two_arms", "arms"}, turns, halves, in, out, launch_arms(turns)),
        arms_variant("mixed" + suffix, {"two_arms", "arms"}, turns, mixed, in, out, launch_arms(turns)),
        arms_variant("ordered" + suffix, {"ordered_arms", "ordered_place", "arms"}, turns, mixed, in, out,
                     launch_ordered(turns))};
    variants.front().ceiling.clear();
    benchmark.group("Two arms of " + std::to_string(turns) + " turns", variants);
}

void measure(lanes::Benchmark& benchmark) {
    for (const int turns : {1, 16, 256}) measure_arms(benchmark, turns);
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run(
        {.name = "divergence",
         .source = __FILE__,
         .cases = counted_cases,
         .measure = measure,
         .demonstrations = {{"lock_step", show_lock_step}, {"barrier_in_branch", show_barrier_in_branch}}},
        argc, argv);
}
