// Sums into memory of cudaMalloc that nobody has set.
#include "fault_program.cuh"

__global__ void add(const int* in, int* out) {
    out[threadIdx.x] += in[threadIdx.x];  // expect uninitialized_read
}

__global__ void count(const int* in, int* bins) {
    atomicAdd(&bins[in[threadIdx.x]], 1);  // expect uninitialized_read
}

int main() {
    DeviceData<int> in(std::vector<int>(32, 1));
    int* out = nullptr;
    int* bins = nullptr;
    require(cudaMalloc(&out, 32 * sizeof(int)));
    require(cudaMalloc(&bins, 2 * sizeof(int)));
#ifdef CORRECTED
    require(cudaMemset(out, 0, 32 * sizeof(int)));
    require(cudaMemset(bins, 0, 2 * sizeof(int)));
#endif
    add<<<1, 32>>>(in.get(), out);
    count<<<1, 32>>>(in.get(), bins);
    finish();
    require(cudaFree(out));
    require(cudaFree(bins));
}
