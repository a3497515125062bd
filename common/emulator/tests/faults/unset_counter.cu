// Counts into device memory that nobody has set to 0.
#include "fault_program.cuh"

__global__ void count(const int* in, int* counter) {
    if (in[threadIdx.x] > 0) atomicAdd(counter, 1);  // expect uninitialized_read
}

int main() {
    DeviceData<int> in(std::vector<int>(32, 1));
    int* counter = nullptr;
    require(cudaMalloc(&counter, sizeof(int)));
#ifdef CORRECTED
    require(cudaMemset(counter, 0, sizeof(int)));
#endif
    count<<<1, 32>>>(in.get(), counter);
    finish();
    require(cudaFree(counter));
}
