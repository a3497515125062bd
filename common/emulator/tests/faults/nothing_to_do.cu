// No elements: a kernel over an empty grid is refused, and a program that looks first does nothing.
// without a line: invalid_launch
#include "fault_program.cuh"

__global__ void increment(int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] += 1;
}

void increment_all(int* data, int n) {
    const int blocks = (n + 255) / 256;
#ifdef CORRECTED
    if (n == 0) return;
#endif
    increment<<<blocks, 256>>>(data, n);
}

int main() {
    DeviceData<int> data(std::vector<int>(1, 1));
    increment_all(data.get(), 1);
    increment_all(data.get(), 0);
    cudaGetLastError();
    require(cudaDeviceSynchronize());
    return data.values()[0] == 2 ? 0 : 1;
}
