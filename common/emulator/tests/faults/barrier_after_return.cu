// Threads past the end return before the barrier, and never write what their neighbours read behind it.
#include "fault_program.cuh"

__global__ void neighbours(const int* in, int* out, int n) {
    __shared__ int values[64];
    const int t = threadIdx.x;
#ifdef CORRECTED
    values[t] = t < n ? in[t] : 0;
    __syncthreads();
    if (t < n) out[t] = values[(t + 1) % 64];
#else
    if (t >= n) return;
    values[t] = in[t];
    __syncthreads();                // expect barrier_after_exit
    out[t] = values[(t + 1) % 64];  // expect uninitialized_read
#endif
}  // expect barrier_after_exit

int main() {
    DeviceData<int> in(std::vector<int>(40, 1));
    DeviceData<int> out(std::vector<int>(40));
    neighbours<<<1, 64>>>(in.get(), out.get(), 40);
    finish();
}
