// A stencil that writes where its neighbours read, within a block and between blocks.
#include "fault_program.cuh"

__global__ void smooth(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]);  // expect race_global
}

int main() {
    DeviceData<float> data(std::vector<float>(256, 1.0f));
    DeviceData<float> other(std::vector<float>(256, 1.0f));
#ifdef CORRECTED
    smooth<<<4, 64>>>(data.get(), other.get(), 256);
#else
    smooth<<<4, 64>>>(data.get(), data.get(), 256);
#endif
    finish();
}
