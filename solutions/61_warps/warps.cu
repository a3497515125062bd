// Exercise 6.1: how many warps add. See README.md here, then: lanes check 61_warps
//
// Fill in the constants. Each kernel is launched with one block of 128 threads, on 128 floats. Leave the kernels as
// they are.

/// Sums 128 floats. The distance between partners doubles.
__global__ void interleaved(const float* in, float* out) {
    __shared__ float buffer[128];
    buffer[threadIdx.x] = in[threadIdx.x];
    for (unsigned s = 1; s < 128; s *= 2) {
        __syncthreads();
        if ((threadIdx.x & (2 * s - 1)) == 0) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    }
    if (threadIdx.x == 0) out[0] = buffer[0];
}
/// Wavefronts of all stores to shared memory.
// [solution]
__constant__ int interleaved_store_wavefronts = 27;
// [skeleton]
//| __constant__ int interleaved_store_wavefronts = -1;
// [/solution]

/// Sums 128 floats. The distance between partners halves.
__global__ void sequential(const float* in, float* out) {
    __shared__ float buffer[128];
    buffer[threadIdx.x] = in[threadIdx.x];
    for (unsigned s = 64; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) buffer[threadIdx.x] += buffer[threadIdx.x + s];
    }
    if (threadIdx.x == 0) out[0] = buffer[0];
}
/// Wavefronts of all stores to shared memory.
// [solution]
__constant__ int sequential_store_wavefronts = 12;
// [skeleton]
//| __constant__ int sequential_store_wavefronts = -1;
// [/solution]
/// Arrivals of warps at barriers.
// [solution]
__constant__ int sequential_arrivals = 28;
// [skeleton]
//| __constant__ int sequential_arrivals = -1;
// [/solution]

/// One step of a tree in which the first threads add numbers that are 4 apart.
__global__ void strided_step(const float* in, float* out) {
    __shared__ float buffer[128];
    buffer[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < 16) {
        buffer[8 * threadIdx.x] += buffer[8 * threadIdx.x + 4];
        out[threadIdx.x] = buffer[8 * threadIdx.x];
    }
}
/// Wavefronts of all stores to shared memory.
// [solution]
__constant__ int strided_step_store_wavefronts = 8;
// [skeleton]
//| __constant__ int strided_step_store_wavefronts = -1;
// [/solution]
