// Two block reductions, a sum and then a maximum, with one scratch array: the second may begin to fill it while a slow
// thread still reads the result of the first.
#include "fault_program.cuh"

__device__ int reduce_sum(int* scratch, int value) {
    const int t = threadIdx.x;
    scratch[t] = value;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) scratch[t] += scratch[t + half];
        __syncthreads();
    }
    return scratch[0];  // expect race_shared
}

__device__ int reduce_maximum(int* scratch, int value) {
    const int t = threadIdx.x;
#ifdef CORRECTED
    __syncthreads();
#endif
    scratch[t] = value;  // expect race_shared
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) scratch[t] = max(scratch[t], scratch[t + half]);
        __syncthreads();
    }
    return scratch[0];
}

__global__ void reduce(const int* in, int* out) {
    __shared__ int scratch[64];
    const int value = in[threadIdx.x];
    const int sum = reduce_sum(scratch, value);
    const int maximum = reduce_maximum(scratch, value);
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = maximum;
    }
}

int main() {
    std::vector<int> values(64);
    for (int i = 0; i < 64; ++i) values[i] = i;
    DeviceData<int> in(values);
    DeviceData<int> out(std::vector<int>(2));
    reduce<<<1, 64>>>(in.get(), out.get());
    finish();
}
