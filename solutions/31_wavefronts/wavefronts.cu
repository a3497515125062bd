// Exercise 3.1: wavefronts before you run. See README.md here, then: lanes check 31_wavefronts
//
// Fill in the constants: how many wavefronts does one load from shared memory take, when a full warp makes it? Each
// kernel is launched with one block. Leave the kernels as they are.

/// Every second float. 32 threads.
__global__ void every_second(const float* in, float* out) {
    __shared__ float buffer[64];
    buffer[threadIdx.x] = in[threadIdx.x];
    buffer[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncthreads();
    out[threadIdx.x] = buffer[2 * threadIdx.x];
}
// [solution]
__constant__ int every_second_wavefronts = 2;
// [skeleton]
//| __constant__ int every_second_wavefronts = -1;
// [/solution]

/// A float that all lanes share, and one of their own for each half of the warp. 32 threads.
__global__ void two_words(const float* in, float* out) {
    __shared__ float buffer[64];
    buffer[threadIdx.x] = in[threadIdx.x];
    buffer[threadIdx.x + 32] = in[threadIdx.x + 32];
    __syncthreads();
    out[threadIdx.x] = buffer[threadIdx.x / 16 * 32];
}
// [solution]
__constant__ int two_words_wavefronts = 2;
// [skeleton]
//| __constant__ int two_words_wavefronts = -1;
// [/solution]

/// Four floats a lane. 32 threads.
__global__ void four_floats(const float4* in, float4* out) {
    __shared__ float4 buffer[32];
    buffer[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = buffer[31 - threadIdx.x];
}
// [solution]
__constant__ int four_floats_wavefronts = 4;
// [skeleton]
//| __constant__ int four_floats_wavefronts = -1;
// [/solution]

/// A column of doubles, in rows of 33. 32 threads.
__global__ void column_of_doubles(const double* in, double* out) {
    __shared__ double tile[32 * 33];
    for (unsigned i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * 33 + 5];
}
// [solution]
__constant__ int column_of_doubles_wavefronts = 2;
// [skeleton]
//| __constant__ int column_of_doubles_wavefronts = -1;
// [/solution]

/// A tile of 16 x 16 floats, padded to 17, read across its rows. 16 x 16 threads.
__global__ void sixteen_padded(const float* in, float* out) {
    __shared__ float tile[16][17];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// [solution]
__constant__ int sixteen_padded_wavefronts = 2;
// [skeleton]
//| __constant__ int sixteen_padded_wavefronts = -1;
// [/solution]
