// A barrier for 96 threads in a block of 64.
#include "fault_program.cuh"

__global__ void wait(int* data, int threads) {
    data[threadIdx.x] = 1;
    asm volatile("barrier.sync 1, %0;" ::"r"(threads) : "memory");  // expect barrier_divergence
    data[threadIdx.x] += 1;
}

int main() {
#ifdef CORRECTED
    const int threads = 64;
#else
    const int threads = 96;
#endif
    DeviceData<int> data(std::vector<int>(64));
    wait<<<1, 64>>>(data.get(), threads);
    finish();
}
