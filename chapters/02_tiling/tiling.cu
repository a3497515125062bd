/// @file
/// @brief Chapter 2: the product of two matrices, from one thread an element to the speed of cuBLAS.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include chapters/02_tiling/tiling.cu -o
///     tiling
///
/// All kernels compute C = A B for float matrices stored row by row: A is M x K, B is K x N, C is M x N, and K = 0
/// gives zeros. Versions, in the order of the text:
///  - naive_down:      one thread an element, neighbouring lanes in one column
///  - naive:           one thread an element, neighbouring lanes in one row
///  - tiled:           tiles of A and B in shared memory
///  - register_column: 8 elements a thread, one below the other
///  - register_square: 8 x 8 elements a thread
///  - vector_loads:    16 bytes an access, the tile of A transposed
///  - double_buffered: the next tiles arrive while these are multiplied
///  - warp_tiles:      the lanes of a warp in a pattern that shares reads
///  - fast:            smaller blocks, three buffers, single stores: beside cuBLAS
#include "cublas.hpp"
#include "model_claims.hpp"
#include "predictions.hpp"
#include "products.hpp"

#include <lanes/main.hpp>

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <string>
#include <vector>

/// One element a thread; x runs down the rows, so the lanes of a warp stand in one column.
///
/// A, B, C: see the top of the file. Launch: 2-D; x covers M and y covers N; any block shape, no shared memory.
// [naive_down]
__global__ void naive_down(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[std::size_t(row) * K + k] * B[std::size_t(k) * N + column];
    C[std::size_t(row) * N + column] = sum;
}
// [/naive_down]

/// One element a thread; x runs along the columns, so the lanes of a warp stand in one row.
///
/// A, B, C: see the top of the file. Launch: 2-D; x covers N and y covers M; any block shape, no shared memory.
// [naive]
__global__ void naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[std::size_t(row) * K + k] * B[std::size_t(k) * N + column];
    C[std::size_t(row) * N + column] = sum;
}
// [/naive]

/// The element at (row, column) of a matrix with `rows` rows and `columns` columns; 0 behind its last row or column.
// [element_or_zero]
__device__ float element_or_zero(const float* matrix, int rows, int columns, int row, int column) {
    return row < rows && column < columns ? matrix[std::size_t(row) * columns + column] : 0.0f;
}
// [/element_or_zero]

/// One element a thread; a block works through tiles of A and B that it keeps in shared memory.
///
/// A, B, C: see the top of the file. Launch: blocks of `tile` x `tile` threads; x covers N and y covers M.
// [tiled]
template <int tile>
__global__ void tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y;
    const int column = blockIdx.x * tile + x;
    float sum = 0.0f;
    for (int first = 0; first < K; first += tile) {
        a_tile[y][x] = element_or_zero(A, M, K, row, first + x);
        b_tile[y][x] = element_or_zero(B, K, N, first + y, column);
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    if (row < M && column < N) C[std::size_t(row) * N + column] = sum;
}
// [/tiled]

/// What is wrong with tiled_with_fault().
enum class Fault {
    no_first_barrier,   ///< tiles are read while they are filled
    no_second_barrier,  ///< tiles are filled while they are read
    early_return        ///< threads outside C leave, and what they should have loaded is missing
};

/// The tiled product with one fault, to be shown. All else as tiled<16>.
// [tiled_with_fault]
template <Fault fault>
__global__ void tiled_with_fault(const float* A, const float* B, float* C, int M, int N, int K) {
    constexpr int tile = 16;
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * tile + y;
    const int column = blockIdx.x * tile + x;
    if (fault == Fault::early_return && (row >= M || column >= N)) return;
    float sum = 0.0f;
    for (int first = 0; first < K; first += tile) {
        a_tile[y][x] = element_or_zero(A, M, K, row, first + x);
        b_tile[y][x] = element_or_zero(B, K, N, first + y, column);
        if (fault != Fault::no_first_barrier) __syncthreads();
        for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
        if (fault != Fault::no_second_barrier) __syncthreads();
    }
    if (row < M && column < N) C[std::size_t(row) * N + column] = sum;
}
// [/tiled_with_fault]

/// 8 elements of one column a thread: an element of B's tile, once read, serves 8 multiplications.
///
/// A, B, C: see the top of the file. Launch: 512 threads in x; blocks in x cover N by `columns`, in y M by `rows`.
// [register_column]
template <int rows, int columns, int depth>
__global__ void __launch_bounds__(512) register_column(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[rows][depth];
    __shared__ float b_tile[depth][columns];
    const int thread = threadIdx.x;
    const int first_row = blockIdx.y * rows, first_column = blockIdx.x * columns;
    const int row = thread / columns, column = thread % columns;
    float sums[8] = {};
    for (int first = 0; first < K; first += depth) {
        const int a_row = thread / depth, a_k = thread % depth;
        a_tile[a_row][a_k] = element_or_zero(A, M, K, first_row + a_row, first + a_k);
        b_tile[row][column] = element_or_zero(B, K, N, first + row, first_column + column);
        __syncthreads();
        for (int k = 0; k < depth; ++k) {
            const float b = b_tile[k][column];
            for (int i = 0; i < 8; ++i) sums[i] += a_tile[row + i * 8][k] * b;
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        const int r = first_row + row + i * 8, c = first_column + column;
        if (r < M && c < N) C[std::size_t(r) * N + c] = sums[i];
    }
}
// [/register_column]

/// 8 x 8 elements a thread: 16 elements of the tiles, once read, serve 64 multiplications.
///
/// A, B, C: see the top of the file. Launch: 256 threads in x; blocks in x cover N by `columns`, in y M by `rows`.
// [register_square]
template <int rows, int columns, int depth>
__global__ void __launch_bounds__(256) register_square(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[rows][depth];
    __shared__ float b_tile[depth][columns];
    const int thread = threadIdx.x;
    const int first_row = blockIdx.y * rows, first_column = blockIdx.x * columns;
    const int row = thread / 16, column = thread % 16;
    float sums[8][8] = {};
    for (int first = 0; first < K; first += depth) {
        for (int e = thread; e < rows * depth; e += 256)
            a_tile[e / depth][e % depth] = element_or_zero(A, M, K, first_row + e / depth, first + e % depth);
        for (int e = thread; e < depth * columns; e += 256)
            b_tile[e / columns][e % columns] =
                element_or_zero(B, K, N, first + e / columns, first_column + e % columns);
        __syncthreads();
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            for (int i = 0; i < 8; ++i) a[i] = a_tile[row + i * 16][k];
            for (int j = 0; j < 8; ++j) b[j] = b_tile[k][column + j * 16];
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) sums[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
            const int r = first_row + row + i * 16, c = first_column + column + j * 16;
            if (r < M && c < N) C[std::size_t(r) * N + c] = sums[i][j];
        }
    }
}
// [/register_square]

/// Four neighbouring elements of a row, from (row, column) on, with 0 behind the last row or column.
///
/// aligned: the matrix begins at a multiple of 16 bytes, and `columns` and `column` are multiples of 4.
// [four_or_zero]
template <bool aligned>
__device__ float4 four_or_zero(const float* matrix, int rows, int columns, int row, int column) {
    float4 four = {};
    const float* from = matrix + std::size_t(row) * columns + column;
    if constexpr (aligned) {
        if (row < rows && column < columns) four = *reinterpret_cast<const float4*>(from);
    } else {
        if (row < rows && column + 0 < columns) four.x = from[0];
        if (row < rows && column + 1 < columns) four.y = from[1];
        if (row < rows && column + 2 < columns) four.z = from[2];
        if (row < rows && column + 3 < columns) four.w = from[3];
    }
    return four;
}
// [/four_or_zero]

/// Stores four neighbouring elements of a row of A one below the other: a tile that is kept transposed.
// [store_transposed]
template <int pitch>
__device__ void store_transposed(float (*a_tile)[pitch], int row, int k, float4 four) {
    a_tile[k + 0][row] = four.x;
    a_tile[k + 1][row] = four.y;
    a_tile[k + 2][row] = four.z;
    a_tile[k + 3][row] = four.w;
}
// [/store_transposed]

/// Reads four floats from `from` on and four from `distance` further on, 16 bytes at a time.
// [read_eight]
template <int distance>
__device__ void read_eight(float (&values)[8], const float* from) {
    for (int half = 0; half < 2; ++half) {
        const float4 four = *reinterpret_cast<const float4*>(from + half * distance);
        values[half * 4 + 0] = four.x;
        values[half * 4 + 1] = four.y;
        values[half * 4 + 2] = four.z;
        values[half * 4 + 3] = four.w;
    }
}
// [/read_eight]

/// Adds the 64 products of 8 values of A and 8 of B to a thread's sums, along the rows, back and forth.
// [multiply_add]
__device__ void multiply_add(float (&sums)[8][8], const float (&a)[8], const float (&b)[8]) {
    for (int i = 0; i < 8; ++i) {
        for (int step = 0; step < 8; ++step) {
            const int j = i % 2 == 0 ? step : 7 - step;
            sums[i][j] += a[i] * b[j];
        }
    }
}
// [/multiply_add]

/// Writes 8 sums into a row of C: four from `column` on, four from `distance` further on; nothing outside C.
///
/// aligned: C begins at a multiple of 16 bytes, and N, `column` and `distance` are multiples of 4.
// [store_eight]
template <bool aligned, int distance>
__device__ void store_eight(float* C, int M, int N, int row, int column, const float (&sums)[8]) {
    for (int half = 0; half < 2; ++half) {
        const int c = column + half * distance;
        float* to = C + std::size_t(row) * N + c;
        const float* from = sums + half * 4;
        if constexpr (aligned) {
            if (row < M && c < N) *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
        } else {
            for (int j = 0; j < 4; ++j)
                if (row < M && c + j < N) to[j] = from[j];
        }
    }
}
// [/store_eight]

/// As register_square, with 16 bytes an access wherever data moves, and the tile of A transposed so that it can be.
///
/// A, B, C: see the top of the file; `aligned`: all three begin at multiples of 16 bytes, N and K are multiples of 4.
/// Launch: 256 threads in x; blocks in x cover N by `columns`, in y M by `rows`: 128, 128 and a depth of 8.
// [vector_loads]
template <int rows, int columns, int depth, bool aligned>
__global__ void __launch_bounds__(256, 2) vector_loads(const float* A, const float* B, float* C, int M, int N, int K) {
    alignas(16) __shared__ float a_tile[depth][rows + 4];
    alignas(16) __shared__ float b_tile[depth][columns];
    const int thread = threadIdx.x;
    const int first_row = blockIdx.y * rows, first_column = blockIdx.x * columns;
    const int row = thread / 16 * 4, column = thread % 16 * 4;
    const int a_row = thread / 2, a_k = thread % 2 * 4;
    const int b_k = thread / 32, b_column = thread % 32 * 4;
    float sums[8][8] = {};
    for (int first = 0; first < K; first += depth) {
        store_transposed(a_tile, a_row, a_k, four_or_zero<aligned>(A, M, K, first_row + a_row, first + a_k));
        *reinterpret_cast<float4*>(&b_tile[b_k][b_column]) =
            four_or_zero<aligned>(B, K, N, first + b_k, first_column + b_column);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            read_eight<64>(a, &a_tile[k][row]);
            read_eight<64>(b, &b_tile[k][column]);
            multiply_add(sums, a, b);
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; ++i)
        store_eight<aligned, 64>(C, M, N, first_row + row + i / 4 * 64 + i % 4, first_column + column, sums[i]);
}
// [/vector_loads]

/// Starts copying `bytes` bytes, 4 or 16, from global to shared memory; if not `inside`, zeros arrive instead.
///
/// Before compute capability 8.0, which has no such instruction, the copy is an ordinary one.
// [copy_async]
template <int bytes>
__device__ void copy_async(float* to, const float* from, bool inside) {
#if __CUDA_ARCH__ >= 800
    const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int taken = inside ? bytes : 0;  // the rest of the bytes is filled with zeros
    if constexpr (bytes == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(from), "r"(taken) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(from), "r"(taken) : "memory");
    }
#else
    for (int i = 0; i < bytes / 4; ++i) to[i] = inside ? from[i] : 0.0f;
#endif
}
// [/copy_async]

/// As four_or_zero(), but copied into shared memory while the thread goes on: complete after the next wait.
// [copy_four]
template <bool aligned>
__device__ void copy_four(float* to, const float* matrix, int rows, int columns, int row, int column) {
    const float* from = matrix + std::size_t(row) * columns + column;
    if constexpr (aligned) {
        copy_async<16>(to, from, row < rows && column < columns);
    } else {
        for (int i = 0; i < 4; ++i) copy_async<4>(to + i, from + i, row < rows && column + i < columns);
    }
}
// [/copy_four]

/// As vector_loads, with two buffers for each tile: the next tiles are on their way while these are multiplied.
///
/// A, B, C, `aligned` and launch: as vector_loads.
// [double_buffered]
template <int rows, int columns, int depth, bool aligned>
__global__ void __launch_bounds__(256, 2)
    double_buffered(const float* A, const float* B, float* C, int M, int N, int K) {
    alignas(16) __shared__ float a_tile[2][depth][rows + 4];
    alignas(16) __shared__ float b_tile[2][depth][columns];
    const int thread = threadIdx.x;
    const int first_row = blockIdx.y * rows, first_column = blockIdx.x * columns;
    const int row = thread / 16 * 4, column = thread % 16 * 4;
    const int a_row = thread / 2, a_k = thread % 2 * 4;
    const int b_k = thread / 32, b_column = thread % 32 * 4;
    float sums[8][8] = {};
    copy_four<aligned>(&b_tile[0][b_k][b_column], B, K, N, b_k, first_column + b_column);
    __pipeline_commit();
    store_transposed(a_tile[0], a_row, a_k, four_or_zero<aligned>(A, M, K, first_row + a_row, a_k));
    int now = 0;
    for (int first = 0; first < K; first += depth) {
        const int next = 1 - now, ahead = first + depth;
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_four<aligned>(&b_tile[next][b_k][b_column], B, K, N, ahead + b_k, first_column + b_column);
        __pipeline_commit();
        const float4 a_ahead = four_or_zero<aligned>(A, M, K, first_row + a_row, ahead + a_k);
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            read_eight<64>(a, &a_tile[now][k][row]);
            read_eight<64>(b, &b_tile[now][k][column]);
            multiply_add(sums, a, b);
        }
        store_transposed(a_tile[next], a_row, a_k, a_ahead);
        now = next;
    }
    for (int i = 0; i < 8; ++i)
        store_eight<aligned, 64>(C, M, N, first_row + row + i / 4 * 64 + i % 4, first_column + column, sums[i]);
}
// [/double_buffered]

/// As double_buffered, with each warp on a tile of its own, 32 x 64, and its lanes in 4 rows and 8 columns.
///
/// A, B, C, `aligned` and launch: as vector_loads.
// [warp_tiles]
template <int rows, int columns, int depth, bool aligned>
__global__ void __launch_bounds__(256, 2) warp_tiles(const float* A, const float* B, float* C, int M, int N, int K) {
    alignas(16) __shared__ float a_tile[2][depth][rows + 4];
    alignas(16) __shared__ float b_tile[2][depth][columns];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int first_row = blockIdx.y * rows, first_column = blockIdx.x * columns;
    const int lane_row = (lane >> 1 & 1) | (lane >> 3 & 1) << 1;
    const int lane_column = (lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4 & 1) << 2;
    const int row = warp % (rows / 32) * 32 + lane_row * 4;
    const int column = warp / (rows / 32) * 64 + lane_column * 4;
    const int a_row = thread / 2, a_k = thread % 2 * 4;
    const int b_k = thread / 32, b_column = thread % 32 * 4;
    float sums[8][8] = {};
    copy_four<aligned>(&b_tile[0][b_k][b_column], B, K, N, b_k, first_column + b_column);
    __pipeline_commit();
    store_transposed(a_tile[0], a_row, a_k, four_or_zero<aligned>(A, M, K, first_row + a_row, a_k));
    int now = 0;
    for (int first = 0; first < K; first += depth) {
        const int next = 1 - now, ahead = first + depth;
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_four<aligned>(&b_tile[next][b_k][b_column], B, K, N, ahead + b_k, first_column + b_column);
        __pipeline_commit();
        const float4 a_ahead = four_or_zero<aligned>(A, M, K, first_row + a_row, ahead + a_k);
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            read_eight<16>(a, &a_tile[now][k][row]);
            read_eight<32>(b, &b_tile[now][k][column]);
            multiply_add(sums, a, b);
        }
        store_transposed(a_tile[next], a_row, a_k, a_ahead);
        now = next;
    }
    for (int i = 0; i < 8; ++i)
        store_eight<aligned, 32>(C, M, N, first_row + row + i / 4 * 16 + i % 4, first_column + column, sums[i]);
}
// [/warp_tiles]

/// Where a block stands in C.
struct BlockPlace {
    int row;     ///< in blocks, from the top
    int column;  ///< in blocks, from the left
};

/// Places block `number` so that blocks that run at the same time lie close together: down through 8 rows of blocks,
/// then one column to the right. They read the same rows of A and columns of B, which the L2 cache then holds.
// [place_of]
__device__ BlockPlace place_of(int number, int blocks_down, int blocks_across) {
    constexpr int together = 8;
    const int group = number / (together * blocks_across), in_group = number % (together * blocks_across);
    const int height = min(together, blocks_down - group * together);
    return {group * together + in_group % height, in_group / height};
}
// [/place_of]

/// As warp_tiles, with smaller blocks of which at least three share a multiprocessor, three buffers for each tile,
/// blocks in groups, and sums stored one float at a time.
///
/// A, B, C and `aligned`: as vector_loads. Launch: 128 threads in x and one block for each `rows` x `columns` of C, all
/// in x: 64, 128 and a depth of 16. vector_stores: stores as warp_tiles does, for comparison.
// [fast]
template <int rows, int columns, int depth, bool aligned, bool vector_stores = false>
__global__ void __launch_bounds__(128, 3) fast(const float* A, const float* B, float* C, int M, int N, int K) {
    constexpr int buffers = 3;
    alignas(16) __shared__ float a_tile[buffers][depth][rows + 4];
    alignas(16) __shared__ float b_tile[buffers][depth][columns];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const BlockPlace place = place_of(blockIdx.x, (M + rows - 1) / rows, (N + columns - 1) / columns);
    const int first_row = place.row * rows, first_column = place.column * columns;
    const int lane_row = (lane >> 1 & 1) | (lane >> 3 & 1) << 1;
    const int lane_column = (lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4 & 1) << 2;
    const int row = warp % (rows / 32) * 32 + lane_row * 4;
    const int column = warp / (rows / 32) * 64 + lane_column * 4;
    const int a_row = thread / 2, a_k = thread % 2 * 4;
    const int b_k = thread / 32, b_column = thread % 32 * 4;
    float4 a_ahead[depth / 8];
    const auto start_loading = [&](int buffer, int first) {
        for (int k = 0; k < depth; k += 4)
            copy_four<aligned>(&b_tile[buffer][k + b_k][b_column], B, K, N, first + k + b_k, first_column + b_column);
        __pipeline_commit();
        for (int k = 0; k < depth; k += 8)
            a_ahead[k / 8] = four_or_zero<aligned>(A, M, K, first_row + a_row, first + k + a_k);
    };
    const auto finish_loading = [&](int buffer) {
        for (int k = 0; k < depth; k += 8) store_transposed(a_tile[buffer], a_row, k + a_k, a_ahead[k / 8]);
    };

    float sums[8][8] = {};
    for (int buffer = 0; buffer < buffers - 1; ++buffer) {
        start_loading(buffer, buffer * depth);
        finish_loading(buffer);
    }
    int now = 0, next = buffers - 1;
    for (int first = 0; first < K; first += depth) {
        __pipeline_wait_prior(buffers - 2);
        __syncthreads();
        start_loading(next, first + (buffers - 1) * depth);
#pragma unroll
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            read_eight<16>(a, &a_tile[now][k][row]);
            read_eight<32>(b, &b_tile[now][k][column]);
            multiply_add(sums, a, b);
        }
        finish_loading(next);
        now = now + 1 == buffers ? 0 : now + 1;
        next = next + 1 == buffers ? 0 : next + 1;
    }
    for (int i = 0; i < 8; ++i)
        store_eight<vector_stores, 32>(C, M, N, first_row + row + i / 4 * 16 + i % 4, first_column + column, sums[i]);
}
// [/fast]

/// As many additions and multiplications as the GPU can do, and nothing else: 32 multiply-adds a thread and turn.
///
/// out: one float a thread. Launch: 1-D, any size.
// [fma_peak]
__global__ void fma_peak(float* out, float factor, int turns) {
    float sums[8];
    for (int i = 0; i < 8; ++i) sums[i] = float(threadIdx.x + i);
#pragma unroll 16
    for (int turn = 0; turn < 4 * turns; ++turn)
        for (int i = 0; i < 8; ++i) sums[i] = sums[i] * factor + factor;
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) sum += sums[i];
    out[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sum;
}
// [/fma_peak]

/// As many reads of shared memory as the GPU can do: 32 wavefronts a warp and turn, each of 32 floats in a row.
///
/// out: one float a thread. Launch: 1-D, blocks of any size.
// [shared_peak]
__global__ void shared_peak(float* out, int turns) {
    __shared__ float words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) words[i] = 1.0f;
    __syncthreads();
    const volatile float* mine = words + threadIdx.x % 32;  // volatile: each read is made
    float sums[4] = {};
    for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
        for (int i = 0; i < 32; ++i) sums[i % 4] += mine[i * 32];
    }
    out[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
// [/shared_peak]

namespace {

/// Whether 16-byte accesses may be used: all rows of all three matrices begin at multiples of 16 bytes.
// [all_aligned]
bool all_aligned(const float* A, const float* B, const float* C, int N, int K) {
    const auto address = [](const float* matrix) { return reinterpret_cast<std::uintptr_t>(matrix); };
    return (address(A) | address(B) | address(C)) % sizeof(float4) == 0 && N % 4 == 0 && K % 4 == 0;
}
// [/all_aligned]

/// One block for each `rows` x `columns` of C: x over the columns, y over the rows.
dim3 grid_for(int M, int N, int rows, int columns) {
    return {lanes::blocks_for(N, columns), lanes::blocks_for(M, rows)};
}

void launch_naive_down(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    const dim3 grid(lanes::blocks_for(M, 32), lanes::blocks_for(N, 32));
    naive_down<<<grid, dim3(32, 32)>>>(A, B, C, M, N, K);
}

void launch_naive(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    naive<<<grid_for(M, N, 32, 32), dim3(32, 32)>>>(A, B, C, M, N, K);
}

template <int tile>
void launch_tiled(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    tiled<tile><<<grid_for(M, N, tile, tile), dim3(tile, tile)>>>(A, B, C, M, N, K);
}

template <Fault fault>
void launch_tiled_with_fault(const float* A, const float* B, float* C, int M, int N, int K) {
    tiled_with_fault<fault><<<grid_for(M, N, 16, 16), dim3(16, 16)>>>(A, B, C, M, N, K);
}

void launch_register_column(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    register_column<64, 64, 8><<<grid_for(M, N, 64, 64), 512>>>(A, B, C, M, N, K);
}

void launch_register_square(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    register_square<128, 128, 8><<<grid_for(M, N, 128, 128), 256>>>(A, B, C, M, N, K);
}

void launch_vector_loads(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    const auto kernel = all_aligned(A, B, C, N, K) ? vector_loads<128, 128, 8, true> : vector_loads<128, 128, 8, false>;
    kernel<<<grid_for(M, N, 128, 128), 256>>>(A, B, C, M, N, K);
}

void launch_double_buffered(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    const auto kernel =
        all_aligned(A, B, C, N, K) ? double_buffered<128, 128, 8, true> : double_buffered<128, 128, 8, false>;
    kernel<<<grid_for(M, N, 128, 128), 256>>>(A, B, C, M, N, K);
}

void launch_warp_tiles(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    const auto kernel = all_aligned(A, B, C, N, K) ? warp_tiles<128, 128, 8, true> : warp_tiles<128, 128, 8, false>;
    kernel<<<grid_for(M, N, 128, 128), 256>>>(A, B, C, M, N, K);
}

/// Any sizes, and matrices that begin anywhere a float may.
// [launch_fast]
void launch_fast(const float* A, const float* B, float* C, int M, int N, int K) {
    if (M == 0 || N == 0) return;
    const auto kernel = all_aligned(A, B, C, N, K) ? fast<64, 128, 16, true> : fast<64, 128, 16, false>;
    const std::size_t blocks = std::size_t{lanes::blocks_for(M, 64)} * lanes::blocks_for(N, 128);
    kernel<<<lanes::blocks_for(blocks, 1), 128>>>(A, B, C, M, N, K);
}
// [/launch_fast]

/// As launch_fast, storing vectors. Only for matrices that are aligned, and sizes that are multiples of 4.
void launch_fast_vector_stores(const float* A, const float* B, float* C, int M, int N, int K) {
    const std::size_t blocks = std::size_t{lanes::blocks_for(M, 64)} * lanes::blocks_for(N, 128);
    fast<64, 128, 16, true, true><<<lanes::blocks_for(blocks, 1), 128>>>(A, B, C, M, N, K);
}

const std::vector<std::string> quad_helpers{"four_or_zero", "store_transposed", "read_eight", "multiply_add",
                                            "store_eight"};

std::vector<std::string> with_quad_helpers(std::vector<std::string> snippets) {
    snippets.insert(snippets.end(), quad_helpers.begin(), quad_helpers.end());
    return snippets;
}

/// All kernels, in the order of the text.
std::vector<Step> ladder() {
    return {
        {"naive_down", {"naive_down"}, launch_naive_down},
        {"naive", {"naive"}, launch_naive},
        {"tiled_8", {"tiled", "element_or_zero"}, launch_tiled<8>},
        {"tiled_16", {"tiled", "element_or_zero"}, launch_tiled<16>},
        {"tiled_32", {"tiled", "element_or_zero"}, launch_tiled<32>},
        {"register_column", {"register_column", "element_or_zero"}, launch_register_column},
        {"register_square", {"register_square", "element_or_zero"}, launch_register_square},
        {"vector_loads", with_quad_helpers({"vector_loads"}), launch_vector_loads},
        {"double_buffered", with_quad_helpers({"double_buffered", "copy_async", "copy_four"}), launch_double_buffered},
        {"warp_tiles", with_quad_helpers({"warp_tiles", "copy_async", "copy_four"}), launch_warp_tiles},
        {"fast", with_quad_helpers({"fast", "place_of", "copy_async", "copy_four", "launch_fast"}), launch_fast}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Is it right? Every kernel, at sizes that fit nothing.

/// Checks all kernels on a problem of whole numbers: every element must be exact.
void check_exactly(const Problem& problem) {
    const auto expected = as_floats(problem.C);
    for (const Step& step : ladder()) {
        CAPTURE(step.name);
        CHECK(lanes::equal(product_of(step, problem), expected, {.columns = std::size_t(problem.sizes.N)}));
    }
}

TEST_CASE("every kernel multiplies matrices of every shape exactly") {
    for (const Sizes& sizes : std::initializer_list<Sizes>{{1, 1, 1},
                                                           {3, 1, 31},
                                                           {1, 3, 33},
                                                           {31, 33, 32},
                                                           {32, 31, 1},
                                                           {33, 100, 3},
                                                           {64, 128, 100},
                                                           {33, 31, 1000},
                                                           {1025, 3, 31},
                                                           {3, 1023, 33},
                                                           {31, 1000, 3},
                                                           {1, 33, 1025},
                                                           {3, 100, 1023},
                                                           {1023, 32, 1}}) {
        CAPTURE(sizes.M);
        CAPTURE(sizes.N);
        CAPTURE(sizes.K);
        check_exactly(whole_numbers(sizes));
    }
}

TEST_CASE("no rows, no columns: nothing happens; nothing to add up: zeros") {
    for (const Sizes& sizes : std::initializer_list<Sizes>{{0, 33, 31}, {33, 0, 31}, {33, 31, 0}, {0, 0, 0}}) {
        CAPTURE(sizes.M);
        CAPTURE(sizes.N);
        check_exactly(whole_numbers(sizes));
    }
}

TEST_CASE("every kernel stays within the bound of a float sum") {
    for (const Sizes& sizes : std::initializer_list<Sizes>{{65, 68, 300}, {130, 131, 129}}) {
        CAPTURE(sizes.K);
        const Problem problem = real_numbers(sizes);
        for (const Step& step : ladder()) {
            CAPTURE(step.name);
            CHECK(lanes::within_bound(product_of(step, problem), problem.C, {.columns = std::size_t(sizes.N)}));
        }
    }
}

TEST_CASE("matrices may begin anywhere a float may") {
    const Sizes sizes{70, 132, 36};
    const Problem problem = whole_numbers(sizes);
    const auto shifted = [](std::vector<float> values) {
        values.insert(values.begin(), 7.0f);
        return values;
    };
    const lanes::DeviceArray<float> A(shifted(problem.A)), B(shifted(problem.B));
    for (const Step& step : ladder()) {
        CAPTURE(step.name);
        lanes::DeviceArray<float> C(shifted(std::vector<float>(problem.C.size(), 7.0f)));
        step.launch(A.data() + 1, B.data() + 1, C.data() + 1, sizes.M, sizes.N, sizes.K);
        lanes::check_launch(step.name);
        CHECK(lanes::equal(C.to_host(), shifted(as_floats(problem.C))));
    }
}

TEST_CASE("fast with vector stores gives the same") {
    const Problem problem = whole_numbers({68, 132, 36});
    CHECK(lanes::equal(product_of({"fast", {}, launch_fast_vector_stores}, problem), as_floats(problem.C)));
}

// ---------------------------------------------------------------------------------------------------------------------
// What goes wrong: each fault in a process of its own.

/// Runs the tiled product with a fault on a product of 40 x 40 by 48 terms, and says what came out.
template <Fault fault>
void show_fault() {
    const Problem problem = whole_numbers({40, 40, 48});
    const auto C = product_of({"tiled_with_fault", {}, launch_tiled_with_fault<fault>}, problem);
    const auto comparison = lanes::equal(C, as_floats(problem.C), {.columns = 40, .shown = 3});
    std::cout << (comparison ? "All numbers are right.\n" : comparison.message() + "\n");
}

/// What a demonstration must say on the emulator.
void check_fault(const std::string& demonstration, const std::string& kind) {
    CAPTURE(demonstration);
    if (!lanes::on_emulator()) return;  // a GPU has nothing to say about a race: at best the numbers are wrong
    const lanes::DemonstrationResult shown = lanes::demonstrate(demonstration);
    CAPTURE(shown.output);
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find(kind) != std::string::npos);
    CHECK(shown.output.find("tiling.cu:") != std::string::npos);
}

TEST_CASE("a missing barrier is named, even where the numbers are right") {
    check_fault("no_first_barrier", "race");
    check_fault("no_second_barrier", "race");
}

TEST_CASE("an early return is named, and what it leaves unset") {
    check_fault("early_return", "have left the kernel");
    check_fault("early_return", "which no thread of the block has written");
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Each case is one launch: predicted here, counted by the emulator and by Nsight Compute.

constexpr Sizes counted_sizes{128, 256, 64};  // every tile fits
constexpr Sizes ragged_sizes{100, 131, 50};   // none does, and no row but the first is aligned

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    const auto add = [&](const Sizes& sizes, const std::string& suffix) {
        for (const Prediction& prediction : predictions(ladder(), sizes))
            if (!prediction.copies || has_asynchronous_copies()) cases.push_back(case_of(prediction, suffix));
    };
    add(counted_sizes, "");
    add(ragged_sizes, "_ragged");
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    if (!has_asynchronous_copies()) MESSAGE("this device has no cp.async: the kernels that use it are not counted");
    lanes::check_cases(counted_cases());
}

/// The counted product with all that the model says, also of what hardware does not count exactly.
lanes::CountedCases modelled_cases() {
    lanes::CountedCases cases;
    for (const Prediction& prediction : predictions(ladder(), counted_sizes)) {
        cases.push_back(case_of(prediction, ""));
        cases.back().predicted = prediction.counts;
    }
    return cases;
}

TEST_CASE("the model is right about shared memory too where cp.async is used") {
    if (!has_asynchronous_copies()) {
        MESSAGE("this device has no cp.async: nothing to check");
        return;
    }
    lanes::check_cases(modelled_cases());
}

using namespace lanes::counters;

/// What the model says of a counted case.
std::uint64_t predicted(const std::string& name, const std::string& counter) {
    static const lanes::CountedCases cases = modelled_cases();
    return lanes::predicted_count(cases, name, counter);
}

/// Multiply-adds of the counted product, a warp at a time: instructions that no version can do without.
constexpr std::uint64_t warp_multiply_adds = std::uint64_t{128} * 256 * 64 / 32;

TEST_CASE("claim: a step of the naive product moves 5 sectors with lanes side by side, 33 with lanes in a column") {
    CHECK(predicted("naive", global_ld_requests) == 2 * warp_multiply_adds);
    CHECK(predicted("naive", global_ld_sectors) == 5 * warp_multiply_adds);
    CHECK(predicted("naive_down", global_ld_requests) == 2 * warp_multiply_adds);
    CHECK(predicted("naive_down", global_ld_sectors) == 33 * warp_multiply_adds);
    CHECK(predicted("naive_down", global_st_sectors) == 8 * predicted("naive", global_st_sectors));
}

TEST_CASE("claim: a tile of T divides the requests by T, and the sectors of T = 32 by 20") {
    CHECK(predicted("naive", global_ld_requests) == 8 * predicted("tiled_8", global_ld_requests));
    CHECK(predicted("naive", global_ld_requests) == 16 * predicted("tiled_16", global_ld_requests));
    CHECK(predicted("naive", global_ld_requests) == 32 * predicted("tiled_32", global_ld_requests));
    CHECK(predicted("tiled_8", global_ld_sectors) == warp_multiply_adds);
    CHECK(2 * predicted("tiled_16", global_ld_sectors) == warp_multiply_adds);
    CHECK(4 * predicted("tiled_32", global_ld_sectors) == warp_multiply_adds);
    CHECK(predicted("naive", global_ld_sectors) == 20 * predicted("tiled_32", global_ld_sectors));
}

TEST_CASE("claim: as it is written, the tiled product reads shared memory in two wavefronts a multiply-add") {
    if (!lanes::on_emulator()) return;  // ptxas merges four reads of A's tile into one
    for (const lanes::CountedCase& tiles : counted_cases()) {
        if (tiles.name != "tiled_8" && tiles.name != "tiled_16" && tiles.name != "tiled_32") continue;
        CAPTURE(tiles.name);
        tiles.launch();
        CHECK(lanes::counted("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld") == 2 * warp_multiply_adds);
        CHECK(lanes::counted("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld") == 0);
    }
}

TEST_CASE("claim: for 64 multiply-adds, squares read in 16 wavefronts, quads in 12, warp tiles in 8") {
    CHECK(64 * predicted("register_square", shared_ld_wavefronts) == 16 * warp_multiply_adds);
    CHECK(64 * predicted("vector_loads", shared_ld_wavefronts) == 12 * warp_multiply_adds);
    CHECK(64 * predicted("double_buffered", shared_ld_wavefronts) == 12 * warp_multiply_adds);
    CHECK(64 * predicted("warp_tiles", shared_ld_wavefronts) == 8 * warp_multiply_adds);
    CHECK(64 * predicted("fast", shared_ld_wavefronts) == 8 * warp_multiply_adds);
}

TEST_CASE("claim: blocks of 128 x 128 have an intensity of 32 by sectors, those of the fast kernel 21.3") {
    const auto intensity = [](const std::string& name) {
        return 64.0 * warp_multiply_adds / (32.0 * predicted(name, global_ld_sectors));
    };
    CHECK(intensity("warp_tiles") == doctest::Approx(32));
    CHECK(intensity("fast") == doctest::Approx(64.0 / 3));
}

TEST_CASE("claim: no kernel has a bank conflict") {
    for (const Prediction& prediction : predictions(ladder(), counted_sizes))
        for (const auto& [counter, count] : prediction.counts)
            if (counter.find("bank_conflicts") != std::string::npos) CHECK(count == 0);
}

TEST_CASE("claim: single floats of C take four times the sectors of vectors") {
    CHECK(predicted("fast", global_st_sectors) == 4 * predicted("warp_tiles", global_st_sectors));
}

TEST_CASE("no kernel spills registers") {
    if (lanes::on_emulator()) return;  // it has no registers to run out of
    const auto local_bytes = [](auto* kernel) {
        cudaFuncAttributes attributes{};
        lanes::check(cudaFuncGetAttributes(&attributes, kernel));
        return attributes.localSizeBytes;
    };
    CHECK(local_bytes(register_square<128, 128, 8>) == 0);
    CHECK(local_bytes(vector_loads<128, 128, 8, true>) == 0);
    CHECK(local_bytes(double_buffered<128, 128, 8, true>) == 0);
    CHECK(local_bytes(warp_tiles<128, 128, 8, true>) == 0);
    CHECK(local_bytes(fast<64, 128, 16, true>) == 0);
    CHECK(local_bytes(fast<64, 128, 16, false>) == 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take? Against cuBLAS, and against what memory, shared memory and arithmetic can do at most.

void measure_ceilings(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(float), 2);
    const lanes::DeviceArray<float> in(n);
    lanes::DeviceArray<float> out(n);
    const std::size_t threads = 256, multiprocessors = lanes::current_device().multiprocessors;
    const std::size_t blocks = benchmark.pick(multiprocessors * 32, multiprocessors * 8, 2);
    const int turns = int(benchmark.pick(4096, 1024, 2));
    lanes::DeviceArray<float> sums(threads * blocks);
    const std::uint64_t work = std::uint64_t{threads} * blocks * std::uint64_t(turns) * 32;  // multiply-adds, reads
    benchmark.group(
        "Ceilings",
        {{.name = "memcpy",
          .parameters = {{"elements", n}},
          .bytes = 2 * out.bytes(),
          .launch =
              [&] { lanes::check(cudaMemcpyAsync(out.data(), in.data(), out.bytes(), cudaMemcpyDeviceToDevice)); }},
         {.name = "fma_peak",
          .snippets = {"fma_peak"},
          .parameters = {{"turns", turns}},
          .operations = 2 * work,
          .launch = [&] { fma_peak<<<unsigned(blocks), threads>>>(sums.data(), 0.5f, turns); }},
         {.name = "shared_peak",
          .snippets = {"shared_peak"},
          .parameters = {{"turns", turns}, {"wavefronts", work / 32}},
          .bytes = work * sizeof(float),
          .launch = [&] { shared_peak<<<unsigned(blocks), threads>>>(sums.data(), turns); }}});
}

void measure(lanes::Benchmark& benchmark) {
    const Cublas cublas;
    if (!cublas.found()) std::cout << "\nThere is no cuBLAS to measure against: it needs a GPU and libcublas.\n";
    measure_ceilings(benchmark);
    const auto steps = ladder();
    const std::vector<Step> last_two(steps.end() - 2, steps.end());
    auto all = steps;
    all.push_back({"fast_vector_stores", steps.back().snippets, launch_fast_vector_stores});
    const int size = int(benchmark.pick(4096, 2048, 64));
    measure_product(benchmark, cublas, "4096", "", {size, size, size}, all);
    measure_product(benchmark, cublas, "8192", "_8192", {2 * size, 2 * size, 2 * size}, last_two);
    measure_product(benchmark, cublas, "4095 x 4097 by 4093", "_ragged", {size - 1, size + 1, size - 3}, last_two);
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run({.name = "tiling",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"no_first_barrier", show_fault<Fault::no_first_barrier>},
                                          {"no_second_barrier", show_fault<Fault::no_second_barrier>},
                                          {"early_return", show_fault<Fault::early_return>}}},
                      argc, argv);
}
