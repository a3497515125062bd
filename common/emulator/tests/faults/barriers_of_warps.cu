// Two warps wait at two __syncthreads(). Hardware counts arrivals and goes on: a warning.
#include "fault_program.cuh"

__global__ void arms(int* data) {
    const int t = threadIdx.x;
#ifdef CORRECTED
    data[t] += t < 32 ? 1 : 2;
    __syncthreads();
#else
    if (t < 32) {
        data[t] += 1;
        __syncthreads();  // expect barrier_divergence
        data[t] *= 2;
    } else {
        data[t] += 2;
        __syncthreads();  // expect barrier_divergence
        data[t] *= 3;
    }
#endif
}

int main() {
    DeviceData<int> data(std::vector<int>(64, 1));
    arms<<<1, 64>>>(data.get());
    finish();
}
