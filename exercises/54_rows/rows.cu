// Exercise 5.4: a long row keeps 31 lanes waiting. See README.md here, then: lanes check 54_rows

/// How many threads work on a row; the launch has as many for each.
__constant__ int threads_a_row = 1;

/// The sum of each row of a matrix whose rows have different lengths.
///
/// values: all rows, one after the other. begins: where each row begins, and at the end where the last one ends:
/// `rows + 1` numbers. sums: `rows` floats. Launch: 1-D, blocks of 128 threads, see threads_a_row.
__global__ void row_sums(const float* values, const unsigned* begins, float* sums, unsigned rows) {
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (unsigned i = begins[row]; i < begins[row + 1]; ++i) sum += values[i];
    sums[row] = sum;
}
