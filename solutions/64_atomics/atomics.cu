// Exercise 6.4: many elements a thread. See README.md here, then: lanes check 64_atomics

/// Threads of a block.
constexpr unsigned threads = 256;

/// The sum of a value of each lane, in lane 0. All 32 lanes must call it.
__device__ float warp_sum(float value) {
    for (unsigned s = 16; s > 0; s /= 2) value += __shfl_down_sync(0xffffffff, value, s);
    return value;
}

/// How many elements a thread adds up at most; the launch has a thread for each so many elements, rounded up.
// [solution]
__constant__ int elements_a_thread = 16;
// [skeleton]
//| __constant__ int elements_a_thread = 1;
// [/solution]

/// Adds the sum of an array to `total`, which is 0 before the launch.
///
/// in: `count` floats. Launch: 1-D, blocks of `threads` threads, see elements_a_thread.
__global__ void sum(const float* in, float* total, unsigned count) {
    // [solution]
    float value = 0.0f;
    for (unsigned i = blockIdx.x * threads + threadIdx.x; i < count; i += gridDim.x * threads) value += in[i];
    value = warp_sum(value);
    // [skeleton]
    //|     const unsigned i = blockIdx.x * threads + threadIdx.x;
    //|     float value = warp_sum(i < count ? in[i] : 0.0f);
    // [/solution]
    if (threadIdx.x % 32 == 0) atomicAdd(total, value);
}
