// A kernel with dynamic shared memory, launched without any.
#include "fault_program.cuh"

__global__ void reverse(int* data) {
    extern __shared__ int copy[];
    copy[threadIdx.x] = data[threadIdx.x];  // expect out_of_bounds
    __syncthreads();
    data[threadIdx.x] = copy[blockDim.x - 1 - threadIdx.x];
}

int main() {
    DeviceData<int> data(std::vector<int>(64, 1));
#ifdef CORRECTED
    const std::size_t bytes = 64 * sizeof(int);
#else
    const std::size_t bytes = 0;
#endif
    reverse<<<1, 64, bytes>>>(data.get());
    finish();
}
