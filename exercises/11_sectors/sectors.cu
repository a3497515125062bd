// Exercise 1.1: sectors before you run. See README.md here, then: lanes check 11_sectors
//
// Fill in the constants: how many sectors does one request to load move, when a full warp makes it? All arrays start at
// a multiple of 256 bytes. Leave the kernels as they are.

/// Every second float, beginning with the second.
__global__ void copy_odd(const float* in, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i + 1];
}
__constant__ int copy_odd_sectors = -1;

/// Every float twice.
__global__ void copy_twice(const float* in, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i / 2];
}
__constant__ int copy_twice_sectors = -1;

/// The 32 floats of each warp, backwards.
__global__ void copy_backwards(const float* in, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i / 32 * 32 + 31 - i % 32];
}
__constant__ int copy_backwards_sectors = -1;

/// Numbers of 8 bytes.
__global__ void copy_doubles(const double* in, double* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
__constant__ int copy_doubles_sectors = -1;

/// The first member of records of nine floats.
__global__ void copy_first_of_nine(const float* in, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[9 * i];
}
__constant__ int copy_first_of_nine_sectors = -1;
