// Exercise 6.2: twice the same scratch. See README.md here, then: lanes check 62_scratch

/// Threads of a block.
constexpr unsigned threads = 128;

/// The sum of a value of each thread of the block; every thread gets it.
///
/// scratch: `threads` floats of shared memory.
__device__ float block_sum(float value, float* scratch) {
    scratch[threadIdx.x] = value;
    for (unsigned s = threads / 2; s > 0; s /= 2) {
        __syncthreads();
        if (threadIdx.x < s) scratch[threadIdx.x] += scratch[threadIdx.x + s];
    }
    __syncthreads();
    return scratch[0];
}

/// Subtracts its mean from each row, and gives the sum of the squares of what is left.
///
/// rows: `count` rows of `threads` floats. squares: `count` floats. Launch: `count` blocks of `threads` threads.
__global__ void centre(float* rows, float* squares) {
    __shared__ float scratch[threads];
    const unsigned i = blockIdx.x * threads + threadIdx.x;
    const float mean = block_sum(rows[i], scratch) / threads;
    const float deviation = rows[i] - mean;
    rows[i] = deviation;
    const float square = block_sum(deviation * deviation, scratch);
    if (threadIdx.x == 0) squares[blockIdx.x] = square;
}
