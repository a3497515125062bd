// Exercise 5.1: where a warp divides. See README.md here, then: lanes check 51_branches
//
// Fill in the constants: at how many branches do the active lanes of a warp choose different ways? Count over the whole
// launch: one block of 64 threads, that is two warps. `turns` is 5. Leave the kernels as they are.

/// Half of each warp multiplies, the other half shifts.
__global__ void half_and_half(unsigned* x, unsigned turns) {
    unsigned value = x[threadIdx.x];
    if (threadIdx.x % 32 < 16) {
#pragma unroll 1
        for (unsigned k = 0; k < turns; ++k) value = value * 1664525 + 1013904223;
    } else {
#pragma unroll 1
        for (unsigned k = 0; k < turns; ++k) value ^= value << 3;
    }
    x[threadIdx.x] = value;
}
__constant__ int half_and_half_divergent = -1;

/// One warp multiplies, the other shifts.
__global__ void by_warp(unsigned* x, unsigned turns) {
    unsigned value = x[threadIdx.x];
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (unsigned k = 0; k < turns; ++k) value = value * 1664525 + 1013904223;
    } else {
#pragma unroll 1
        for (unsigned k = 0; k < turns; ++k) value ^= value << 3;
    }
    x[threadIdx.x] = value;
}
__constant__ int by_warp_divergent = -1;

/// Every second lane adds 3, the others 5.
__global__ void constants_only(unsigned* x) {
    if (threadIdx.x % 2 == 0)
        x[threadIdx.x] += 3;
    else
        x[threadIdx.x] += 5;
}
__constant__ int constants_only_divergent = -1;

/// Lanes turn once, twice, three times, four times, once, twice, ...
__global__ void four_lengths(unsigned* x) {
    unsigned value = x[threadIdx.x];
    unsigned left = threadIdx.x % 4 + 1;
#pragma unroll 1
    do {
        value = value * 1664525 + 1013904223;
    } while (--left > 0);
    x[threadIdx.x] = value;
}
__constant__ int four_lengths_divergent = -1;
