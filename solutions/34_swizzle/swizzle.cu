// Exercise 3.4: no conflicts, and no padding. See README.md here, then: lanes check 34_swizzle

/// Floats of a tile in either direction.
constexpr unsigned side = 32;

/// Turns each tile of 32 x 32 floats around its diagonal, in its place: tiles stand where they stood.
///
/// in, out: `tiles` tiles, one after the other, each row by row. Launch: a block of 32 x 32 threads for each tile.
__global__ void flip_tiles(const float* in, float* out) {
    __shared__ float tile[side][side];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned first = blockIdx.x * side * side;
    // [solution]
    tile[y][x ^ y] = in[first + y * side + x];
    __syncthreads();
    out[first + y * side + x] = tile[x][y ^ x];
    // [skeleton]
    //|     tile[y][x] = in[first + y * side + x];
    //|     __syncthreads();
    //|     out[first + y * side + x] = tile[x][y];
    // [/solution]
}
