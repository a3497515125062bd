// Exercise 5.3: two kinds of work, side by side. See README.md here, then: lanes check 53_even_odd

/// Threads of a block.
constexpr unsigned threads = 128;

/// What is to be done with elements of even index.
__device__ unsigned mix_even(unsigned x) {
#pragma unroll 1
    for (int turn = 0; turn < 20; ++turn) x = x * 1664525 + 1013904223;
    return x;
}

/// What is to be done with elements of odd index.
__device__ unsigned mix_odd(unsigned x) {
#pragma unroll 1
    for (int turn = 0; turn < 20; ++turn) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

/// out[i] = mix_even(in[i]) or mix_odd(in[i]), as i is.
///
/// in, out: `count` unsigneds. Launch: 1-D, blocks of `threads` threads, together at least `count`.
__global__ void mix(const unsigned* in, unsigned* out, unsigned count) {
    // [solution]
    const bool even = threadIdx.x < threads / 2;  // the same for whole warps
    const unsigned place = 2 * (threadIdx.x % (threads / 2)) + (even ? 0 : 1);
    const unsigned i = blockIdx.x * threads + place;
    if (i >= count) return;
    if (even)
        out[i] = mix_even(in[i]);
    else
        out[i] = mix_odd(in[i]);
    // [skeleton]
    //|     // Yours to write. Who takes which element, so that no warp has to go both ways?
    // [/solution]
}
