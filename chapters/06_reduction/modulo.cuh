/// @file
/// @brief What a remainder costs: the same test written with %, with a mask, and with numbers known to the compiler.
#pragma once

#include "sums.hpp"

#include <cuda_runtime.h>

#include <cstddef>

/// out[i] = in[i] % divisor, for a divisor that only the caller knows. Launch: one block, a thread for each element.
// [remainder_any]
__global__ void remainder_any(const int* in, int* out, int divisor) {
    out[threadIdx.x] = in[threadIdx.x] % divisor;
}
// [/remainder_any]

/// The same for a divisor that the compiler knows: 10.
// [remainder_ten]
__global__ void remainder_ten(const int* in, int* out, int) {
    out[threadIdx.x] = in[threadIdx.x] % 10;
}
// [/remainder_ten]

/// The same for a power of two that the compiler knows: 16.
// [remainder_sixteen]
__global__ void remainder_sixteen(const int* in, int* out, int) {
    out[threadIdx.x] = in[threadIdx.x] % 16;
}
// [/remainder_sixteen]

/// The same for elements that are not negative and a divisor that is a power of two: the programmer knows it.
// [remainder_mask]
__global__ void remainder_mask(const int* in, int* out, int divisor) {
    out[threadIdx.x] = in[threadIdx.x] & (divisor - 1);
}
// [/remainder_mask]

/// interleaved() with a mask where it has a remainder: 2 * s is a power of two, and the thread's number not negative.
///
/// out and launch: as interleaved().
// [interleaved_mask]
template <typename T>
__global__ void interleaved_mask(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const int tid = threadIdx.x;
    buf[tid] = i < size ? in[i] : T(0);
    __syncthreads();
    for (int s = 1; s < int(blockDim.x); s *= 2) {
        if ((tid & (2 * s - 1)) == 0) buf[tid] += buf[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = buf[0];
}
// [/interleaved_mask]

/// interleaved() with a block size that the compiler knows: it unrolls the loop, and all divisors are constants.
///
/// out and launch: as interleaved().
// [interleaved_unrolled]
template <typename T>
__global__ void interleaved_unrolled(const T* in, T* out, std::size_t size) {
    __shared__ T buf[block_threads];
    const std::size_t i = std::size_t{blockIdx.x} * block_threads + threadIdx.x;
    const int tid = threadIdx.x;
    buf[tid] = i < size ? in[i] : T(0);
    __syncthreads();
#pragma unroll
    for (int s = 1; s < block_threads; s *= 2) {
        if (tid % (2 * s) == 0) buf[tid] += buf[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = buf[0];
}
// [/interleaved_unrolled]
