// The first thread sets a total in device memory to 0, and all add to it, in no order.
#include "fault_program.cuh"

__global__ void sum(const int* in, int* total) {
#ifdef CORRECTED
    if (threadIdx.x == 0) *total = 0;
    __syncthreads();
#else
    if (threadIdx.x == 0) *total = 0;  // expect race_global
#endif
    atomicAdd(total, in[threadIdx.x]);  // expect race_global
}

int main() {
    DeviceData<int> in(std::vector<int>(64, 1));
    DeviceData<int> total(std::vector<int>(1, -1));
    sum<<<1, 64>>>(in.get(), total.get());
    finish();
}
