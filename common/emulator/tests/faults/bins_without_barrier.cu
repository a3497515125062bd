// The bins of a histogram are set to 0 and counted into, without a barrier between the two.
#include "fault_program.cuh"

__global__ void histogram(const int* in, int* out) {
    __shared__ int bins[16];
    const int t = threadIdx.x;
    if (t < 16) bins[t] = -1;
    __syncthreads();
    if (t < 16) bins[t] = 0;  // expect race_shared
#ifdef CORRECTED
    __syncthreads();
#endif
    atomicAdd(&bins[in[t]], 1);  // expect race_shared
    __syncthreads();
    if (t < 16) out[t] = bins[t];
}

int main() {
    DeviceData<int> in(std::vector<int>(64));
    DeviceData<int> out(std::vector<int>(16));
    histogram<<<1, 64>>>(in.get(), out.get());
    finish();
}
