// A kernel that reads memory which was freed before the launch.
#include "fault_program.cuh"

__global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x];  // expect use_after_free
}

int main() {
    DeviceData<int> out(std::vector<int>(32));
    int* in = nullptr;
    require(cudaMalloc(&in, 32 * sizeof(int)));
    require(cudaMemset(in, 0, 32 * sizeof(int)));
#ifndef CORRECTED
    require(cudaFree(in));
#endif
    copy<<<1, 32>>>(in, out.get());
    finish();
#ifdef CORRECTED
    require(cudaFree(in));
#endif
}
