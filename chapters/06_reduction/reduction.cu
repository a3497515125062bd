/// @file
/// @brief Chapter 6: many numbers become one, and each version moves less, waits less or asks for more at once.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include
///     chapters/06_reduction/reduction.cu -o reduction
///
/// All kernels sum `size` elements of type T (float, double, or int whose sums fit) from `in`. Versions, in order:
///  - interleaved     a tree in shared memory; the adding threads are scattered, and found with %
///  - strided_index   the same tree, by the first threads; bank conflicts instead
///  - sequential      the same threads, on neighbouring elements
///  - first_add       each thread adds two elements before the tree begins
///  - shuffle_finish  the last six steps in the registers of one warp
///  - one_atomic      each block adds its sum to the result: one pass
///  - elements_each   as many blocks as the device holds, many elements a thread: two passes, always the same bits
///  - partial_sums    the same with 16 bytes a load and several loads in flight
///  - atomic_sums     the same in one pass, with one atomic a block
///  - ticket_sums     the same in one pass, always the same bits: the last block to finish adds the partial sums
#include "cub_sum.hpp"
#include "predictions.hpp"
#include "sums.hpp"

#include <lanes/main.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

/// A tree over 256 elements in which a thread adds if its number is divisible by twice the distance.
///
/// out: one sum a block. Launch: 256 threads, one for each element.
// [interleaved]
template <typename T>
__global__ void interleaved(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int tid = threadIdx.x;
    buf[tid] = i < size ? in[i] : T(0);
    __syncthreads();
    for (int s = 1; s < int(blockDim.x); s *= 2) {
        if (tid % (2 * s) == 0) buf[tid] += buf[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = buf[0];
}
// [/interleaved]

/// The same tree, but the first threads of the block add: fewer warps work, on elements 2, 4, 8, ... words apart.
///
/// out and launch: as interleaved().
// [strided_index]
template <typename T>
__global__ void strided_index(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int tid = threadIdx.x;
    buf[tid] = i < size ? in[i] : T(0);
    __syncthreads();
    for (int s = 1; s < int(blockDim.x); s *= 2) {
        const int index = 2 * s * tid;
        if (index < int(blockDim.x)) buf[index] += buf[index + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = buf[0];
}
// [/strided_index]

/// Halves the elements in buf, distance by distance, until `last` is done. All threads of the block call it.
// [fold]
template <typename T>
__device__ void fold(T* buf, int last) {
    const int tid = threadIdx.x;
    for (int s = blockDim.x / 2; s >= last; s /= 2) {
        if (tid < s) buf[tid] += buf[tid + s];
        __syncthreads();
    }
}
// [/fold]

/// The first threads add neighbouring elements: neither scattered warps nor conflicts.
///
/// out and launch: as interleaved().
// [sequential]
template <typename T>
__global__ void sequential(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    buf[threadIdx.x] = i < size ? in[i] : T(0);
    __syncthreads();
    fold(buf, 1);
    if (threadIdx.x == 0) out[blockIdx.x] = buf[0];
}
// [/sequential]

/// sequential() without its barriers, to be shown. All else as interleaved().
// [without_barrier]
template <typename T>
__global__ void without_barrier(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int tid = threadIdx.x;
    buf[tid] = i < size ? in[i] : T(0);
    for (int s = blockDim.x / 2; s > 0; s /= 2)
        if (tid < s) buf[tid] += buf[tid + s];
    if (tid == 0) out[blockIdx.x] = buf[0];
}
// [/without_barrier]

/// The sum of the two elements that belong to this thread: one in each half of the block's 512.
// [two_elements]
template <typename T>
__device__ T two_elements(const T* in, std::size_t size) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x * 2 + threadIdx.x;
    T sum = i < size ? in[i] : T(0);
    if (i + blockDim.x < size) sum += in[i + blockDim.x];
    return sum;
}
// [/two_elements]

/// Each thread adds two elements while it loads them, so that no thread only waits in the first step.
///
/// out: one sum a block. Launch: 256 threads, one for each two elements.
// [first_add]
template <typename T>
__global__ void first_add(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    buf[threadIdx.x] = two_elements(in, size);
    __syncthreads();
    fold(buf, 1);
    if (threadIdx.x == 0) out[blockIdx.x] = buf[0];
}
// [/first_add]

/// The sum over the warp, in lane 0. All 32 lanes call it.
// [warp_sum]
template <typename T>
__device__ T warp_sum(T x) {
    for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffffu, x, distance);
    return x;
}
// [/warp_sum]

/// The last six steps are one warp's: they go from register to register, without a barrier.
///
/// out and launch: as first_add().
// [shuffle_finish]
template <typename T>
__global__ void shuffle_finish(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    buf[threadIdx.x] = two_elements(in, size);
    __syncthreads();
    fold(buf, 64);
    if (threadIdx.x < 32) {
        const T sum = warp_sum(buf[threadIdx.x] + buf[threadIdx.x + 32]);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
    }
}
// [/shuffle_finish]

/// The sum over the block, in thread 0: each warp by shuffles, then the warps' sums by one warp.
///
/// All threads call it; whole warps, at most 32. A second call needs a barrier before it.
// [block_sum]
template <typename T>
__device__ T block_sum(T x) {
    __shared__ T warp_sums[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    x = warp_sum(x);
    if (lane == 0) warp_sums[warp] = x;
    __syncthreads();
    if (warp > 0) return T(0);
    return warp_sum(lane < int(blockDim.x / 32) ? warp_sums[lane] : T(0));
}
// [/block_sum]

/// One pass: each block adds its sum to the result, in whatever order blocks finish.
///
/// *out: 0 before. Launch: as first_add().
// [one_atomic]
template <typename T>
__global__ void one_atomic(const T* in, T* out, std::size_t size) {
    const T sum = block_sum(two_elements(in, size));
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
// [/one_atomic]

/// Every thread adds elements a whole grid apart, then the block adds its threads.
///
/// out: one sum a block. Launch: whole warps, any grid: its size decides only how many elements a thread has.
// [elements_each]
template <typename T>
__global__ void elements_each(const T* in, T* out, std::size_t size) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    T sum = T(0);
    for (std::size_t i = first; i < size; i += stride) sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/elements_each]

// [added]
/// The built-in type that holds 16 bytes of T.
template <typename T>
struct Vector;
/// Four floats.
template <>
struct Vector<float> {
    using Type = float4;  ///< loaded by one instruction
};
/// Four ints.
template <>
struct Vector<int> {
    using Type = int4;  ///< loaded by one instruction
};
/// Two doubles.
template <>
struct Vector<double> {
    using Type = double2;  ///< loaded by one instruction
};

/// Adds what one load brought: four numbers.
template <typename Four>
__device__ auto added(const Four& v) {
    return (v.x + v.y) + (v.z + v.w);
}
/// Adds what one load brought: two doubles.
__device__ inline double added(const double2& v) {
    return v.x + v.y;
}
// [/added]

/// This thread's share of the sum: 16 bytes a load, `flights` loads under way at once.
///
/// Vectors begin at the first multiple of 16 bytes. At most 3 elements before it and 3 after the last vector are
/// added one by one. The last vectors go one at a time, so that no thread has more than one load more than another.
// [thread_sum]
template <int flights, typename T>
__device__ T thread_sum(const T* in, std::size_t size) {
    using Four = typename Vector<T>::Type;
    constexpr std::size_t width = sizeof(Four) / sizeof(T);
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    const std::size_t past = reinterpret_cast<std::uintptr_t>(in) % sizeof(Four) / sizeof(T);
    const std::size_t before = min((width - past) % width, size);
    const Four* vectors = reinterpret_cast<const Four*>(in + before);
    const std::size_t count = (size - before) / width;
    T sums[flights] = {};
    std::size_t i = first;
    for (; i + (flights - 1) * stride < count; i += flights * stride) {
        Four loaded[flights];
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) loaded[flight] = vectors[i + flight * stride];
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) sums[flight] += added(loaded[flight]);
    }
    for (; i < count; i += stride) sums[0] += added(vectors[i]);
    const std::size_t after = before + count * width;
    if (first < before) sums[0] += in[first];
    if (first < size - after) sums[0] += in[after + first];
#pragma unroll
    for (int flight = 1; flight < flights; ++flight) sums[0] += sums[flight];
    return sums[0];
}
// [/thread_sum]

/// The first of two passes, with wide loads; the same launch on its output is the second.
///
/// out: one sum a block. threads: of a block, a multiple of 32. flights: see thread_sum(). Launch: `threads` threads,
/// any grid.
// [partial_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads) partial_sums(const T* in, T* out, std::size_t size) {
    const T sum = block_sum(thread_sum<flights>(in, size));
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/partial_sums]

/// One pass: with many elements a thread, atomics are few.
///
/// *out: 0 before. All else as partial_sums().
// [atomic_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads) atomic_sums(const T* in, T* out, std::size_t size) {
    const T sum = block_sum(thread_sum<flights>(in, size));
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
// [/atomic_sums]

/// Leaves the block's sum in partials, and tells all its threads whether every other block has done so before.
///
/// The fence puts the sum before the ticket for whoever sees the ticket. The ticket counts to the last block and
/// starts again at 0, ready for the next launch.
// [is_last_block]
template <typename T>
__device__ bool is_last_block(T sum, T* partials, unsigned* ticket) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}
// [/is_last_block]

/// One pass that always gives the same bits on the same grid: the last block adds all partial sums in their order.
///
/// With more than 4 flights, the second launch bound allows 64 registers a thread: held to 32, the compiler waits for
/// the first loads before it starts the last. Half the warps then have twice the bytes under way each.
///
/// out: the result. partials: one element a block. *ticket: 0 before and after. All else as partial_sums().
// [ticket_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads, flights > 4 ? 1024 / threads : 0)
    ticket_sums(const T* in, T* out, std::size_t size, T* partials, unsigned* ticket) {
    const T mine = block_sum(thread_sum<flights>(in, size));
    if (!is_last_block(mine, partials, ticket)) return;
    T sum = T(0);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += threads) sum += __ldcg(partials + i);
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}
// [/ticket_sums]

/// ticket_sums() without its fences, to be shown: a ticket can be seen before the sum that it speaks for.
///
/// Arguments as ticket_sums(). Launch: 256 threads, any grid.
// [without_fence]
template <typename T>
__global__ void without_fence(const T* in, T* out, std::size_t size, T* partials, unsigned* ticket) {
    __shared__ bool last;
    T sum = block_sum(thread_sum<1>(in, size));
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    sum = T(0);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += partials[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}
// [/without_fence]

/// Reads `count` vectors of 16 bytes as partial_sums() does, and does nothing with them: the ceiling.
///
/// *out is written only if the bits of all words together are all set, as they are for no data of this program.
/// threads, flights and launch: as partial_sums().
// [read_only]
template <int threads, int flights>
__global__ void __launch_bounds__(threads) read_only(const uint4* in, unsigned* out, std::size_t count) {
    const std::size_t stride = std::size_t{gridDim.x} * threads;
    std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
    unsigned bits = 0;
    for (; i + (flights - 1) * stride < count; i += flights * stride) {
        uint4 loaded[flights];
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) loaded[flight] = in[i + flight * stride];
#pragma unroll
        for (const uint4& v : loaded) bits |= v.x | v.y | v.z | v.w;
    }
    for (; i < count; i += stride) bits |= in[i].x | in[i].y | in[i].z | in[i].w;
    if (bits == 0xffffffffu) *out = bits;
}
// [/read_only]

/// Whole numbers from -1 to 1, well mixed: every partial sum of 2^28 of them is exact in float.
__host__ __device__ inline int mixed(std::size_t i) {
    return int((std::uint32_t(i) * 2654435761u >> 16) % 3) - 1;
}

/// Writes mixed() numbers. Launch: 1-D, any size.
template <typename T>
__global__ void fill_mixed(T* values, std::size_t size) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::size_t i = first; i < size; i += std::size_t{gridDim.x} * blockDim.x) values[i] = T(mixed(i));
}

namespace {

/// Passes of a kernel of 256 threads with `per_thread` elements each, until one sum is left.
template <typename T, auto* kernel, int per_thread>
void launch_passes(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    if (size == 0) lanes::check(cudaMemsetAsync(out, 0, sizeof(T)));
    int which = 0;
    for (const unsigned blocks : pass_blocks(size, per_thread * block_threads)) {
        T* sums = blocks == 1 ? out : workspace.partials(which);
        kernel<<<blocks, block_threads>>>(in, sums, size);
        in = sums;
        size = blocks;
        which = 1 - which;
    }
}

template <typename T>
void launch_one_atomic(const T* in, T* out, std::size_t size, Workspace<T>&) {
    lanes::check(cudaMemsetAsync(out, 0, sizeof(T)));
    if (size > 0) one_atomic<<<lanes::blocks_for(size, 2 * block_threads), block_threads>>>(in, out, size);
}

/// As many blocks as the device holds, but none without work, and one even if there is none.
template <typename T, typename Kernel>
unsigned grid_of(Kernel* kernel, int threads, std::size_t per_block, std::size_t size, Workspace<T>& workspace) {
    const std::size_t useful = std::max<std::size_t>((size + per_block - 1) / per_block, 1);
    return unsigned(std::min<std::size_t>(useful, workspace.resident_blocks(kernel, threads)));
}

/// Two passes: partial sums, and their sum by one block.
template <typename T, auto* kernel, int threads, int per_thread>
void launch_two_passes(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    const unsigned blocks = grid_of(kernel, threads, std::size_t(threads) * per_thread, size, workspace);
    T* sums = blocks == 1 ? out : workspace.partials(0);
    kernel<<<blocks, threads>>>(in, sums, size);
    if (blocks > 1) kernel<<<1, threads>>>(sums, out, blocks);
}

/// Elements of `flights` loads of 16 bytes.
template <typename T, int flights>
constexpr int elements_in_flight = flights* int(16 / sizeof(T));

template <typename T, int threads, int flights>
void launch_atomic(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    auto* const kernel = atomic_sums<T, threads, flights>;
    const std::size_t per_block = std::size_t(threads) * elements_in_flight<T, flights>;
    lanes::check(cudaMemsetAsync(out, 0, sizeof(T)));
    kernel<<<grid_of(kernel, threads, per_block, size, workspace), threads>>>(in, out, size);
}

template <typename T, int threads, int flights>
void launch_ticket(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    auto* const kernel = ticket_sums<T, threads, flights>;
    const std::size_t per_block = std::size_t(threads) * elements_in_flight<T, flights>;
    const unsigned blocks = grid_of(kernel, threads, per_block, size, workspace);
    kernel<<<blocks, threads>>>(in, out, size, workspace.partials(0), workspace.ticket());
}

/// All versions, in the order of the text.
template <typename T>
std::vector<Step<T>> ladder() {
    return {{"interleaved", {"interleaved"}, launch_passes<T, interleaved<T>, 1>},
            {"strided_index", {"strided_index"}, launch_passes<T, strided_index<T>, 1>},
            {"sequential", {"sequential", "fold"}, launch_passes<T, sequential<T>, 1>},
            {"first_add", {"first_add", "two_elements", "fold"}, launch_passes<T, first_add<T>, 2>},
            {"shuffle_finish",
             {"shuffle_finish", "two_elements", "fold", "warp_sum"},
             launch_passes<T, shuffle_finish<T>, 2>},
            {"one_atomic", {"one_atomic", "two_elements", "block_sum", "warp_sum"}, launch_one_atomic<T>},
            {"elements_each",
             {"elements_each", "block_sum", "warp_sum"},
             launch_two_passes<T, elements_each<T>, block_threads, 4>},
            {"partial_sums",
             {"partial_sums", "thread_sum", "added", "block_sum", "warp_sum"},
             launch_two_passes<T, partial_sums<T, 512, 4>, 512, elements_in_flight<T, 4>>},
            {"atomic_sums", {"atomic_sums", "thread_sum", "added", "block_sum", "warp_sum"}, launch_atomic<T, 512, 4>},
            {"ticket_sums",
             {"ticket_sums", "thread_sum", "added", "block_sum", "warp_sum", "is_last_block"},
             launch_ticket<T, 512, 4>}};
}

/// ticket_sums() with other blocks and other numbers of loads under way.
template <typename T>
std::vector<Step<T>> ticket_steps() {
    const std::vector<std::string> snippets = ladder<T>().back().snippets;
    return {
        {"ticket_256_2", snippets, launch_ticket<T, 256, 2>},   {"ticket_256_4", snippets, launch_ticket<T, 256, 4>},
        {"ticket_256_8", snippets, launch_ticket<T, 256, 8>},   {"ticket_512_1", snippets, launch_ticket<T, 512, 1>},
        {"ticket_512_2", snippets, launch_ticket<T, 512, 2>},   {"ticket_512_8", snippets, launch_ticket<T, 512, 8>},
        {"ticket_1024_2", snippets, launch_ticket<T, 1024, 2>}, {"ticket_1024_4", snippets, launch_ticket<T, 1024, 4>}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Is it right? Every version, at sizes that fit nothing.

const std::vector<std::size_t> size_ladder{0,   1,   2,   3,   31,   32,   33,   100,  255,
                                           256, 257, 511, 513, 1000, 1023, 1025, 8195, 65537};

template <typename T>
void check_sizes() {
    for (const std::size_t size : size_ladder) {
        CAPTURE(size);
        const auto whole = lanes::Random().whole_numbers<T>(size);
        for (const Step<T>& step : ladder<T>()) {
            CAPTURE(step.name);
            CHECK(exact_sum(result_of(step, whole), whole));
        }
    }
}

TEST_CASE("every version sums whole numbers exactly: float") {
    check_sizes<float>();
}

TEST_CASE("every version sums whole numbers exactly: int") {
    check_sizes<int>();
}

TEST_CASE("every version sums whole numbers exactly: double") {
    check_sizes<double>();
}

template <typename T>
void check_fractions() {
    for (const std::size_t size : {3, 33, 1000, 8195}) {
        CAPTURE(size);
        const auto values = lanes::Random().uniform<T>(size);
        for (const Step<T>& step : ladder<T>()) {
            CAPTURE(step.name);
            CHECK(lanes::within_bound(result_of(step, values), std::vector{reference_sum(values)}));
        }
    }
}

TEST_CASE("sums of fractions are within K * eps * sum |a| of the sum in double") {
    check_fractions<float>();
    check_fractions<double>();
}

template <typename T>
void check_starts() {
    for (const std::size_t offset : {1, 2, 3})
        for (const std::size_t size : {0, 1, 2, 3, 5, 33, 1025, 8195}) {
            CAPTURE(offset);
            CAPTURE(size);
            const auto whole = lanes::Random().whole_numbers<T>(size);
            for (const Step<T>& step : ladder<T>()) {
                CAPTURE(step.name);
                CHECK(exact_sum(result_of(step, whole, offset), whole));
            }
        }
}

TEST_CASE("arrays may begin anywhere an element may") {
    check_starts<float>();
    check_starts<int>();
    check_starts<double>();
}

TEST_CASE("the ticket is ready for the next launch, and two launches give the same bits") {
    const auto values = lanes::Random().uniform<float>(65537);
    const lanes::DeviceArray<float> in(values);
    lanes::DeviceArray<float> out(2);
    Workspace<float> workspace(values.size());
    for (int launch = 0; launch < 2; ++launch)
        launch_ticket<float, 512, 4>(in.data(), out.data() + launch, values.size(), workspace);
    lanes::check_launch("ticket_sums");
    const auto sums = out.to_host();
    CHECK(lanes::within_bound(sums, std::vector(2, reference_sum(values))));
    CHECK(sums[0] == sums[1]);
}

TEST_CASE("other blocks and flights of the ticket give the same") {
    for (const std::size_t size : {0, 3, 8195, 65537}) {
        CAPTURE(size);
        const auto whole = lanes::Random().whole_numbers(size);
        for (const Step<float>& step : ticket_steps<float>()) {
            CAPTURE(step.name);
            CHECK(exact_sum(result_of(step, whole, 1), whole));
        }
    }
}

TEST_CASE("CUB, as it is timed, gives the same sums") {
    for (const std::size_t size : {0, 1, 33, 8195}) {
        CAPTURE(size);
        const auto whole = lanes::Random().whole_numbers(size);
        const lanes::DeviceArray<float> in(whole);
        lanes::DeviceArray<float> out(1);
        CubSum<float>(size).launch(in.data(), out.data());
        lanes::check_launch("cub::DeviceReduce::Sum");
        CHECK(exact_sum(out.to_host(), whole));
    }
}

TEST_CASE("no element is added twice or left out") {
    const std::size_t size = 8195;
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{4098}, size - 2, size - 1})
        for (const Step<float>& step : ladder<float>()) {
            CAPTURE(at);
            CAPTURE(step.name);
            std::vector<float> values(size, 0.0f);
            values[at] = 1.0f;
            CHECK(exact_sum(result_of(step, values, 1), values));
        }
}

// ---------------------------------------------------------------------------------------------------------------------
// What goes wrong, in a process of its own.

void show_missing_barrier() {
    const auto values = lanes::Random().whole_numbers(256);
    const Step<float> broken{"without_barrier", {}, launch_passes<float, without_barrier<float>, 1>};
    const auto comparison = exact_sum(result_of(broken, values), values);
    std::cout << (comparison ? "The sum is right.\n" : comparison.message() + "\n");
}

void show_missing_fence() {
    const auto values = lanes::Random().whole_numbers(8192);
    const Step<float> broken{
        "without_fence", {}, [](const float* in, float* out, std::size_t size, Workspace<float>& workspace) {
            without_fence<<<8, block_threads>>>(in, out, size, workspace.partials(0), workspace.ticket());
        }};
    const auto comparison = exact_sum(result_of(broken, values), values);
    std::cout << (comparison ? "The sum is right.\n" : comparison.message() + "\n");
}

TEST_CASE("a missing fence is named: nothing orders the blocks") {
    if (!lanes::on_emulator()) return;  // a GPU has nothing to say about it, and the sum is nearly always right
    const lanes::DemonstrationResult shown = lanes::demonstrate("missing_fence");
    CAPTURE(shown.output);
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("nothing orders the blocks") != std::string::npos);
    CHECK(shown.output.find("reduction.cu:") != std::string::npos);
}

TEST_CASE("a missing barrier is named, with the two lines that race") {
    if (!lanes::on_emulator()) return;  // a GPU has nothing to say about a race: at best the sum is wrong
    const lanes::DemonstrationResult shown = lanes::demonstrate("missing_barrier");
    CAPTURE(shown.output);
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("race") != std::string::npos);
    CHECK(shown.output.find("reduction.cu:") != std::string::npos);
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Each case is one launch: predicted here, counted by the emulator and by Nsight Compute.

/// One launch of a kernel over `size` floats, whose results are checked as well.
template <auto* kernel>
lanes::CountedCase pass_case(const std::string& name, const std::vector<std::string>& snippets, std::size_t size,
                             unsigned blocks, const lanes::Counts& predicted) {
    return {.name = name + "_" + std::to_string(size),
            .snippets = snippets,
            .kernel = name,
            .parameters = {{"elements", size}, {"blocks", blocks}},
            .predicted = predicted,
            .launch = [=] {
                const auto values = lanes::Random().whole_numbers(size);
                const lanes::DeviceArray<float> in(values);
                lanes::DeviceArray<float> out(blocks);
                kernel<<<blocks, block_threads>>>(in.data(), out.data(), size);
                lanes::check_launch(name);
                const auto sum = float(reference_sum(out.to_host()).value());  // NaN if a block wrote nothing
                if (const auto right = exact_sum(std::vector{sum}, values); !right)
                    throw std::runtime_error(name + ": " + right.message());
            }};
}

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    for (const std::size_t size : {256, 1000}) {
        const unsigned ones = lanes::blocks_for(size, block_threads), twos = lanes::blocks_for(size, 2 * block_threads);
        cases.push_back(pass_case<interleaved<float>>("interleaved", {"interleaved"}, size, ones,
                                                      tree_counts(size, 1, interleaved_tree(), 1)));
        cases.push_back(pass_case<strided_index<float>>("strided_index", {"strided_index"}, size, ones,
                                                        tree_counts(size, 1, strided_tree(), 1)));
        cases.push_back(pass_case<sequential<float>>("sequential", {"sequential", "fold"}, size, ones,
                                                     tree_counts(size, 1, sequential_tree(), 1)));
        cases.push_back(pass_case<first_add<float>>("first_add", {"first_add", "two_elements", "fold"}, size, twos,
                                                    tree_counts(size, 2, sequential_tree(), 1)));
        cases.push_back(pass_case<shuffle_finish<float>>("shuffle_finish",
                                                         {"shuffle_finish", "two_elements", "fold", "warp_sum"}, size,
                                                         twos, tree_counts(size, 2, sequential_tree(64), 2)));
    }
    cases.push_back(pass_case<elements_each<float>>("elements_each", {"elements_each", "block_sum", "warp_sum"}, 8192,
                                                    2, block_sum_counts(row_of_loads(8192, 4), 2)));
    lanes::GlobalTraffic wide = row_of_loads(2048, 16);
    wide += row_of_loads(3, 4);
    cases.push_back(pass_case<partial_sums<float, block_threads, 4>>(
        "partial_sums", {"partial_sums", "thread_sum", "added", "block_sum", "warp_sum"}, 8195, 2,
        block_sum_counts(wide, 2)));
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    lanes::check_cases(counted_cases());
}

/// What the model says of a counted case.
std::uint64_t predicted(const std::string& name, const std::string& counter) {
    static const lanes::CountedCases all = counted_cases();
    for (const auto& counted_case : all)
        if (counted_case.name == name) return counted_case.predicted.at(counter);
    FAIL("no case is called ", name);
    return 0;
}

std::uint64_t store_wavefronts(const std::string& name) {
    return predicted(name, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st");
}

std::uint64_t store_conflicts(const std::string& name) {
    return predicted(name, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st");
}

std::uint64_t load_conflicts(const std::string& name) {
    return predicted(name, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld");
}

TEST_CASE("claim: 2^24 elements and blocks of 256 take three passes: 65,536, 256 and 1 blocks") {
    CHECK(pass_blocks(std::size_t{1} << 24, 256) == std::vector<unsigned>{65536, 256, 1});
    CHECK(pass_blocks(std::size_t{1} << 24, 512) == std::vector<unsigned>{32768, 64, 1});
    CHECK(pass_blocks(1, 256) == std::vector<unsigned>{1});
    CHECK(pass_blocks(0, 256).empty());
}

TEST_CASE("claim: in eight steps over 256 elements, 47 warps add where threads are scattered, 12 where they are not") {
    CHECK(adding_warps(interleaved_tree()) == 47);
    CHECK(adding_warps(strided_tree()) == 12);
    CHECK(adding_warps(sequential_tree()) == 12);
    CHECK(store_wavefronts("interleaved_256") == 8 + 47);  // 8 warps fill the buffer
    CHECK(store_wavefronts("sequential_256") == 8 + 12);
    CHECK(store_wavefronts("shuffle_finish_256") == 8 + 4 + 2);
}

TEST_CASE("claim: strided indices have 35 conflicts a block in stores and 70 in loads; the others have none") {
    CHECK(store_conflicts("strided_index_256") == 4 * 1 + 2 * 3 + 7 + 7 + 7 + 3 + 1);
    CHECK(load_conflicts("strided_index_256") == 70);
    for (const char* name : {"interleaved_256", "sequential_256", "first_add_256", "shuffle_finish_256"}) {
        CHECK(store_conflicts(name) == 0);
        CHECK(load_conflicts(name) == 0);
    }
}

TEST_CASE("claim: a running sum in float drifts; many short sums, added up, stay closer to the sum in double") {
    const auto values = lanes::Random().uniform<float>(65537, 0.0f, 1.0f);
    const double exact = reference_sum(values).value();
    float running = 0.0f;
    for (const float value : values) running += value;
    const double drift = std::abs(double(running) - exact);
    CHECK(drift > 0.0);
    for (const Step<float>& step : ladder<float>()) {
        CAPTURE(step.name);
        const double error = std::abs(double(result_of(step, values)[0]) - exact);
        CHECK(error < drift / 4);  // false for NaN, which is poison
    }
}

TEST_CASE("claim: 16 bytes a load are four times fewer requests for the same sectors") {
    const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld";
    const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";
    CHECK(predicted("elements_each_8192", requests) == 256);
    CHECK(predicted("partial_sums_8195", requests) == 64 + 1);
    CHECK(predicted("elements_each_8192", sectors) == 1024);
    CHECK(predicted("partial_sums_8195", sectors) == 1024 + 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take? Every version against reads of the same bytes.

template <typename T>
void measure_sums(lanes::Benchmark& benchmark, const std::string& type, std::size_t size,
                  const std::vector<Step<T>>& steps) {
    const std::string suffix = "_" + type + "_" + std::to_string(size);
    lanes::DeviceArray<T> in(size), out(1);
    lanes::DeviceArray<unsigned> unused(1);
    Workspace<T> workspace(size);
    fill_mixed<<<1024, 256>>>(in.data(), size);
    lanes::check_launch("fill_mixed");
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < size; ++i) expected += mixed(i);
    const auto read = [&] {
        const unsigned blocks = workspace.resident_blocks(read_only<512, 4>, 512);
        read_only<512, 4>
            <<<blocks, 512>>>(reinterpret_cast<const uint4*>(in.data()), unused.data(), in.bytes() / sizeof(uint4));
    };
    std::vector<lanes::Variant> variants{{.name = "read_only" + suffix,
                                          .snippets = {"read_only"},
                                          .parameters = {{"elements", size}},
                                          .bytes = in.bytes(),
                                          .launch = read}};
    const auto add = [&](const std::string& name, const auto& snippets, const std::function<void()>& launch) {
        variants.push_back({.name = name + suffix,
                            .snippets = snippets,
                            .parameters = {{"elements", size}},
                            .bytes = in.bytes(),
                            .ceiling = "read_only" + suffix,
                            .launch = launch,
                            .poison = [&] { out.poison(); },
                            .verify = [&] { return lanes::equal(out.to_host(), std::vector<T>{T(expected)}); }});
    };
    CubSum<T> cub(size);
    add("cub", std::vector<std::string>{}, [&] { cub.launch(in.data(), out.data()); });
    for (const Step<T>& step : steps)
        add(step.name, step.snippets, [&, launch = step.launch] { launch(in.data(), out.data(), size, workspace); });
    benchmark.group(std::to_string(size) + " elements: " + type, variants);
}

void measure(lanes::Benchmark& benchmark) {
    auto steps = ladder<float>();
    for (const Step<float>& step : ticket_steps<float>()) steps.push_back(step);
    const auto power = [](int exponent) { return std::size_t{1} << exponent; };
    for (const std::size_t size :
         {benchmark.pick(power(24), power(22), power(12)), benchmark.pick(power(26), power(24), power(13)),
          benchmark.pick(power(28), power(26), power(14))})
        measure_sums<float>(benchmark, "float", size, steps);
    const std::size_t size = benchmark.pick(power(27), power(25), power(12));
    measure_sums<int>(benchmark, "int", size, ladder<int>());
    measure_sums<double>(benchmark, "double", size, ladder<double>());
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run(
        {.name = "reduction",
         .source = __FILE__,
         .cases = counted_cases,
         .measure = measure,
         .demonstrations = {{"missing_barrier", show_missing_barrier}, {"missing_fence", show_missing_fence}}},
        argc, argv);
}
