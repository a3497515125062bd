// Exercise 4.4: room for others. See README.md here, then: lanes check 44_room

/// Rows of a block, and its threads.
constexpr unsigned rows = 64;

/// Floats of a row.
constexpr unsigned columns = 128;

/// The sum of each row of a matrix. A block brings its rows into shared memory along the rows, and each thread then
/// goes through a row of its own.
///
/// matrix: rows of `columns` floats, as many as there are threads. sums: as many floats. Launch: blocks of `rows`
/// threads.
__global__ void row_sums(const float* matrix, float* sums) {
    __shared__ float piece[rows][columns + 1];
    const float* block_rows = matrix + blockIdx.x * rows * columns;
    for (unsigned i = threadIdx.x; i < rows * columns; i += rows) {
        piece[i / columns][i % columns] = block_rows[i];
    }
    __syncthreads();
    float sum = 0.0f;
    for (unsigned k = 0; k < columns; ++k) sum += piece[threadIdx.x][k];
    sums[blockIdx.x * rows + threadIdx.x] = sum;
}
