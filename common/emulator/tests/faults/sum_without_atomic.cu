// All blocks add to one word without an atomic operation.
#include "fault_program.cuh"

__global__ void sum(const int* in, int* out) {
#ifdef CORRECTED
    atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
#else
    *out += in[blockIdx.x * blockDim.x + threadIdx.x];  // expect race_global
#endif
}

int main() {
    DeviceData<int> in(std::vector<int>(64, 1));
    DeviceData<int> out(std::vector<int>(1));
    sum<<<2, 32>>>(in.get(), out.get());
    finish();
}
