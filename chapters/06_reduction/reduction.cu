/// @file
/// @brief Chapter 6: many numbers become one, and each version moves less, waits less or asks for more at once.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include
///     chapters/06_reduction/reduction.cu -o reduction
///
/// All kernels sum `size` elements of type T (float, double, or int whose sums fit) from `in`. Versions, in order:
///  - interleaved:    a tree in shared memory; the adding threads are scattered, and found with %
///  - strided_index:  the same tree, by the first threads; bank conflicts instead
///  - sequential:     the same threads, on neighbouring elements
///  - first_add:      each thread adds two elements before the tree begins
///  - shuffle_finish: the last six steps in the registers of one warp
///  - one_store:      one element a thread again, two passes
///  - one_atomic:     the same in one pass: each block adds its sum to the result
///  - elements_each:  as many blocks as the device holds, many elements a thread: two passes, always the same bits
///  - partial_sums:   the same with 16 bytes a load and several loads in flight
///  - atomic_sums:    the same in one pass, with one atomic a block
///  - grid_sums:      the same in one pass, always the same bits: all blocks wait for each other
///  - ticket_sums:    the same without the wait: the last block to finish adds the partial sums
///
/// The other parts of the chapter: modulo.cuh (what % costs), warp_totals.cuh (whole numbers), accumulators.cuh (other
/// sums, maximum, mean), rows.cuh (softmax and layer norm).
#include "accuracy.hpp"
#include "block_sum.cuh"
#include "cub_sum.hpp"
#include "instructions.hpp"
#include "modulo.cuh"
#include "predictions.hpp"
#include "row_work.hpp"
#include "sums.hpp"
#include "thread_sum.cuh"

#include <lanes/main.hpp>

#include <cooperative_groups.h>

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

/// The first of two passes, with one element a thread: each block stores its sum.
///
/// out: one sum a block. Launch: as interleaved().
// [one_store]
template <typename T>
__global__ void one_store(const T* in, T* out, std::size_t size) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const T sum = block_sum(i < size ? in[i] : T(0));
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/one_store]

/// The only pass: each block adds its sum to the result, in whatever order blocks finish.
///
/// *out: 0 before. Launch: as interleaved().
// [one_atomic]
template <typename T>
__global__ void one_atomic(const T* in, T* out, std::size_t size) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const T sum = block_sum(i < size ? in[i] : T(0));
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

/// The first of two passes, with wide loads; the same launch on its output is the second.
///
/// out: one sum a block. threads: of a block, a multiple of 32. flights: see thread_sum(). Launch: `threads` threads,
/// any grid.
// [partial_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads, least_blocks(threads, flights))
    partial_sums(const T* in, T* out, std::size_t size) {
    const T sum = block_sum(thread_sum<threads, flights>(in, size));
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/partial_sums]

/// One pass: with many elements a thread, atomics are few.
///
/// *out: 0 before. All else as partial_sums().
// [atomic_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads, least_blocks(threads, flights))
    atomic_sums(const T* in, T* out, std::size_t size) {
    const T sum = block_sum(thread_sum<threads, flights>(in, size));
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
// [/atomic_sums]

/// One pass, always the same bits on the same grid: all blocks wait for each other, then the first adds their sums.
///
/// out, partials: as ticket_sums(). Launch: cooperative, `threads` threads, as many blocks as the device holds or
/// fewer.
// [grid_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads, least_blocks(threads, flights))
    grid_sums(const T* in, T* out, std::size_t size, T* partials) {
    const T mine = block_sum(thread_sum<threads, flights>(in, size));
    if (threadIdx.x == 0) partials[blockIdx.x] = mine;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x > 0) return;
    T sum = T(0);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += threads) sum += partials[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}
// [/grid_sums]

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
/// out: the result. partials: one element a block. *ticket: 0 before and after. All else as partial_sums().
// [ticket_sums]
template <typename T, int threads, int flights>
__global__ void __launch_bounds__(threads, least_blocks(threads, flights))
    ticket_sums(const T* in, T* out, std::size_t size, T* partials, unsigned* ticket) {
    const T mine = block_sum(thread_sum<threads, flights>(in, size));
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
    T sum = block_sum(thread_sum<block_threads, 1>(in, size));
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

/// Two sums, one after the other, to be shown: the second writes where the first may still be read.
///
/// out: the sum, and the sum of squares. Launch: 256 threads, one for each element.
// [reused_scratch]
__global__ void reused_scratch(const float* in, float* out) {
    const float x = in[threadIdx.x];
    const float sum = block_sum(x);
    const float squares = block_sum(x * x);
    if (threadIdx.x == 0) out[0] = sum, out[1] = squares;
}
// [/reused_scratch]

/// warp_sum() by fewer than 32 threads, to be shown: the mask names lanes that do not exist.
///
/// out: the sum. Launch: fewer than 32 threads, one for each element.
// [partial_warp]
__global__ void partial_warp(const float* in, float* out) {
    const float sum = warp_sum(in[threadIdx.x]);
    if (threadIdx.x == 0) *out = sum;
}
// [/partial_warp]

/// Reads `count` vectors of 16 bytes as thread_sum() does, and does nothing with them: the ceiling.
///
/// The first cache is passed by, which was the fastest way to read that we found. *out is written only if the bits of
/// all words together are all set, as they are for no data of this program. threads, flights and launch: as
/// partial_sums().
// [read_only]
template <int threads, int flights>
__global__ void __launch_bounds__(threads, least_blocks(threads, flights))
    read_only(const uint4* in, unsigned* out, std::size_t count) {
    constexpr std::size_t tile = threads * flights;
    unsigned bits = 0;
    for (std::size_t i = blockIdx.x * tile + threadIdx.x; i < count; i += gridDim.x * tile) {
        uint4 loaded[flights];
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) {
            const std::size_t at = i + flight * threads;
            loaded[flight] = at < count ? load_past_first_cache(in + at) : uint4{};
        }
#pragma unroll
        for (const uint4& v : loaded) bits |= v.x | v.y | v.z | v.w;
    }
    if (bits == 0xffffffffu) *out = bits;
}
// [/read_only]

/// Does nothing: what is left is the launch.
// [nothing]
__global__ void nothing() {}
// [/nothing]

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
    if (size > 0) one_atomic<<<lanes::blocks_for(size, block_threads), block_threads>>>(in, out, size);
}

/// The pass that one_atomic() saves: 65,536 partial sums, added by one block of 1024 threads.
template <typename T>
void launch_one_store(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    const unsigned blocks = lanes::blocks_for(size, block_threads);
    if (blocks > 0) one_store<<<blocks, block_threads>>>(in, workspace.partials(0), size);
    partial_sums<T, 1024, 4><<<1, 1024>>>(workspace.partials(0), out, blocks);
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
void launch_grid(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    auto* const kernel = grid_sums<T, threads, flights>;
    const std::size_t per_block = std::size_t(threads) * elements_in_flight<T, flights>;
    const unsigned blocks = grid_of(kernel, threads, per_block, size, workspace);
    T* partials = workspace.partials(0);
    void* arguments[] = {&in, &out, &size, &partials};
    lanes::check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel), blocks, threads, arguments, 0, nullptr));
}

template <typename T, int threads, int flights>
void launch_ticket(const T* in, T* out, std::size_t size, Workspace<T>& workspace) {
    auto* const kernel = ticket_sums<T, threads, flights>;
    const std::size_t per_block = std::size_t(threads) * elements_in_flight<T, flights>;
    const unsigned blocks = grid_of(kernel, threads, per_block, size, workspace);
    kernel<<<blocks, threads>>>(in, out, size, workspace.partials(0), workspace.ticket());
}

/// A kernel with wide loads and what it is made of.
std::vector<std::string> wide_snippets(const std::string& kernel) {
    return {kernel, "thread_sum", "aligned_part", "added", "block_sum", "warp_sum"};
}

std::vector<std::string> ticket_snippets() {
    auto snippets = wide_snippets("ticket_sums");
    snippets.push_back("is_last_block");
    return snippets;
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
            {"one_store", {"one_store", "block_sum", "warp_sum"}, launch_one_store<T>},
            {"one_atomic", {"one_atomic", "block_sum", "warp_sum"}, launch_one_atomic<T>},
            {"elements_each",
             {"elements_each", "block_sum", "warp_sum"},
             launch_two_passes<T, elements_each<T>, block_threads, 4>},
            {"partial_sums", wide_snippets("partial_sums"),
             launch_two_passes<T, partial_sums<T, 512, 8>, 512, elements_in_flight<T, 8>>},
            {"atomic_sums", wide_snippets("atomic_sums"), launch_atomic<T, 512, 8>},
            {"grid_sums", wide_snippets("grid_sums"), launch_grid<T, 512, 8>},
            {"ticket_sums", ticket_snippets(), launch_ticket<T, 512, 8>}};
}

/// interleaved() with other ways to find the threads that add.
template <typename T>
std::vector<Step<T>> modulo_steps() {
    return {{"interleaved_mask", {"interleaved_mask"}, launch_passes<T, interleaved_mask<T>, 1>},
            {"interleaved_unrolled", {"interleaved_unrolled"}, launch_passes<T, interleaved_unrolled<T>, 1>}};
}

/// ticket_sums() with other blocks and other numbers of loads under way.
template <typename T>
std::vector<Step<T>> ticket_steps() {
    const auto step = [](const char* name, const auto& launch) { return Step<T>{name, ticket_snippets(), launch}; };
    return {step("ticket_128_16", launch_ticket<T, 128, 16>), step("ticket_256_2", launch_ticket<T, 256, 2>),
            step("ticket_256_4", launch_ticket<T, 256, 4>),   step("ticket_256_8", launch_ticket<T, 256, 8>),
            step("ticket_512_1", launch_ticket<T, 512, 1>),   step("ticket_512_2", launch_ticket<T, 512, 2>),
            step("ticket_512_4", launch_ticket<T, 512, 4>),   step("ticket_1024_4", launch_ticket<T, 1024, 4>),
            step("ticket_1024_8", launch_ticket<T, 1024, 8>)};
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
        launch_ticket<float, 512, 8>(in.data(), out.data() + launch, values.size(), workspace);
    lanes::check_launch("ticket_sums");
    const auto sums = out.to_host();
    CHECK(lanes::within_bound(sums, std::vector(2, reference_sum(values))));
    CHECK(sums[0] == sums[1]);
}

TEST_CASE("claim: whatever adds the partial sums in their order gives the same bits each time") {
    const auto values = lanes::Random().uniform<float>(300001);
    for (const Step<float>& step : ladder<float>()) {
        if (step.name != "partial_sums" && step.name != "grid_sums" && step.name != "ticket_sums") continue;
        CAPTURE(step.name);
        const float first = result_of(step, values)[0];
        for (int run = 0; run < 3; ++run) CHECK(result_of(step, values)[0] == first);  // false for NaN, which is poison
    }
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

TEST_CASE("the tree is right however the adding threads are found") {
    for (const std::size_t size : size_ladder) {
        CAPTURE(size);
        const auto whole = lanes::Random().whole_numbers(size);
        for (const Step<float>& step : modulo_steps<float>()) {
            CAPTURE(step.name);
            CHECK(exact_sum(result_of(step, whole), whole));
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

/// Launches a kernel for `threads` elements whose results go to out, and says that it noticed nothing.
void show_block(const char* name, void (*kernel)(const float*, float*), unsigned threads) {
    const lanes::DeviceArray<float> in(lanes::Random().whole_numbers(threads));
    lanes::DeviceArray<float> out(2);
    kernel<<<1, threads>>>(in.data(), out.data());
    lanes::check_launch(name);
    std::cout << "Nobody noticed anything.\n";
}

void show_reused_scratch() {
    show_block("reused_scratch", reused_scratch, 256);
}

void show_partial_warp() {
    show_block("partial_warp", partial_warp, 20);
}

TEST_CASE("scratch that is used again without a barrier is named, and so is a lane that does not exist") {
    if (!lanes::on_emulator()) return;  // a GPU has nothing to say about either
    const lanes::DemonstrationResult scratch = lanes::demonstrate("reused_scratch");
    CAPTURE(scratch.output);
    CHECK(scratch.exit_code != 0);
    CHECK(scratch.output.find("race") != std::string::npos);
    CHECK(scratch.output.find("block_sum.cuh:") != std::string::npos);
    const lanes::DemonstrationResult lane = lanes::demonstrate("partial_warp");
    CAPTURE(lane.output);
    CHECK(lane.exit_code != 0);
    CHECK(lane.output.find("block_sum.cuh:") != std::string::npos);
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
    cases.push_back(pass_case<interleaved_mask<float>>("interleaved_mask", {"interleaved_mask"}, 256, 1,
                                                       tree_counts(256, 1, interleaved_tree(), 1)));
    cases.push_back(pass_case<interleaved_unrolled<float>>("interleaved_unrolled", {"interleaved_unrolled"}, 256, 1,
                                                           tree_counts(256, 1, interleaved_tree(), 1)));
    cases.push_back(pass_case<elements_each<float>>("elements_each", {"elements_each", "block_sum", "warp_sum"}, 8192,
                                                    2, block_sum_counts(row_of_loads(8192, 4), 2)));
    lanes::GlobalTraffic wide = row_of_loads(2048, 16);
    wide += row_of_loads(3, 4);
    cases.push_back(pass_case<partial_sums<float, block_threads, 4>>("partial_sums", wide_snippets("partial_sums"),
                                                                     8195, 2, block_sum_counts(wide, 2)));
    for (const auto& more : {instruction_cases(), softmax_cases()}) cases.insert(cases.end(), more.begin(), more.end());
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    lanes::check_cases(counted_cases());
}

using namespace lanes::counters;

/// What the model says of a counted case.
std::uint64_t predicted(const std::string& name, const std::string& counter) {
    static const lanes::CountedCases cases = counted_cases();
    return lanes::predicted_count(cases, name, counter);
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
    CHECK(predicted("interleaved_256", shared_st_wavefronts) == 8 + 47);  // 8 warps fill the buffer
    CHECK(predicted("sequential_256", shared_st_wavefronts) == 8 + 12);
    CHECK(predicted("shuffle_finish_256", shared_st_wavefronts) == 8 + 4 + 2);
}

TEST_CASE("claim: strided indices have 35 conflicts a block in stores and 70 in loads; the others have none") {
    CHECK(predicted("strided_index_256", shared_st_conflicts) == 4 * 1 + 2 * 3 + 7 + 7 + 7 + 3 + 1);
    CHECK(predicted("strided_index_256", shared_ld_conflicts) == 70);
    for (const char* name : {"interleaved_256", "sequential_256", "first_add_256", "shuffle_finish_256"}) {
        CHECK(predicted(name, shared_st_conflicts) == 0);
        CHECK(predicted(name, shared_ld_conflicts) == 0);
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
    CHECK(predicted("elements_each_8192", global_ld_requests) == 256);
    CHECK(predicted("partial_sums_8195", global_ld_requests) == 64 + 1);
    CHECK(predicted("elements_each_8192", global_ld_sectors) == 1024);
    CHECK(predicted("partial_sums_8195", global_ld_sectors) == 1024 + 1);
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
        const unsigned blocks = workspace.resident_blocks(read_only<512, 8>, 512);
        read_only<512, 8>
            <<<blocks, 512>>>(reinterpret_cast<const uint4*>(in.data()), unused.data(), in.bytes() / sizeof(uint4));
    };
    std::vector<lanes::Variant> variants{{.name = "read_only" + suffix,
                                          .snippets = {"read_only", "load_past_first_cache"},
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

/// What a launch costs that does nothing, and how many bytes go by in that time, is for the reader to compare.
void measure_launches(lanes::Benchmark& benchmark) {
    lanes::DeviceArray<float> out(1);
    benchmark.group("Launches, one after the other",
                    {{.name = "empty_kernel", .snippets = {"nothing"}, .launch = [] { nothing<<<1, 32>>>(); }},
                     {.name = "memset", .launch = [&] { lanes::check(cudaMemsetAsync(out.data(), 0, 4)); }}});
}

void measure(lanes::Benchmark& benchmark) {
    measure_launches(benchmark);
    auto steps = ladder<float>();
    for (const auto& more : {modulo_steps<float>(), ticket_steps<float>()})
        steps.insert(steps.end(), more.begin(), more.end());
    const auto power = [](int exponent) { return std::size_t{1} << exponent; };
    for (const std::size_t size :
         {benchmark.pick(power(24), power(22), power(12)), benchmark.pick(power(26), power(24), power(13)),
          benchmark.pick(power(28), power(26), power(14))})
        measure_sums<float>(benchmark, "float", size, steps);
    const std::size_t size = benchmark.pick(power(27), power(25), power(12));
    measure_sums<int>(benchmark, "int", size, ladder<int>());
    measure_sums<double>(benchmark, "double", size, ladder<double>());
    measure_warp_totals(benchmark);
    const auto of_ladder = [](const std::string& name) {
        const auto all = ladder<float>();
        return *std::find_if(all.begin(), all.end(), [&](const Step<float>& step) { return step.name == name; });
    };
    measure_accuracy(benchmark, {of_ladder("sequential"), of_ladder("one_atomic"), of_ladder("ticket_sums")});
    for (const std::size_t columns : {1000, 4096, 32768}) measure_rows(benchmark, columns);
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run({.name = "reduction",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"missing_barrier", show_missing_barrier},
                                          {"missing_fence", show_missing_fence},
                                          {"reused_scratch", show_reused_scratch},
                                          {"partial_warp", show_partial_warp}}},
                      argc, argv);
}
