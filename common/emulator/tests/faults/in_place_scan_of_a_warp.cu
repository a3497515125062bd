// The same in one warp: its lanes are in no order either.
#include "fault_program.cuh"

__global__ void scan(int* data) {
    __shared__ int sums[32];
    const int t = threadIdx.x;
    sums[t] = data[t];
    __syncwarp();
    for (int distance = 1; distance < 32; distance *= 2) {
#ifdef CORRECTED
        const int before = t >= distance ? sums[t - distance] : 0;
        __syncwarp();
        sums[t] += before;
#else
        if (t >= distance) sums[t] += sums[t - distance];  // expect race_shared
#endif
        __syncwarp();
    }
    data[t] = sums[t];
}

int main() {
    DeviceData<int> data(std::vector<int>(32, 1));
    scan<<<1, 32>>>(data.get());
    finish();
}
