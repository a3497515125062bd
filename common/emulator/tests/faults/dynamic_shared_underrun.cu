// An index of -1 into dynamic shared memory reads the static array in front of it.
#include "fault_program.cuh"

__global__ void differences(const int* in, int* out, int first) {
    extern __shared__ int values[];
    __shared__ int scale[32];
    const int t = threadIdx.x;
    scale[t] = 1;
    values[t] = in[t];
    __syncthreads();
    if (t >= first) out[t] = (values[t] - values[t - 1]) * scale[t];  // expect out_of_bounds
}

int main() {
#ifdef CORRECTED
    const int first = 1;
#else
    const int first = 0;
#endif
    DeviceData<int> in(std::vector<int>(32, 1));
    DeviceData<int> out(std::vector<int>(32));
    differences<<<1, 32, 32 * sizeof(int)>>>(in.get(), out.get(), first);
    finish();
}
