/// Kernels as a course has them, compiled to PTX by nvcc for course_test.cpp.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cassert>
#include <cstdio>

namespace cg = cooperative_groups;

extern "C" __global__ void copy_shifted(float* out, const float* in, int n, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + offset];
}

extern "C" __global__ void transpose_naive(float* out, const float* in, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}

template <int pitch>
__device__ void transpose_tile(float* out, const float* in, int n) {
    __shared__ float tile[32][pitch];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_tiled(float* out, const float* in, int n) {
    transpose_tile<32>(out, in, n);
}
extern "C" __global__ void transpose_padded(float* out, const float* in, int n) {
    transpose_tile<33>(out, in, n);
}

extern "C" __global__ void reduce_v0(float* out, const float* in) {
    extern __shared__ float data[];
    const unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduce_v1(float* out, const float* in) {
    extern __shared__ float data[];
    const unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}

extern "C" __global__ void reduce_shuffle(float* total, const float* in, int n) {
    __shared__ float warp_sums[32];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) atomicAdd(total, sum);
}

extern "C" __global__ void reduce_groups(int* total, const int* in, int n) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = cg::reduce(tile, sum, cg::plus<int>());
    block.sync();
    if (tile.thread_rank() == 0) atomicAdd(total, sum);
}

template <int size>
__device__ void multiply_tiles(float* c, const float* a, const float* b, int m, int n, int k) {
    __shared__ float as[size][size];
    __shared__ float bs[size][size];
    const int row = blockIdx.y * size + threadIdx.y;
    const int column = blockIdx.x * size + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < k; t += size) {
        as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0;
        bs[threadIdx.y][threadIdx.x] = t + threadIdx.y < k && column < n ? b[(t + threadIdx.y) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < size; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void matmul_tiled(float* c, const float* a, const float* b, int m, int n, int k) {
    multiply_tiles<16>(c, a, b, m, n, k);
}

extern "C" __global__ void histogram(unsigned* bins, const unsigned char* data, int n) {
    __shared__ unsigned local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

extern "C" __global__ void locked_count(int* lock, volatile int* count) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void choose(int* out, const int* in) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i];
    switch (x & 7) {
        case 0:
            out[i] = 7;
            break;
        case 1:
            out[i] = x * 3;
            break;
        case 2:
            x += 5;
            [[fallthrough]];
        case 3:
            out[i] = x - 11;
            break;
        case 4:
            for (int j = 0; j < x; ++j) {
                if (j * j > x) break;
                out[i] += j;
            }
            break;
        case 5:
            return;
        default:
            out[i] = -x;
    }
}

struct Shape {
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
    int width, height;
    __device__ Rectangle(int w, int h) : width(w), height(h) {}
    __device__ int area() const override { return width * height; }
};

extern "C" __global__ void areas(int* out) {
    const int i = threadIdx.x;
    Square square(i);
    Rectangle rectangle(i, 3);
    const Shape* const shape = (i & 1) ? static_cast<const Shape*>(&square) : &rectangle;
    out[i] = shape->area();
}

__device__ __noinline__ int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void fibonaccis(int* out) {
    out[threadIdx.x] = fibonacci(threadIdx.x % 12);
}

extern "C" __global__ void say(int limit) {
    if (threadIdx.x % 16 == 0)
        printf("block %d thread %2d: %.1f %s\n", blockIdx.x, threadIdx.x, threadIdx.x * 0.5, "ok");
    assert(static_cast<int>(threadIdx.x) < limit);
}

extern "C" __global__ void count_true(int* out, const int* in) {
    const int i = threadIdx.x;
    const int count = __syncthreads_count(in[i] > 3);
    const int all = __syncthreads_and(in[i] >= 0);
    const int any = __syncthreads_or(in[i] > 1000);
    const unsigned ballot = __ballot_sync(__activemask(), in[i] & 1);
    out[i] = count + 1000 * all + 10000 * any + 100000 * __popc(ballot);
}
