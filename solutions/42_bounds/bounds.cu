// Exercise 4.2: the launch that never was. See README.md here, then: lanes check 42_bounds

/// Threads of a block.
// [solution]
constexpr unsigned threads = 128;
// [skeleton]
//| constexpr unsigned threads = 64;
// [/solution]

/// Reverses each 128 elements of an array; the last few too, if they are fewer.
///
/// in, out: `count` floats. Launch: 1-D, blocks of 128 threads, together at least `count`.
__global__ void __launch_bounds__(threads) reverse_pieces(const float* in, float* out, unsigned count) {
    __shared__ float piece[threads];
    const unsigned first = blockIdx.x * threads;
    const unsigned length = count - first < threads ? count - first : threads;  // of this block's piece
    if (threadIdx.x < length) piece[threadIdx.x] = in[first + threadIdx.x];
    __syncthreads();
    // [solution]
    if (threadIdx.x < length) out[first + threadIdx.x] = piece[length - 1 - threadIdx.x];
    // [skeleton]
    //|     if (threadIdx.x < length) out[first + threadIdx.x] = piece[threads - 1 - threadIdx.x];
    // [/solution]
}
