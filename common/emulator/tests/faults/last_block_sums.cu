// The last block to finish adds what all have left, but nothing says that they had written it.
#include "fault_program.cuh"

__device__ unsigned finished = 0;

__global__ void sum(const int* in, int* partial, int* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = in[blockIdx.x];  // expect race_global
#ifdef CORRECTED
        __threadfence();
#endif
        last = atomicAdd(&finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];  // expect race_global
    *out = total;
}

int main() {
    DeviceData<int> in(std::vector<int>(8, 1));
    DeviceData<int> partial(std::vector<int>(8));
    DeviceData<int> out(std::vector<int>(1));
    sum<<<8, 32>>>(in.get(), partial.get(), out.get());
    finish();
    return out.values()[0] == 8 ? 0 : 1;
}
