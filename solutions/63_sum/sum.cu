// Exercise 6.3: the sum of any array. See README.md here, then: lanes check 63_sum

/// Threads of a block.
constexpr unsigned threads = 256;

/// Adds the sum of an array to `total`, which is 0 before the launch.
///
/// in: `count` floats. Launch: 1-D, blocks of `threads` threads, together at least `count`.
__global__ void sum(const float* in, float* total, unsigned count) {
    // [solution]
    __shared__ float sums[threads / 32];
    const unsigned i = blockIdx.x * threads + threadIdx.x;
    float value = i < count ? in[i] : 0.0f;
    for (unsigned s = 16; s > 0; s /= 2) value += __shfl_down_sync(0xffffffff, value, s);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    value = threadIdx.x < threads / 32 ? sums[threadIdx.x] : 0.0f;
    for (unsigned s = threads / 64; s > 0; s /= 2) value += __shfl_down_sync(0xffffffff, value, s);
    if (threadIdx.x == 0) atomicAdd(total, value);
    // [skeleton]
    //|     // Yours to write. One atomicAdd(total, ...) a block, and one barrier.
    // [/solution]
}
