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
    // Yours to write. Each thread has four elements to move: a tile has 32 rows, and a block 8.
}
