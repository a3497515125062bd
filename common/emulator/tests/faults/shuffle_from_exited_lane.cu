// Half of a warp returns, and the others take the values of those that are gone. A mask may name lanes that have left,
// and lanes that never were: only taking a value from them is a mistake.
#include "fault_program.cuh"

__global__ void neighbours(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    const int value = in[t];
    __syncwarp(0xffffffffu);
    if (t >= n) return;
#ifdef CORRECTED
    const int source = t + 1 < n ? t + 1 : 0;
#else
    const int source = t + 1;
#endif
    out[t] = __shfl_sync(0xffffffffu, value, source);  // expect invalid_mask
}

int main() {
    DeviceData<int> in(std::vector<int>(24, 1));
    DeviceData<int> out(std::vector<int>(24));
    neighbours<<<1, 24>>>(in.get(), out.get(), 16);
    finish();
}
