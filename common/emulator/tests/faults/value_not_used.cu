// A lane may take a value from nowhere, as long as it does not use it: both programs are right.
#include "fault_program.cuh"

__global__ void sum(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    if (t >= n) return;
    int value = in[t];
#ifdef CORRECTED
#pragma unroll 1
#else
#pragma unroll
#endif
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_down_sync(0xffffffffu, value, distance);
        if (t + distance < n) value += other;
    }
    if (t == 0) *out = value;
}

int main() {
    DeviceData<int> in(std::vector<int>(32, 1));
    DeviceData<int> out(std::vector<int>(1));
    sum<<<1, 32>>>(in.get(), out.get(), 27);
    finish();
    return out.values()[0] == 27 ? 0 : 1;
}
