// Many threads write the same value to one word of device memory, and of shared memory: only reported when asked for.
#include "../faults/fault_program.cuh"

__global__ void any_negative(const int* in, int* found) {
    __shared__ bool here;
    here = false;
    __syncthreads();
    if (in[threadIdx.x] < 0) here = true;
    __syncthreads();
    if (here) *found = 1;
}

int main() {
    DeviceData<int> in(std::vector<int>(64, -1));
    DeviceData<int> found(std::vector<int>(1));
    any_negative<<<1, 64>>>(in.get(), found.get());
    finish();
    return found.values()[0] == 1 ? 0 : 1;
}
