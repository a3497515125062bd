// A float4 read from an address that is a multiple of 8 only.
#include "fault_program.cuh"

__global__ void load(const float* in, float4* out, int offset) {
    out[threadIdx.x] = reinterpret_cast<const float4*>(in + offset)[threadIdx.x];  // expect misaligned
}

int main() {
    DeviceData<float> in(std::vector<float>(256, 1.0f));
    DeviceData<float4> out(std::vector<float4>(32));
#ifdef CORRECTED
    const int offset = 4;
#else
    const int offset = 2;
#endif
    load<<<1, 32>>>(in.get(), out.get(), offset);
    finish();
}
