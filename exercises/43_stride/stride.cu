// Exercise 4.3: as many blocks as there are. See README.md here, then: lanes check 43_stride

/// Doubles every element of an array, however many blocks and threads there are.
///
/// x: `count` floats. Launch: 1-D, any number of blocks of any size; together they may be fewer threads than elements,
/// or more.
__global__ void double_all(float* x, unsigned count) {
    // Yours to write. Which elements does a thread take, if there are fewer threads than elements?
}
