// A grid and a block of impossible sizes. The program handles both errors, and the report lists them all the same.
// without a line: invalid_launch
#include "fault_program.cuh"

__global__ void fill(int* out) {
    out[0] = 1;
}

int main() {
    DeviceData<int> out(std::vector<int>(1, -1));
#ifdef CORRECTED
    const dim3 shapes[][2] = {{dim3(1), dim3(1024)}, {dim3(1, 65535), dim3(1)}};
#else
    const dim3 shapes[][2] = {{dim3(1), dim3(1025)}, {dim3(1, 65536), dim3(1)}, {dim3(0), dim3(32)}};
#endif
    bool all_ran = true;
    for (const auto& shape : shapes) {
        fill<<<shape[0], shape[1]>>>(out.get());
        all_ran = cudaGetLastError() == cudaSuccess && all_ran;
    }
    require(cudaDeviceSynchronize());
    return (out.values()[0] == 1) == all_ran ? 0 : 1;
}
