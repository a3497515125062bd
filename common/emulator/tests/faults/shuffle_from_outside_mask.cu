// The lower half of a warp shuffles alone, and takes values from the upper half.
#include "fault_program.cuh"

__global__ void halves(const int* in, int* out) {
    const int t = threadIdx.x;
    const int value = in[t];
    if (t >= 16) {
        out[t] = value;
        return;
    }
#ifdef CORRECTED
    out[t] = value + __shfl_down_sync(0x0000ffffu, value, 8, 16);
#else
    out[t] = value + __shfl_down_sync(0x0000ffffu, value, 8);  // expect invalid_mask
#endif
}

int main() {
    DeviceData<int> in(std::vector<int>(32, 1));
    DeviceData<int> out(std::vector<int>(32));
    halves<<<1, 32>>>(in.get(), out.get());
    finish();
}
