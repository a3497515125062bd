/// @file
/// @brief Chapter 5: what a warp pays when its lanes go different ways, and how to put them together again.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include chapters/05_divergence/divergence.cu
///     -o divergence
///
/// Versions, in the order of the text:
///  - two_arms:        arms that really differ: a mixed warp issues both
///  - constant_arms:   arms that differ in constants: the compiler merges them, no branch is left
///  - select_value:    a short arm: computed by all lanes, chosen by each
///  - predicated_add:  one predicated instruction: lanes that are active and yet off
///  - per_lane_trips:  a loop that lasts as long as its slowest lane
///  - take_numbers:    lanes that act together inside a branch, and the mask that says which
///  - count_under_lock: lanes of a warp that wait for each other: they take turns
///  - sum_blocks:      a block's sum, whose last warp works without barriers of the block
///  - reverse_blocks:  a barrier that every thread reaches, those without an element too
///  - add_neighbour:   the same, where a thread that leaves early would be missed
///  - ordered_arms:    two_arms with each block's work ordered by kind first
///  - list_by_kind, listed_arms:  the same over the whole array, in two launches
#include "predictions.hpp"

#include <lanes/main.hpp>
#include <lanes/random.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
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

/// Numbers the elements of a kind other than 0, in any order, each number once: one atomic operation a warp.
///
/// kinds, numbers: `count` elements; an element of kind 0 gets -1. taken: how many numbers are given out, 0 before.
/// full_mask: names all lanes where only some come, which is wrong. Launch: 1-D, at least `count` threads in all,
/// blocks of whole warps.
// [take_numbers]
template <bool full_mask>
__global__ void take_numbers(const int* kinds, int* numbers, int count, int* taken) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const bool chosen = i < count && kinds[i] != 0;
    const unsigned members = __ballot_sync(0xffffffff, chosen);  // before the branch, by all lanes
    int number = -1;
    if (chosen) {
        const int leader = __ffs(members) - 1;
        if (lane == leader) number = atomicAdd(taken, __popc(members));
        number = __shfl_sync(full_mask ? 0xffffffff : members, number, leader);
        number += __popc(members & ((1u << lane) - 1));
    }
    if (i < count) numbers[i] = number;
}
// [/take_numbers]

/// Each thread adds 1 to a counter while it holds a lock. The others wait, those of its own warp too.
///
/// lock, counter: 0 before. Launch: any; not before compute capability 7.0, where a warp that waits for itself hangs.
// [count_under_lock]
__global__ void count_under_lock(int* lock, unsigned* counter) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();  // what others wrote under the lock is seen from here on
    *counter += 1;
    __threadfence();  // and what was written here is seen before the lock is free
    atomicExch(lock, 0);
}
// [/count_under_lock]

/// Threads of a block, in every launch of this chapter.
constexpr int threads_per_block = 256;

/// How the lanes of a block's last warp wait for each other.
enum class LastWarp {
    synced,           ///< with __syncwarp()
    trusted,          ///< not at all: they are trusted to run in step
    trusted_volatile  ///< nor here, but the compiler must make every access where it stands
};

/// Sums each block's 256 elements; the last warp needs no barrier of the block, but its lanes must wait for each other.
///
/// in: `count` elements; out: one sum a block, modulo 2^32. last_warp: all but `synced` trust in lock step, which no
/// GPU since compute capability 7.0 promises: a race. Launch: 1-D, blocks of 256 threads.
// [sum_blocks]
template <LastWarp last_warp>
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
    using Word = std::conditional_t<last_warp == LastWarp::trusted_volatile, volatile unsigned, unsigned>;
    Word* words = sums;
    for (int stride = 32; stride >= 1; stride /= 2) {
        const unsigned other = words[t + stride];
        if (last_warp == LastWarp::synced) __syncwarp();  // all have read
        words[t] = words[t] + other;
        if (last_warp == LastWarp::synced) __syncwarp();  // all have written
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

/// Even and odd threads each have a barrier of their own: wrong, for a barrier is where all threads of a block meet.
///
/// in, out: blocks of 256 elements. Launch: 1-D, blocks of 256 threads.
// [barrier_in_each_arm]
__global__ void barrier_in_each_arm(const unsigned* in, unsigned* out) {
    __shared__ unsigned tile[threads_per_block];
    const int t = threadIdx.x, i = blockIdx.x * threads_per_block + t;
    if (t % 2 == 0) {
        tile[t] = in[i];
        __syncthreads();
        out[i] = tile[t + 1];
    } else {
        tile[t] = in[i] + 1;
        __syncthreads();
        out[i] = 3 * tile[t - 1];
    }
}
// [/barrier_in_each_arm]

/// Adds to each element its right neighbour, and 0 to the last one.
///
/// in, out: `count` elements. stays: threads without an element fill their place with 0; without, they leave before the
/// barrier, and a neighbour reads what nobody wrote. Launch: 1-D, blocks of 256 threads.
// [add_neighbour]
template <bool stays>
__global__ void add_neighbour(const unsigned* in, unsigned* out, int count) {
    __shared__ unsigned tile[threads_per_block + 1];
    const int t = threadIdx.x, i = blockIdx.x * threads_per_block + t;
    if (!stays && i >= count) return;
    tile[t] = i < count ? in[i] : 0;
    if (t == threads_per_block - 1) tile[t + 1] = i + 1 < count ? in[i + 1] : 0;
    __syncthreads();
    if (i < count) out[i] = tile[t] + tile[t + 1];
}
// [/add_neighbour]

/// A thread's part of a block's work, once that is ordered by kind.
struct Ordered {
    int place;     ///< of the thread's element in the block; -1 if there is none left
    int shifting;  ///< elements of a kind other than 0 in the block: the first threads have them
};

/// Gives each thread of a block an element of it: first those of a kind other than 0, then those of kind 0, then none.
///
/// size: elements of the block, kind: that of element threadIdx.x; places: 256 ints of shared memory. Called by all of
/// 256 threads.
// [order_by_kind]
__device__ Ordered order_by_kind(int kind, int size, int* places) {
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
    return {t < size ? places[t] : -1, total};
}
// [/order_by_kind]

/// two_arms, with each block's elements ordered by kind first: at most one warp of a block is left mixed.
///
/// kinds, in, out, turns: as two_arms. Launch: 1-D, blocks of 256 threads.
// [ordered_arms]
__global__ void ordered_arms(const int* kinds, const unsigned* in, unsigned* out, int count, int turns) {
    __shared__ int places[threads_per_block];
    const int t = threadIdx.x, first = blockIdx.x * threads_per_block, size = min(threads_per_block, count - first);
    const Ordered ordered = order_by_kind(t < size ? kinds[first + t] : 0, size, places);
    if (ordered.place < 0) return;  // after the last barrier
    const int i = first + ordered.place;
    if (t < ordered.shifting)
        out[i] = shift_arm(in[i], turns);
    else
        out[i] = multiply_arm(in[i], turns);
}
// [/ordered_arms]

/// Elements in a list, counted from both of its ends: those of a kind other than 0 times 2^32, plus those of kind 0.
using Listed = unsigned long long;

/// Lists the numbers of an array's elements: those of a kind other than 0 from the front, those of kind 0 from the
/// back.
///
/// kinds, list: `count` elements; listed: 0 before, see Listed. Launch: 1-D, blocks of 256 threads.
// [list_by_kind]
__global__ void list_by_kind(const int* kinds, int* list, int count, Listed* listed) {
    __shared__ int places[threads_per_block];
    __shared__ Listed before;
    const int t = threadIdx.x, first = blockIdx.x * threads_per_block, size = min(threads_per_block, count - first);
    const Ordered ordered = order_by_kind(t < size ? kinds[first + t] : 0, size, places);
    if (t == 0) before = atomicAdd(listed, (Listed(ordered.shifting) << 32) + (size - ordered.shifting));
    __syncthreads();
    if (ordered.place < 0) return;
    const int front = int(before >> 32), back = int(before & 0xffffffff);
    const int to = t < ordered.shifting ? front + t : count - 1 - (back + t - ordered.shifting);
    list[to] = first + ordered.place;
}
// [/list_by_kind]

/// two_arms, along a list: one warp of the whole grid may be mixed.
///
/// list, listed: as list_by_kind left them; in, out, turns: as two_arms. Launch: as two_arms.
// [listed_arms]
__global__ void listed_arms(const int* list, const Listed* listed, const unsigned* in, unsigned* out, int count,
                            int turns) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= count) return;
    const int i = list[t];
    if (t < int(*listed >> 32))
        out[i] = shift_arm(in[i], turns);
    else
        out[i] = multiply_arm(in[i], turns);
}
// [/listed_arms]

namespace {

using Numbers = std::vector<unsigned>;
using Launch = std::function<void(const int* kinds, const unsigned* in, unsigned* out, int count)>;

/// Blocks of 256 threads, one thread an element; no elements, no launch.
template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int count, Arguments... arguments) {
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

/// An array's elements in the order of a list, and how many there are from each end.
struct ListByKind {
    lanes::DeviceArray<int> list;                               ///< numbers of elements
    lanes::DeviceArray<Listed> listed{std::vector<Listed>{0}};  ///< see Listed

    /// Room for a list; make() fills it.
    explicit ListByKind(std::size_t count) : list(count) {}

    /// A list made on the host, in the elements' order.
    explicit ListByKind(const std::vector<int>& kinds) : list(kinds.size()) {
        std::vector<int> numbers(kinds.size());
        std::iota(numbers.begin(), numbers.end(), 0);
        const auto back = std::stable_partition(numbers.begin(), numbers.end(), [&](int i) { return kinds[i] != 0; });
        list.from_host(numbers);
        const auto front = Listed(back - numbers.begin());
        listed.from_host({(front << 32) + (numbers.size() - front)});
    }

    /// Lists `count` elements by their kinds, without waiting for it.
    void make(const int* kinds, int count) {
        if (count == 0) return;
        lanes::check(cudaMemsetAsync(listed.data(), 0, listed.bytes()));
        launch(list_by_kind, count, kinds, list.data(), count, listed.data());
    }
};

/// Lists, and works along the list.
Launch launch_listed(int turns) {
    return [=](const int* kinds, const unsigned* in, unsigned* out, int count) {
        ListByKind by_kind(count);
        by_kind.make(kinds, count);
        launch(listed_arms, count, by_kind.list.data(), by_kind.listed.data(), in, out, count, turns);
        lanes::check_launch("listed_arms");  // before the list is freed
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

TEST_CASE("two_arms, ordered_arms and listed_arms compute the same, whatever the order of the kinds") {
    for (const int turns : {0, 1, 5}) {
        CAPTURE(turns);
        check_elements("two_arms", launch_arms(turns), 1, arms_value(turns));
        check_elements("ordered_arms", launch_ordered(turns), 1, arms_value(turns));
        check_elements("listed_arms", launch_listed(turns), 1, arms_value(turns));
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
        launch(sum_blocks<LastWarp::synced>, int(count), in.data(), out.data(), int(count));
        lanes::check_launch("sum_blocks");
        CHECK(lanes::equal(out.to_host(), expected));
    }
}

TEST_CASE("take_numbers gives each element of a kind a number of its own") {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const auto kinds = lanes::Random().whole_numbers<int>(count, 0, 1);
        const lanes::DeviceArray<int> on_device(kinds);
        lanes::DeviceArray<int> numbers(count), taken(std::vector<int>{0});
        launch(take_numbers<false>, int(count), on_device.data(), numbers.data(), int(count), taken.data());
        lanes::check_launch("take_numbers");
        std::vector<int> given, expected;
        const auto got = numbers.to_host();
        for (std::size_t i = 0; i < count; ++i) {
            if (kinds[i] != 0) given.push_back(got[i]);
            CHECK((got[i] == -1) == (kinds[i] == 0));
        }
        std::sort(given.begin(), given.end());
        for (int number = 0; number < taken.to_host()[0]; ++number) expected.push_back(number);
        CHECK(lanes::equal(given, expected));
    }
}

TEST_CASE("claim: lanes of one warp may wait for each other: a lock lets them in one by one") {
    for (const unsigned threads : {1U, 31U, 32U, 96U}) {
        CAPTURE(threads);
        lanes::DeviceArray<int> lock(std::vector<int>{0});
        lanes::DeviceArray<unsigned> counter(Numbers{0});
        count_under_lock<<<3, threads>>>(lock.data(), counter.data());
        lanes::check_launch("count_under_lock");
        CHECK(counter.to_host()[0] == 3 * threads);
        CHECK(lock.to_host()[0] == 0);
    }
}

/// For the kernels that take no kinds.
template <typename Kernel>
Launch launch_without_kinds(Kernel kernel) {
    return [=](const int*, const unsigned* in, unsigned* out, int count) { launch(kernel, count, in, out, count); };
}

TEST_CASE("add_neighbour adds the right neighbour, of the next block too, and 0 at the end") {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const auto host = lanes::Random().whole_numbers<unsigned>(count, 0, 1000000);
        Numbers expected = host;
        for (std::size_t i = 0; i + 1 < count; ++i) expected[i] += host[i + 1];
        const Launch adds = launch_without_kinds(add_neighbour<true>);
        CHECK(lanes::equal(run_kernel("add_neighbour", adds, std::vector<int>(count), host), expected));
    }
}

TEST_CASE("reverse_blocks turns each block around, the last one too") {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const auto host = lanes::Random().whole_numbers<unsigned>(count, 0, 1000000);
        Numbers expected = host;
        for (std::size_t first = 0; first < count; first += threads_per_block)
            std::reverse(expected.begin() + first, expected.begin() + std::min(first + threads_per_block, count));
        const Launch reverses = launch_without_kinds(reverse_blocks);
        CHECK(lanes::equal(run_kernel("reverse_blocks", reverses, std::vector<int>(count), host), expected));
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Predicted by the model, counted by the emulator and by Nsight Compute.

constexpr std::size_t counted_elements = 2048;
constexpr int counted_turns = 8;

/// Kinds of elements by their number.
std::vector<int> kinds_by(const std::function<int(std::size_t element)>& kind_of,
                          std::size_t count = counted_elements) {
    std::vector<int> kinds(count);
    for (std::size_t i = 0; i < count; ++i) kinds[i] = kind_of(i);
    return kinds;
}

/// Lanes below `first_lanes` of each warp are of kind 1.
std::vector<int> split(std::size_t first_lanes) {
    return kinds_by([=](std::size_t i) { return i % 32 < first_lanes ? 1 : 0; });
}

/// Every other warp is of kind 1.
std::vector<int> warp_aligned() {
    return kinds_by([](std::size_t i) { return i / 32 % 2 == 0 ? 1 : 0; });
}

std::vector<int> random_kinds() {
    return lanes::Random().whole_numbers<int>(counted_elements, 0, 1);
}

/// Lane 0 turns once, lane 31 turns 32 times.
std::vector<int> growing_trips() {
    return kinds_by([](std::size_t i) { return 1 + int(i % 32); });
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

/// Random kinds along a list. Each warp but one at most is of one kind.
lanes::CountedCase listed_case() {
    const auto kinds = random_kinds();
    const auto listed = ordered_in_blocks(kinds, counted_elements);
    return counted_case("listed_random", "listed_arms", {"listed_arms", "arms"}, kinds, mixed_warps(listed),
                        [=](const int*, const unsigned* in, unsigned* out, int count) {
                            ListByKind by_kind(kinds);
                            launch(listed_arms, count, by_kind.list.data(), by_kind.listed.data(), in, out, count,
                                   counted_turns);
                            lanes::check_launch("listed_arms");
                        });
}

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    const auto add_arms = [&](const std::string& name, const std::vector<int>& kinds) {
        cases.push_back(counted_case("arms_" + name, "two_arms", {"two_arms", "arms"}, kinds, mixed_warps(kinds),
                                     launch_arms(counted_turns)));
        const auto ordered = ordered_in_blocks(kinds, threads_per_block);
        cases.push_back(counted_case("ordered_" + name, "ordered_arms", {"ordered_arms", "order_by_kind", "arms"},
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
    // At each turn but the last one lane leaves.
    cases.push_back(counted_case("growing_trips", "per_lane_trips", {"per_lane_trips", "arms"}, growing_trips(),
                                 31 * counted_elements / 32, launch_plain(per_lane_trips)));
    cases.push_back(listed_case());
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
Cost cost_of_turns(const std::function<Launch(int turns)>& launch_of, const std::vector<int>& kinds) {
    return cost_of(launch_of(2 * counted_turns), kinds) - cost_of(launch_of(counted_turns), kinds);
}

/// The same of two_arms.
Cost cost_of_turns(const std::vector<int>& kinds) {
    return cost_of_turns(launch_arms, kinds);
}

constexpr std::uint64_t counted_warps = counted_elements / 32;

TEST_CASE("claim: a mixed warp issues both arms in full, 16:16 as 31:1; lane efficiency follows the formula") {
    if (!lanes::on_emulator()) return;
    using namespace lanes::model;
    const std::uint64_t shift = cost_of_turns(split(32)).issued.issues / counted_warps;
    const std::uint64_t multiply = cost_of_turns(split(0)).issued.issues / counted_warps;
    CHECK(shift == 9 * counted_turns);
    CHECK(multiply == 4 * counted_turns);
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

TEST_CASE("claim: order within a block leaves at most one mixed warp in it; order of all leaves one at most") {
    const auto kinds = random_kinds();
    CHECK(mixed_warps(kinds) == counted_warps);
    CHECK(mixed_warps(ordered_in_blocks(kinds, threads_per_block)) <= counted_elements / threads_per_block);
    CHECK(mixed_warps(ordered_in_blocks(kinds, counted_elements)) <= 1);
}

TEST_CASE(
    "claim: where one element in 32 shifts, an eighth of the warps does once blocks are ordered, and then 1 in 32") {
    const auto warps_that_shift = [](const std::vector<int>& kinds) {
        std::size_t warps = 0;
        for (std::size_t first = 0; first < kinds.size(); first += 32)
            warps += std::count(kinds.begin() + first, kinds.begin() + first + 32, 1) > 0 ? 1 : 0;
        return warps;
    };
    CHECK(warps_that_shift(split(1)) == counted_warps);
    CHECK(warps_that_shift(ordered_in_blocks(split(1), threads_per_block)) == counted_warps / 8);
    CHECK(warps_that_shift(ordered_in_blocks(split(1), counted_elements)) == counted_warps / 32);
}

TEST_CASE("claim: the answers to the questions") {
    using namespace lanes::model;
    CHECK(branch_cost(all_lanes, 0xff, 100, 100) == IssueCount{200, 3200});
    CHECK(branch_cost(all_lanes, 0xff, 100, 100).lane_efficiency() == 0.5);
    CHECK(branch_cost(all_lanes, 1, 90, 10).lane_efficiency() == 0.125);
    CHECK(mixed_warps(kinds_by([](std::size_t thread) { return thread < 100 ? 1 : 0; }, 256)) == 1);
    std::array<std::uint32_t, 32> trips{};
    trips.fill(10);
    trips[0] = 1000;
    CHECK(1 / loop_cost(trips, 1).lane_efficiency() == doctest::Approx(24.4).epsilon(0.01));
    std::iota(trips.begin(), trips.end(), 1);
    CHECK(loop_cost(trips, 1) == IssueCount{32, 528});
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
    const Cost ordered = cost_of_turns(launch_ordered, kinds);
    const Cost listed = cost_of_turns(launch_listed, kinds);
    CHECK(mixed.issued == predicted_turns(kinds, shift, multiply));
    CHECK(ordered.issued == predicted_turns(ordered_in_blocks(kinds, threads_per_block), shift, multiply));
    CHECK(listed.issued == predicted_turns(ordered_in_blocks(kinds, counted_elements), shift, multiply));
    CHECK(ordered.issued.active_lanes == mixed.issued.active_lanes);  // the same work
    CHECK(listed.issued.active_lanes == mixed.issued.active_lanes);
    CHECK(ordered.issued.lane_efficiency() > mixed.issued.lane_efficiency());
    CHECK(listed.issued.lane_efficiency() > ordered.issued.lane_efficiency());
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
    run_kernel(name, launch_without_kinds(kernel), std::vector<int>(100), Numbers(100, 1));
}

/// The last warp's lanes read what others write, and nothing orders them.
void show_lock_step() {
    show("sum_blocks", sum_blocks<LastWarp::trusted>);
}

/// Threads without an element leave, and those with one wait for them.
void show_barrier_in_branch() {
    show("barrier_in_branch", barrier_in_branch);
}

/// The same, and a neighbour needs what one that left should have written.
void show_early_return() {
    show("add_neighbour", add_neighbour<false>);
}

/// Half of the threads wait at one barrier, half at another.
void show_barrier_in_each_arm() {
    const lanes::DeviceArray<unsigned> in(Numbers(threads_per_block, 1));
    lanes::DeviceArray<unsigned> out(threads_per_block);
    launch(barrier_in_each_arm, threads_per_block, in.data(), out.data());
    lanes::check_launch("barrier_in_each_arm");
}

/// A mask names lanes that are not in the branch.
void show_full_mask() {
    const lanes::DeviceArray<int> kinds(split(20));
    lanes::DeviceArray<int> numbers(counted_elements), taken(std::vector<int>{0});
    launch(take_numbers<true>, counted_elements, kinds.data(), numbers.data(), int(counted_elements), taken.data());
    lanes::check_launch("take_numbers");
}

/// Checks that the emulator ends a demonstration with an error, or warns, in words that hold `message`.
void check_shown(const std::string& name, bool is_error, const std::string& message) {
    if (!lanes::on_emulator()) return;  // a GPU runs on in silence, or hangs
    const lanes::DemonstrationResult shown = lanes::demonstrate(name);
    CAPTURE(shown.output);
    CHECK((shown.exit_code != 0) == is_error);
    CHECK(shown.output.find(message) != std::string::npos);
    CHECK(shown.output.find("divergence.cu:") != std::string::npos);
}

TEST_CASE("lock-step code is a race, and is found") {
    check_shown("lock_step", true, "races with the read");
}

TEST_CASE("a barrier that some threads of the block never reach is named") {
    check_shown("barrier_in_branch", false, "100 threads of the block wait at this barrier, but 156 have left");
}

TEST_CASE("an early return is named, and what is missing because of it") {
    check_shown("early_return", true, "which no thread of the block has written");
}

TEST_CASE("two barriers for the threads of one block are named") {
    check_shown("barrier_in_each_arm", true, "which all threads of the block must reach together");
}

TEST_CASE("a mask with lanes that never come is named") {
    check_shown("full_mask", true, "lanes 0-19 wait with the member mask 0xffffffff for lanes 20-31, which never come");
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take?

/// Which elements are of kind 1.
enum class Order {
    by_warp,      ///< those of every other warp
    halves,       ///< 16 of each warp
    one_of_warp,  ///< one of each warp
    random,       ///< each with probability 1/2
    all,          ///< all
    none          ///< none
};

/// Numbers that look random, for data too large to be made on the host: the end of MurmurHash3.
__device__ unsigned scrambled(unsigned x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/// Fills arrays of `count` elements. Launch: 1-D, any size.
__global__ void fill_kinds(Order order, int* kinds, unsigned* in, int count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(count); i += gridDim.x * blockDim.x) {
        in[i] = scrambled(i);
        if (order == Order::by_warp) kinds[i] = i / 32 % 2 == 0;
        if (order == Order::halves) kinds[i] = i % 32 < 16;
        if (order == Order::one_of_warp) kinds[i] = i % 32 == 0;
        if (order == Order::random) kinds[i] = scrambled(i + 1) % 2;
        if (order == Order::all) kinds[i] = 1;
        if (order == Order::none) kinds[i] = 0;
    }
}

/// Counts the elements that are not what their arm makes of them. Launch: 1-D, any size; *wrong is 0 before.
__global__ void count_wrong(const int* kinds, const unsigned* in, const unsigned* out, int count, int turns,
                            unsigned* wrong) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(count); i += gridDim.x * blockDim.x) {
        const unsigned expected = kinds[i] != 0 ? shift_arm(in[i], turns) : multiply_arm(in[i], turns);
        if (out[i] != expected) atomicAdd(wrong, 1u);
    }
}

/// Large arrays of one order; results are checked on the device, where they are.
class TimedArms {
public:
    /// @brief Makes the input, and room for the output and a list.
    /// @param count elements
    /// @param order of the kinds
    TimedArms(std::size_t count, Order order) : kinds_(count), in_(count), out_(count), by_kind_(count) {
        fill_kinds<<<1024, 256>>>(order, kinds_.data(), in_.data(), int(count));
        lanes::check_launch("fill_kinds");
    }

    /// two_arms.
    lanes::Variant mixed(const std::string& name, int turns) {
        return variant(name, {"two_arms", "arms"}, turns, launch_arms(turns));
    }

    /// ordered_arms.
    lanes::Variant ordered(const std::string& name, int turns) {
        return variant(name, {"ordered_arms", "order_by_kind", "arms"}, turns, launch_ordered(turns));
    }

    /// list_by_kind and listed_arms, both in the time.
    lanes::Variant listed(const std::string& name, int turns) {
        return variant(name, {"list_by_kind", "order_by_kind", "listed_arms", "arms"}, turns,
                       [this, turns](const int* kinds, const unsigned* in, unsigned* out, int count) {
                           by_kind_.make(kinds, count);
                           launch(listed_arms, count, by_kind_.list.data(), by_kind_.listed.data(), in, out, count,
                                  turns);
                       });
    }

private:
    lanes::Variant variant(const std::string& name, std::vector<std::string> snippets, int turns,
                           const Launch& launch) {
        return {.name = name,
                .snippets = std::move(snippets),
                .parameters = {{"elements", out_.size()}, {"turns", turns}},
                .bytes = kinds_.bytes() + in_.bytes() + out_.bytes(),
                .launch = [this, launch] { launch(kinds_.data(), in_.data(), out_.data(), int(out_.size())); },
                .poison = [this] { out_.poison(); },
                .verify = [this, turns] { return compare(turns); }};
    }

    lanes::Comparison compare(int turns) const {
        lanes::DeviceArray<unsigned> wrong(Numbers{0});
        count_wrong<<<1024, 256>>>(kinds_.data(), in_.data(), out_.data(), int(out_.size()), turns, wrong.data());
        lanes::check_launch("count_wrong");
        const unsigned count = wrong.to_host()[0];
        return count == 0 ? lanes::Comparison() : lanes::Comparison(std::to_string(count) + " elements are wrong");
    }

    lanes::DeviceArray<int> kinds_;
    lanes::DeviceArray<unsigned> in_;
    lanes::DeviceArray<unsigned> out_;
    ListByKind by_kind_;
};

TEST_CASE("the check on the device sees wrong elements, those that were never written, and no others") {
    for (const Order order :
         {Order::by_warp, Order::halves, Order::one_of_warp, Order::random, Order::all, Order::none}) {
        TimedArms work(100, order);
        for (const lanes::Variant& right : {work.mixed("m", 3), work.ordered("o", 3), work.listed("l", 3)}) {
            right.poison();
            CHECK_FALSE(right.verify());
            right.launch();
            CHECK(right.verify());
            CHECK_FALSE(work.mixed("other", 4).verify());
        }
    }
}

/// Arms of one length on kinds in one order, or several.
void measure_turns(lanes::Benchmark& benchmark, std::size_t count, int turns) {
    const std::string suffix = "_turns_" + std::to_string(turns);
    TimedArms by_warp(count, Order::by_warp), halves(count, Order::halves), one(count, Order::one_of_warp);
    TimedArms random(count, Order::random);
    std::vector<lanes::Variant> variants{by_warp.mixed("turns_" + std::to_string(turns), turns),
                                         halves.mixed("halves" + suffix, turns),
                                         one.mixed("one" + suffix, turns),
                                         one.ordered("one_ordered" + suffix, turns),
                                         one.listed("one_listed" + suffix, turns),
                                         random.mixed("random" + suffix, turns),
                                         random.ordered("random_ordered" + suffix, turns),
                                         random.listed("random_listed" + suffix, turns)};
    for (lanes::Variant& variant : variants)
        if (variant.name != variants.front().name) variant.ceiling = variants.front().name;
    benchmark.group("Two arms of " + std::to_string(turns) + " turns", variants);
}

/// Each arm alone, and both in each warp.
void measure_arms(lanes::Benchmark& benchmark, std::size_t count) {
    constexpr int turns = 256;
    TimedArms all(count, Order::all), none(count, Order::none), halves(count, Order::halves);
    benchmark.group("Each arm alone, and both", {all.mixed("shift_alone", turns), none.mixed("multiply_alone", turns),
                                                 halves.mixed("both", turns)});
}

/// Sums of blocks, one way to wait.
class TimedSums {
public:
    /// @brief Makes the input and what must come out.
    /// @param count elements, a multiple of 256
    explicit TimedSums(std::size_t count) : expected_(count / threads_per_block), in_(count), out_(expected_.size()) {
        const auto host = lanes::Random().whole_numbers<unsigned>(count, 0, 1000000);
        for (std::size_t i = 0; i < count; ++i) expected_[i / threads_per_block] += host[i];
        in_.from_host(host);
    }

    /// A kernel, with the number of blocks that it gets wrong as a parameter.
    template <LastWarp last_warp>
    lanes::Variant variant(const std::string& name) {
        const auto launches = [this] {
            launch(sum_blocks<last_warp>, int(in_.size()), in_.data(), out_.data(), int(in_.size()));
        };
        out_.poison();
        launches();
        lanes::check_launch("sum_blocks");
        const auto sums = out_.to_host();
        std::size_t wrong = 0;
        for (std::size_t block = 0; block < sums.size(); ++block) wrong += sums[block] != expected_[block] ? 1 : 0;
        return {.name = name,
                .snippets = {"sum_blocks"},
                .parameters = {{"blocks", sums.size()}, {"wrong_blocks", wrong}},
                .bytes = in_.bytes() + out_.bytes(),
                .launch = launches};
    }

private:
    Numbers expected_;
    lanes::DeviceArray<unsigned> in_;
    lanes::DeviceArray<unsigned> out_;
};

/// The last warp with and without waiting. The emulator ends a launch that trusts in lock step, with the race.
void measure_last_warp(lanes::Benchmark& benchmark) {
    TimedSums sums(benchmark.pick(std::size_t{1} << 26, std::size_t{1} << 24, std::size_t{1} << 12));
    std::vector<lanes::Variant> variants{sums.variant<LastWarp::synced>("sums_synced"),
                                         sums.variant<LastWarp::trusted_volatile>("sums_volatile")};
    if (!lanes::on_emulator()) variants.push_back(sums.variant<LastWarp::trusted>("sums_trusted"));
    benchmark.group("Sums of blocks, by how the last warp waits", variants);
}

void measure(lanes::Benchmark& benchmark) {
    const bool emulated = benchmark.effort() == lanes::Effort::emulated;
    const std::size_t count = emulated ? 4096 : benchmark.elements_beyond_l2(sizeof(unsigned), 16);
    for (const int turns : {1, 4, 16, 64, 256}) measure_turns(benchmark, count, turns);
    measure_arms(benchmark, count);
    measure_last_warp(benchmark);
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run({.name = "divergence",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"lock_step", show_lock_step},
                                          {"barrier_in_branch", show_barrier_in_branch},
                                          {"barrier_in_each_arm", show_barrier_in_each_arm},
                                          {"early_return", show_early_return},
                                          {"full_mask", show_full_mask}}},
                      argc, argv);
}
