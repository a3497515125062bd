/// @file
/// @brief The kernels that lanes-bench times on the emulator: compiled to PTX by nvcc when it is built.

namespace {

/// One tile of the product after the other: both operands in shared memory, a barrier before and behind their use.
template <int tile>
__device__ void multiply_tiles(float* c, const float* a, const float* b, int n) {
    __shared__ float as[tile][tile];
    __shared__ float bs[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y;
    const int column = blockIdx.x * tile + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += tile) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < tile; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

}  // namespace

/// c = a * b with tiles of 16 x 16, so that a warp holds two rows of a tile.
/// @param c  n x n, row by row
/// @param a  likewise
/// @param b  likewise
/// @param n  a multiple of 16. Launch: n/16 x n/16 blocks of 16 x 16 threads.
extern "C" __global__ void matmul_16(float* c, const float* a, const float* b, int n) {
    multiply_tiles<16>(c, a, b, n);
}

/// c = a * b with tiles of 32 x 32, so that a warp is one row of a tile.
/// @param c  n x n, row by row
/// @param a  likewise
/// @param b  likewise
/// @param n  a multiple of 32. Launch: n/32 x n/32 blocks of 32 x 32 threads.
extern "C" __global__ void matmul_32(float* c, const float* a, const float* b, int n) {
    multiply_tiles<32>(c, a, b, n);
}

/// Sums of blocks: each thread adds up every (grid size)-th element, then the block halves its sums in shared memory.
/// @param sums  one for each block
/// @param in    n elements
/// @param n     any. Launch: blocks of 256 threads.
extern "C" __global__ void reduce(float* sums, const float* in, int n) {
    __shared__ float partial[256];
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int active = 128; active > 0; active /= 2) {
        if (threadIdx.x < active) partial[threadIdx.x] += partial[threadIdx.x + active];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

/// out = in.
/// @param out  n elements
/// @param in   n elements
/// @param n    any. Launch: a thread for each element.
extern "C" __global__ void copy(float* out, const float* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

/// Reads and writes each element: both records of its word are used.
/// @param values  n elements
/// @param n       any. Launch: a thread for each element.
extern "C" __global__ void increment(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1.0f;
}

/// Arithmetic alone: a chain of fused multiply-adds for each thread.
/// @param out    one element for each thread
/// @param turns  of the loop, four multiply-adds each
extern "C" __global__ void fma_loop(float* out, int turns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 1.0f + static_cast<float>(threadIdx.x) * 0.001f;
    float y = 0.5f;
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) {
        x = x * 0.999f + y;
        y = y * 0.5f + x;
        x = x * 0.25f + y;
        y = y * 0.125f + x;
    }
    out[i] = x + y;
}
