// A histogram in shared memory whose bins nobody has set to 0.
#include "fault_program.cuh"

__global__ void histogram(const int* in, int* out) {
    __shared__ int bins[32];
#ifdef CORRECTED
    bins[threadIdx.x] = 0;
    __syncthreads();
#endif
    atomicAdd(&bins[in[threadIdx.x]], 1);  // expect uninitialized_read
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];  // expect uninitialized_read
}

int main() {
    std::vector<int> values(32);
    for (int i = 0; i < 32; ++i) values[i] = i / 2;
    DeviceData<int> in(values);
    DeviceData<int> out(std::vector<int>(32));
    histogram<<<1, 32>>>(in.get(), out.get());
    finish();
}
