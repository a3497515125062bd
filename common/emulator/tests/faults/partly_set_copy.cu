// Copies an array on the device of which only the first half was ever set. The copy is set as far, and no further.
#include "fault_program.cuh"

__global__ void read(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // expect uninitialized_read
}

int main() {
    int* half_set = nullptr;
    int* copy = nullptr;
    require(cudaMalloc(&half_set, 64 * sizeof(int)));
    require(cudaMalloc(&copy, 64 * sizeof(int)));
    require(cudaMemset(half_set, 0, 32 * sizeof(int)));
    require(cudaMemcpy(copy, half_set, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
    DeviceData<int> out(std::vector<int>(32));
#ifdef CORRECTED
    read<<<1, 32>>>(copy, out.get());
#else
    read<<<1, 32>>>(copy + 32, out.get());
#endif
    finish();
    require(cudaFree(half_set));
    require(cudaFree(copy));
}
