// Exercise 2.3: read once, use seven times. See README.md here, then: lanes check 23_blur

/// Threads of a block.
constexpr unsigned threads = 64;

/// How far a sum reaches to each side.
constexpr unsigned reach = 3;

/// out[i] = in[i - 3] + ... + in[i + 3], where floats before the first and behind the last count as 0.
///
/// in, out: `count` floats. Launch: 1-D, blocks of `threads` threads, together at least `count`.
__global__ void blur(const float* in, float* out, unsigned count) {
    // Yours to write. A block needs threads + 2 * reach floats of `in`: read each of them once.
}
