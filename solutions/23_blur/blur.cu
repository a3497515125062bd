// Exercise 2.3: read once, use seven times. See README.md here, then: lanes check 23_blur

/// Threads of a block.
constexpr unsigned threads = 64;

/// How far a sum reaches to each side.
constexpr unsigned reach = 3;

/// out[i] = in[i - 3] + ... + in[i + 3], where floats before the first and behind the last count as 0.
///
/// in, out: `count` floats. Launch: 1-D, blocks of `threads` threads, together at least `count`.
__global__ void blur(const float* in, float* out, unsigned count) {
    // [solution]
    __shared__ float tile[threads + 2 * reach];
    const unsigned begin = blockIdx.x * threads;  // of the block's part of out
    for (unsigned k = threadIdx.x; k < threads + 2 * reach; k += threads) {
        const unsigned i = begin + k;  // reach further than the element of in, which may be before the first
        tile[k] = i >= reach && i - reach < count ? in[i - reach] : 0.0f;
    }
    __syncthreads();
    if (begin + threadIdx.x >= count) return;
    float sum = 0.0f;
    for (unsigned k = 0; k <= 2 * reach; ++k) sum += tile[threadIdx.x + k];
    out[begin + threadIdx.x] = sum;
    // [skeleton]
    //|     // Yours to write. A block needs threads + 2 * reach floats of `in`: read each of them once.
    // [/solution]
}
