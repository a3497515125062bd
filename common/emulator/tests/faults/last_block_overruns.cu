// A length that is no multiple of the block, and no guard.
#include "fault_program.cuh"

__global__ void increment(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef CORRECTED
    if (i >= n) return;
#endif
    data[i] += n;  // expect out_of_bounds
}

int main() {
    DeviceData<int> data(std::vector<int>(100, 1));
    increment<<<2, 64>>>(data.get(), 100);
    finish();
}
