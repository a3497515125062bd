/// @file
/// @brief Three ways to the sum of a warp's 32 whole numbers, in all of its lanes.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

/// Five exchanges between lanes that are 16, 8, 4, 2 and 1 apart.
// [by_shuffles]
struct ByShuffles {
    /// The sum over the warp. All 32 lanes call it.
    static __device__ unsigned total(unsigned x) {
        for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(0xffffffffu, x, distance);
        return x;
    }
};
// [/by_shuffles]

/// One instruction, for whole numbers of 32 bits; from capability 8.0.
// [by_one_instruction]
struct ByOneInstruction {
    /// The sum over the warp. All 32 lanes call it.
    static __device__ unsigned total(unsigned x) { return __reduce_add_sync(0xffffffffu, x); }
};
// [/by_one_instruction]

/// Cooperative groups: the library chooses the way.
// [by_cooperative_group]
struct ByCooperativeGroup {
    /// The sum over the warp. All 32 lanes call it.
    static __device__ unsigned total(unsigned x) {
        namespace groups = cooperative_groups;
        const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
        return groups::reduce(warp, x, groups::plus<unsigned>());
    }
};
// [/by_cooperative_group]

/// `turns` sums over the warp, each of the sum before and the lane's number: out[i] is what thread i holds at the end.
///
/// Way: one of the above. Launch: 1-D, whole warps, one thread for each element of in and out.
// [warp_totals]
template <typename Way>
__global__ void warp_totals(const unsigned* in, unsigned* out, int turns) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[i];
    for (int turn = 0; turn < turns; ++turn) x = Way::total(x) + threadIdx.x % 32;
    out[i] = x;
}
// [/warp_totals]
