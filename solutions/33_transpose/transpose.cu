// Exercise 3.3: a transpose of any shape. See README.md here, then: lanes check 33_transpose

/// Floats of a tile in either direction.
constexpr unsigned side = 32;

/// Rows that the threads of a block reach at once.
constexpr unsigned block_rows = 8;

/// out[x][y] = in[y][x].
///
/// in: `height` rows of `width` floats; out: `width` rows of `height` floats.
/// Launch: 2-D, blocks of `side` x `block_rows` threads, one for each tile of `side` x `side` of `in`.
__global__ void transpose(const float* in, float* out, unsigned width, unsigned height) {
    // [solution]
    __shared__ float tile[side][side + 1];
    const unsigned x = blockIdx.x * side + threadIdx.x;
    for (unsigned r = threadIdx.y; r < side; r += block_rows) {
        const unsigned y = blockIdx.y * side + r;
        if (x < width && y < height) tile[r][threadIdx.x] = in[y * width + x];
    }
    __syncthreads();
    const unsigned out_x = blockIdx.y * side + threadIdx.x;
    for (unsigned r = threadIdx.y; r < side; r += block_rows) {
        const unsigned out_y = blockIdx.x * side + r;
        if (out_x < height && out_y < width) out[out_y * height + out_x] = tile[threadIdx.x][r];
    }
    // [skeleton]
    //|     // Yours to write. Each thread has four elements to move: a tile has 32 rows, and a block 8.
    // [/solution]
}
