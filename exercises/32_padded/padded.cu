// Exercise 3.2: padded, and still conflicts. See README.md here, then: lanes check 32_padded

/// Floats of a tile in either direction.
constexpr unsigned side = 32;

/// Turns each tile of 32 x 32 floats around its diagonal, in its place: tiles stand where they stood.
///
/// in, out: `tiles` tiles, one after the other, each row by row. Launch: a block of 32 x 32 threads for each tile.
__global__ void flip_tiles(const float* in, float* out) {
    __shared__ float tile[side * (side + 1)];  // one float of padding a row, against bank conflicts
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned first = blockIdx.x * side * side;
    tile[y * side + x] = in[first + y * side + x];
    __syncthreads();
    out[first + y * side + x] = tile[x * side + y];
}
