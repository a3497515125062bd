// Kernels whose fat binaries the tests read.
__constant__ float factors[4];

__global__ void scale(const float* input, float* output, int count) {
    __shared__ float tile[256];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    tile[threadIdx.x] = i < count ? input[i] * factors[i % 4] : 0.0f;
    __syncthreads();
    if (i < count) output[i] = tile[255 - threadIdx.x];
}

// Indexed by data, so that the array stays in local memory.
__global__ void shuffle_locally(int* values) {
    int local[100];
    for (int i = 0; i < 100; ++i) local[i] = values[i];
    values[0] = local[values[1] % 100];
}
