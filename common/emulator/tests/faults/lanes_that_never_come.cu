// Both halves of a warp name all its lanes, and wait for each other at different places.
#include "fault_program.cuh"

__global__ void wait(const int* in, int* out) {
    const int t = threadIdx.x;
#ifdef CORRECTED
    const unsigned low = 0x0000ffffu;
    const unsigned high = 0xffff0000u;
#else
    const unsigned low = 0xffffffffu;
    const unsigned high = 0xffffffffu;
#endif
    if (t < 16) {
        out[t] = __shfl_sync(low, in[t], 0);  // expect invalid_mask
    } else {
        out[t] = static_cast<int>(__ballot_sync(high, in[t] != 0));  // expect invalid_mask
    }
}

int main() {
    DeviceData<int> in(std::vector<int>(32, 1));
    DeviceData<int> out(std::vector<int>(32));
    wait<<<1, 32>>>(in.get(), out.get());
    finish();
}
