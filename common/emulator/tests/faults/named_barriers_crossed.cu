// Two warps wait for each other at two barriers.
#include "fault_program.cuh"

__global__ void cross(int* data) {
#ifdef CORRECTED
    const int second = 1;
#else
    const int second = 2;
#endif
    if (threadIdx.x < 32) {
        data[threadIdx.x] = 1;
        asm volatile("barrier.sync 1, 64;" ::: "memory");  // expect barrier_divergence
    } else {
        data[threadIdx.x] = 2;
        asm volatile("barrier.sync %0, 64;" ::"r"(second) : "memory");  // expect barrier_divergence
    }
}

int main() {
    DeviceData<int> data(std::vector<int>(64));
    cross<<<1, 64>>>(data.get());
    finish();
}
