// Thirty-two lanes call a shuffle whose mask names sixteen of them.
#include "fault_program.cuh"

__global__ void exchange(const int* in, int* out) {
#ifdef CORRECTED
    const unsigned mask = 0xffffffffu;
#else
    const unsigned mask = 0x0000ffffu;
#endif
    out[threadIdx.x] = __shfl_xor_sync(mask, in[threadIdx.x], 1);  // expect invalid_mask
}

int main() {
    DeviceData<int> in(std::vector<int>(32, 1));
    DeviceData<int> out(std::vector<int>(32));
    exchange<<<1, 32>>>(in.get(), out.get());
    finish();
}
