// Exercise 2.2: right by luck. See README.md here, then: lanes check 22_barrier

/// Floats in a row, and rows, of a tile.
constexpr unsigned side = 16;

/// C = A * B, a tile of C for each block.
///
/// a, b, c: n x n floats, row by row. Launch: 2-D, blocks of `side` x `side` threads that cover c.
__global__ void multiply(const float* a, const float* b, float* c, unsigned n) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned column = blockIdx.x * side + x;
    const unsigned row = blockIdx.y * side + y;
    float sum = 0.0f;
    for (unsigned first = 0; first < n; first += side) {
        a_tile[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
        b_tile[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0.0f;
        __syncthreads();
        for (unsigned k = 0; k < side; ++k) sum += a_tile[y][k] * b_tile[k][x];
    }
    if (row < n && column < n) c[row * n + column] = sum;
}
