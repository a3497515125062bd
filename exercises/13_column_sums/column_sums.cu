// Exercise 1.3: the sums of a matrix's columns. See README.md here, then: lanes check 13_column_sums

/// The sum of each column of a matrix.
///
/// matrix: `height` rows of `width` floats, one row after the other. sums: `width` floats.
/// Launch: 1-D, blocks of 64 threads, together at least `width` threads and at least `height`.
__global__ void column_sums(const float* matrix, float* sums, unsigned width, unsigned height) {
    // Yours to write. Which thread adds up what?
}
