// What cp.async copies is read behind a barrier, but nobody has waited for the copy.
#include "fault_program.cuh"

#include <cuda_pipeline.h>

__global__ void reverse(const int* in, int* out) {
    __shared__ int values[64];
    const int t = threadIdx.x;
    values[t] = 0;
    __syncthreads();
    __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // expect race_shared
    __pipeline_commit();
#ifdef CORRECTED
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    out[t] = values[63 - t];  // expect race_shared
    __pipeline_wait_prior(0);
}

int main() {
    DeviceData<int> in(std::vector<int>(64, 1));
    DeviceData<int> out(std::vector<int>(64));
    reverse<<<1, 64>>>(in.get(), out.get());
    finish();
}
