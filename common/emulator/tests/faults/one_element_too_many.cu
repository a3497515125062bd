// One element, and a loop that vectorises by two.
#include "fault_program.cuh"

__global__ void copy(const int2* in, int2* out, int pairs) {
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) out[i] = in[i];  // expect out_of_bounds
}

int main() {
    const int n = 1;
#ifdef CORRECTED
    const int pairs = n / 2;
#else
    const int pairs = (n + 1) / 2;
#endif
    DeviceData<int> in{std::vector<int>(n, 1)};
    DeviceData<int> out{std::vector<int>(n)};
    copy<<<1, 32>>>(reinterpret_cast<const int2*>(in.get()), reinterpret_cast<int2*>(out.get()), pairs);
    finish();
}
