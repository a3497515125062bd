// Half of the threads take one more turn of a loop with a barrier in it.
#include "fault_program.cuh"

__global__ void turns(int* data, int n) {
    const int t = threadIdx.x;
#ifdef CORRECTED
    const int count = n;
#else
    const int count = t < n / 2 ? n + 1 : n;
#endif
    for (int turn = 0; turn < count; ++turn) {
        data[t] += turn;
        __syncthreads();  // expect barrier_divergence
    }
    __syncthreads();  // expect barrier_divergence
    data[t] *= 2;
}

int main() {
    DeviceData<int> data(std::vector<int>(32, 1));
    turns<<<1, 32>>>(data.get(), 32);
    finish();
}
