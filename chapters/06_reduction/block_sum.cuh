/// @file
/// @brief From 32 lanes to one number, and from a block to one number.
#pragma once

/// The sum over the warp, in lane 0. All 32 lanes call it.
// [warp_sum]
template <typename T>
__device__ T warp_sum(T x) {
    for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffffu, x, distance);
    return x;
}
// [/warp_sum]

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
