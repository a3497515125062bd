/// @file
/// @brief One reduction for anything that can take up an element and merge with its like: sums, maximum, mean.
///
/// An accumulator A has `A::nothing()`, `add(float)`, `merge(const A&)` and, for the host, `result()`. It is copied
/// from lane to lane word by word.
#pragma once

#include "thread_sum.cuh"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstring>

/// A running sum in float: each addition rounds.
// [running_sum]
struct RunningSum {
    float sum;  ///< so far

    /// The sum of no elements.
    static __device__ RunningSum nothing() { return {0.0f}; }
    /// Adds one element.
    __device__ void add(float x) { sum += x; }
    /// Adds what another accumulator has.
    __device__ void merge(const RunningSum& other) { sum += other.sum; }
    /// The sum.
    __host__ __device__ double result() const { return sum; }
};
// [/running_sum]

/// A sum in float that keeps what each addition rounded away (Kahan 1965; this form, by Neumaier and Knuth, is exact
/// whichever operand is larger).
// [kahan_sum]
struct KahanSum {
    float sum;   ///< so far, rounded
    float lost;  ///< what rounding took from it

    /// The sum of no elements.
    static __device__ KahanSum nothing() { return {0.0f, 0.0f}; }
    /// Adds one element.
    __device__ void add(float x) {
        const float next = sum + x;
        const float back = next - sum;
        lost += (sum - (next - back)) + (x - back);
        sum = next;
    }
    /// Adds what another accumulator has.
    __device__ void merge(const KahanSum& other) {
        add(other.sum);
        lost += other.lost;
    }
    /// The sum.
    __host__ __device__ double result() const { return sum + lost; }
};
// [/kahan_sum]

/// A running sum of floats in double.
// [double_sum]
struct DoubleSum {
    double sum;  ///< so far

    /// The sum of no elements.
    static __device__ DoubleSum nothing() { return {0.0}; }
    /// Adds one element.
    __device__ void add(float x) { sum += double(x); }
    /// Adds what another accumulator has.
    __device__ void merge(const DoubleSum& other) { sum += other.sum; }
    /// The sum.
    __host__ __device__ double result() const { return sum; }
};
// [/double_sum]

/// The largest element; minus infinity for none, and NaN if one of them is NaN.
// [maximum]
struct Maximum {
    float value;  ///< so far

    /// The maximum of no elements.
    static __device__ Maximum nothing() { return {-INFINITY}; }
    /// Takes up one element. What is NaN stays NaN: it is not less than anything.
    __device__ void add(float x) {
        if (!(x <= value) && value == value) value = x;
    }
    /// Takes up what another accumulator has.
    __device__ void merge(const Maximum& other) { add(other.value); }
    /// The maximum.
    __host__ __device__ double result() const { return value; }
};
// [/maximum]

/// Mean and variance from sums of the elements and of their squares: as on paper, and wrong in float if the mean is
/// large beside the deviations.
// [two_sums]
struct TwoSums {
    float count;    ///< elements so far
    float sum;      ///< of them
    float squares;  ///< sum of their squares

    /// Of no elements.
    static __device__ TwoSums nothing() { return {0.0f, 0.0f, 0.0f}; }
    /// Takes up one element.
    __device__ void add(float x) {
        count += 1.0f;
        sum += x;
        squares += x * x;
    }
    /// Takes up what another accumulator has.
    __device__ void merge(const TwoSums& other) {
        count += other.count;
        sum += other.sum;
        squares += other.squares;
    }
    /// The mean.
    __host__ __device__ double mean() const { return sum / count; }
    /// The variance: the mean square, less the square of the mean.
    __host__ __device__ double result() const { return squares / count - (sum / count) * (sum / count); }
};
// [/two_sums]

/// Mean and squared deviations from it, kept up to date (Welford 1962) and merged (Chan, Golub and LeVeque 1979).
// [moments]
struct Moments {
    float count;       ///< elements so far; exact up to 2^24
    float average;     ///< of them
    float deviations;  ///< sum of the squared deviations from the average

    /// Of no elements.
    static __device__ Moments nothing() { return {0.0f, 0.0f, 0.0f}; }
    /// Takes up one element.
    __device__ void add(float x) { merge({1.0f, x, 0.0f}); }
    /// Takes up what another accumulator has.
    __device__ void merge(const Moments& other) {
        if (other.count == 0.0f) return;
        const float both = count + other.count, share = other.count / both;
        const float apart = other.average - average;
        average += apart * share;
        deviations += other.deviations + apart * apart * count * share;
        count = both;
    }
    /// The mean; NaN of no elements.
    __host__ __device__ double mean() const { return count > 0.0f ? average : NAN; }
    /// The variance, dividing by the number of elements; NaN of no elements.
    __host__ __device__ double result() const { return deviations / count; }
};
// [/moments]

/// What lane + distance holds; past the last lane, the lane's own. All 32 lanes call it.
// [from_lane_above]
template <typename A>
__device__ A from_lane_above(const A& mine, int distance) {
    unsigned words[sizeof(A) / sizeof(unsigned)];
    std::memcpy(words, &mine, sizeof(A));
    for (unsigned& word : words) word = __shfl_down_sync(0xffffffffu, word, distance);
    A other;
    std::memcpy(&other, words, sizeof(A));
    return other;
}
// [/from_lane_above]

/// What all lanes of the warp have, merged, in lane 0. All 32 lanes call it.
// [merged_over_warp]
template <typename A>
__device__ A merged_over_warp(A mine) {
    for (int distance = 16; distance > 0; distance /= 2) mine.merge(from_lane_above(mine, distance));
    return mine;
}
// [/merged_over_warp]

/// What all threads of the block have, merged, in every thread. Launch: whole warps. May be called again at once.
// [merged_over_block]
template <typename A>
__device__ A merged_over_block(A mine) {
    __shared__ A of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    mine = merged_over_warp(mine);
    __syncthreads();  // the result of an earlier call has been read
    if (lane == 0) of_warp[warp] = mine;
    __syncthreads();
    if (warp == 0) {
        mine = merged_over_warp(lane < warps ? of_warp[lane] : A::nothing());
        if (lane == 0) of_warp[0] = mine;
    }
    __syncthreads();
    return of_warp[0];
}
// [/merged_over_block]

/// Calls take(x) for this thread's share of an array, as thread_sum() goes through it: four loads of 16 bytes at once.
///
/// Launch: 1-D, any size.
// [for_each_element]
template <typename Take>
__device__ void for_each_element(const float* in, std::size_t size, const Take& take) {
    constexpr int flights = 4;
    const AlignedPart<float> part(in, size);
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t i = first; i < part.count; i += flights * stride) {
        float4 loaded[flights];
#pragma unroll
        for (int flight = 0; flight < flights; ++flight)
            if (i + flight * stride < part.count) loaded[flight] = __ldcs(part.vectors + i + flight * stride);
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) {
            if (i + flight * stride >= part.count) break;
            take(loaded[flight].x), take(loaded[flight].y), take(loaded[flight].z), take(loaded[flight].w);
        }
    }
    if (first < part.before) take(in[first]);
    if (first < size - part.after) take(in[part.after + first]);
}
// [/for_each_element]

/// The first of two passes: one accumulator a block. Launch: whole warps, any grid.
// [accumulate]
template <typename A>
__global__ void accumulate(const float* in, A* of_block, std::size_t size) {
    A mine = A::nothing();
    for_each_element(in, size, [&](float x) { mine.add(x); });
    mine = merged_over_block(mine);
    if (threadIdx.x == 0) of_block[blockIdx.x] = mine;
}
// [/accumulate]

/// The second: *all is the merger of `blocks` accumulators. Launch: one block, whole warps.
// [merge_blocks]
template <typename A>
__global__ void merge_blocks(const A* of_block, unsigned blocks, A* all) {
    A mine = A::nothing();
    for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) mine.merge(of_block[i]);
    mine = merged_over_block(mine);
    if (threadIdx.x == 0) *all = mine;
}
// [/merge_blocks]
