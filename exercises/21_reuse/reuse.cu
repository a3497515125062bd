// Exercise 2.1: who shares what in a tile. See README.md here, then: lanes check 21_reuse
//
// Fill in the constants. Sectors: how many does one request to load from global memory move? Wavefronts: how many does
// one load from shared memory take? Matrices have 64 x 64 floats and begin at a multiple of 256 bytes. The name says
// how many threads a block has in x and y. Leave the kernels as they are.

/// One turn of the naive product's loop: the element of A, for the thread that computes C[row][column].
__global__ void read_a(const float* a, float* out, unsigned n, unsigned turn) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * n + column] = a[row * n + turn];
}
__constant__ int read_a_32_by_8_sectors = -1;
__constant__ int read_a_16_by_16_sectors = -1;

/// One turn of the naive product's loop: the element of B.
__global__ void read_b(const float* b, float* out, unsigned n, unsigned turn) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    out[row * n + column] = b[turn * n + column];
}
__constant__ int read_b_32_by_8_sectors = -1;
__constant__ int read_b_16_by_16_sectors = -1;

/// Fills a tile of 16 x 16 and reads one column of it, as a turn of the tiled product does with its tile of A.
__global__ void read_tile(const float* a, float* out, unsigned n, unsigned turn) {
    __shared__ float tile[16][16];
    const unsigned column = blockIdx.x * 16 + threadIdx.x;
    const unsigned row = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = a[row * n + column];
    __syncthreads();
    out[row * n + column] = tile[threadIdx.y][turn];
}
__constant__ int read_tile_sectors = -1;
__constant__ int read_tile_wavefronts = -1;
