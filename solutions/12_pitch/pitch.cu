// Exercise 1.2: right on the author's picture. See README.md here, then: lanes check 12_pitch

/// Adds `amount` to each pixel of a picture, whose rows begin `pitch` floats apart. What lies between the end of a row
/// and the beginning of the next belongs to somebody else.
///
/// image: `height` rows of `width` floats; pitch >= width.
/// Launch: 2-D, blocks of 32 x 8 threads; x covers the width, and y the height.
__global__ void brighten(float* image, unsigned width, unsigned height, unsigned pitch, float amount) {
    // [solution]
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) image[row * pitch + column] += amount;
    // [skeleton]
    //|     const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    //|     const unsigned column = blockIdx.y * blockDim.y + threadIdx.y;
    //|     if (row < height && column < width) image[row * width + column] += amount;
    // [/solution]
}
