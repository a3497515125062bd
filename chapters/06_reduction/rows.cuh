/// @file
/// @brief Reductions at work: softmax and layer norm of every row of a matrix.
///
/// in and out: `rows` x `columns` floats, row by row; they may be the same. Each block takes row after row.
#pragma once

#include "accumulators.cuh"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>

/// The largest element of a row, and the sum of exp(x - largest) over it, in one sweep (Milakov and Gimelshein 2018).
///
/// When a larger element comes, the sum so far is scaled down to it.
// [exponentials]
struct Exponentials {
    float largest;  ///< so far; minus infinity of nothing
    float sum;      ///< of exp(x - largest)

    /// Of no elements.
    static __device__ Exponentials nothing() { return {-INFINITY, 0.0f}; }
    /// Takes up one element. Plus infinity and NaN have no share: x - x makes their sum NaN.
    __device__ void add(float x) { merge({x, 1.0f + (x - x)}); }
    /// Takes up what another accumulator has.
    __device__ void merge(const Exponentials& other) {
        if (other.largest == -INFINITY) return;
        if (largest == -INFINITY) {
            *this = other;
            return;
        }
        const float most = fmaxf(largest, other.largest), scale = expf(fminf(largest, other.largest) - most);
        sum = other.largest > largest ? sum * scale + other.sum : sum + other.sum * scale;
        largest = most;
    }
    /// exp(x - largest) / sum. A row of nothing but minus infinities becomes zeros: it has nothing to share out.
    __device__ float share(float x) const { return largest == -INFINITY ? 0.0f : expf(x - largest) / sum; }
};
// [/exponentials]

/// Softmax as on paper: the largest, the sum, the shares. Each element is loaded three times. Launch: whole warps.
// [softmax_three_sweeps]
__global__ void softmax_three_sweeps(const float* in, float* out, std::size_t rows, std::size_t columns) {
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* const x = in + row * columns;
        Maximum largest = Maximum::nothing();
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x) largest.add(x[c]);
        const float shift = merged_over_block(largest).value;
        RunningSum sum = RunningSum::nothing();
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x) sum.add(expf(x[c] - shift));
        sum = merged_over_block(sum);
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x)
            out[row * columns + c] = shift == -INFINITY ? 0.0f : expf(x[c] - shift) / sum.sum;
    }
}
// [/softmax_three_sweeps]

/// Softmax with the largest and the sum in one sweep. Each element is loaded twice. Launch: whole warps.
// [softmax_two_sweeps]
__global__ void softmax_two_sweeps(const float* in, float* out, std::size_t rows, std::size_t columns) {
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* const x = in + row * columns;
        Exponentials all = Exponentials::nothing();
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x) all.add(x[c]);
        all = merged_over_block(all);
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x) out[row * columns + c] = all.share(x[c]);
    }
}
// [/softmax_two_sweeps]

/// This thread's elements of a row, in registers: x[k] is that of column k * threads + threadIdx.x, else `fill`.
// [hold_row]
template <int threads, int each>
__device__ void hold_row(float (&x)[each], const float* row, std::size_t columns, float fill) {
#pragma unroll
    for (int k = 0; k < each; ++k) {
        const std::size_t column = k * threads + threadIdx.x;
        x[k] = column < columns ? row[column] : fill;
    }
}
// [/hold_row]

/// Softmax of rows that the registers of a block can hold: each element is loaded once.
///
/// columns: at most threads * each. Launch: `threads` threads.
// [softmax_held]
template <int threads, int each>
__global__ void __launch_bounds__(threads)
    softmax_held(const float* in, float* out, std::size_t rows, std::size_t columns) {
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        float x[each];
        hold_row<threads>(x, in + row * columns, columns, -INFINITY);
        Maximum largest = Maximum::nothing();
        for (const float value : x) largest.add(value);
        const float shift = merged_over_block(largest).value;
        RunningSum sum = RunningSum::nothing();
        for (float& value : x) {
            value = shift == -INFINITY ? 0.0f : expf(value - shift);
            sum.add(value);
        }
        const float total = merged_over_block(sum).sum, scale = total == 0.0f ? 0.0f : 1.0f / total;
#pragma unroll
        for (int k = 0; k < each; ++k) {
            const std::size_t column = k * threads + threadIdx.x;
            if (column < columns) out[row * columns + column] = x[k] * scale;
        }
    }
}
// [/softmax_held]

/// What layer norm multiplies and adds, element by element of a row.
struct Affine {
    const float* gain;   ///< one factor for each column
    const float* shift;  ///< one summand for each column
    float epsilon;       ///< added to the variance: more than 0, so that a row of equal elements has a result
};

/// Layer norm, (x - mean) / sqrt(variance + epsilon) * gain + shift, with mean and variance in one sweep.
///
/// Each element is loaded twice. Launch: whole warps.
// [layer_norm_two_sweeps]
__global__ void layer_norm_two_sweeps(const float* in, float* out, std::size_t rows, std::size_t columns, Affine to) {
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        const float* const x = in + row * columns;
        Moments all = Moments::nothing();
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x) all.add(x[c]);
        all = merged_over_block(all);
        const float scale = rsqrtf(all.deviations / all.count + to.epsilon);
        for (std::size_t c = threadIdx.x; c < columns; c += blockDim.x)
            out[row * columns + c] = (x[c] - all.average) * scale * to.gain[c] + to.shift[c];
    }
}
// [/layer_norm_two_sweeps]

/// Layer norm of rows that the registers of a block can hold: the mean first, then the deviations from it.
///
/// columns: at most threads * each. Launch: `threads` threads.
// [layer_norm_held]
template <int threads, int each>
__global__ void __launch_bounds__(threads)
    layer_norm_held(const float* in, float* out, std::size_t rows, std::size_t columns, Affine to) {
    for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
        float x[each];
        hold_row<threads>(x, in + row * columns, columns, 0.0f);
        RunningSum sum = RunningSum::nothing(), deviations = RunningSum::nothing();
        for (const float value : x) sum.add(value);
        const float mean = merged_over_block(sum).sum / columns;
#pragma unroll
        for (int k = 0; k < each; ++k)
            if (k * threads + threadIdx.x < columns) deviations.add((x[k] - mean) * (x[k] - mean));
        const float scale = rsqrtf(merged_over_block(deviations).sum / columns + to.epsilon);
#pragma unroll
        for (int k = 0; k < each; ++k) {
            const std::size_t c = k * threads + threadIdx.x;
            if (c < columns) out[row * columns + c] = (x[k] - mean) * scale * to.gain[c] + to.shift[c];
        }
    }
}
// [/layer_norm_held]
