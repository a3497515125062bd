// A grid-stride loop whose step comes out as 0.
// options: --budget 1000000
#include "fault_program.cuh"

__global__ void fill(int* data, int n, int blocks) {
    const int step = blockDim.x * blocks;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)  // expect instruction_budget
        data[i] += 1;
}

int main() {
    DeviceData<int> data(std::vector<int>(1000, 1));
#ifdef CORRECTED
    const int blocks = 2;
#else
    const int blocks = 0;
#endif
    fill<<<2, 32>>>(data.get(), 1000, blocks);
    finish();
}
