// Exercise 2.4: four results a thread. See README.md here, then: lanes check 24_four_rows

/// Floats in a row, and rows, of a tile.
constexpr unsigned side = 16;

/// How many elements of C a thread computes. Blocks have `side` x `side / rows_a_thread` threads.
// [solution]
__constant__ int rows_a_thread = 4;
constexpr unsigned rows = 4;
// [skeleton]
//| __constant__ int rows_a_thread = 1;
// [/solution]

/// C = A * B, a tile of C for each block.
///
/// a, b, c: n x n floats, row by row; n is a multiple of `side`. Launch: 2-D, see rows_a_thread; a block a tile of c.
__global__ void multiply(const float* a, const float* b, float* c, unsigned n) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const unsigned column = blockIdx.x * side + x;
    // [solution]
    constexpr unsigned apart = side / rows;  // rows y, y + apart, y + 2 * apart, ...
    const unsigned row = blockIdx.y * side + y;
    float sums[rows] = {};
    for (unsigned first = 0; first < n; first += side) {
        for (unsigned r = 0; r < side; r += apart) {
            a_tile[y + r][x] = a[(row + r) * n + first + x];
            b_tile[y + r][x] = b[(first + y + r) * n + column];
        }
        __syncthreads();
        for (unsigned k = 0; k < side; ++k) {
            const float b_element = b_tile[k][x];
            for (unsigned r = 0; r < rows; ++r) sums[r] += a_tile[y + r * apart][k] * b_element;
        }
        __syncthreads();
    }
    for (unsigned r = 0; r < rows; ++r) c[(row + r * apart) * n + column] = sums[r];
    // [skeleton]
    //|     const unsigned row = blockIdx.y * side + y;
    //|     float sum = 0.0f;
    //|     for (unsigned first = 0; first < n; first += side) {
    //|         a_tile[y][x] = a[row * n + first + x];
    //|         b_tile[y][x] = b[(first + y) * n + column];
    //|         __syncthreads();
    //|         for (unsigned k = 0; k < side; ++k) sum += a_tile[y][k] * b_tile[k][x];
    //|         __syncthreads();
    //|     }
    //|     c[row * n + column] = sum;
    // [/solution]
}
