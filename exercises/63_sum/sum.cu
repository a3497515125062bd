// Exercise 6.3: the sum of any array. See README.md here, then: lanes check 63_sum

/// Threads of a block.
constexpr unsigned threads = 256;

/// Adds the sum of an array to `total`, which is 0 before the launch.
///
/// in: `count` floats. Launch: 1-D, blocks of `threads` threads, together at least `count`.
__global__ void sum(const float* in, float* total, unsigned count) {
    // Yours to write. One atomicAdd(total, ...) a block, and one barrier.
}
