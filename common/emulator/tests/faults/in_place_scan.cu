// A scan in place with one barrier a step: a thread reads its neighbour's sum while the neighbour replaces it.
#include "fault_program.cuh"

__global__ void scan(int* data) {
    __shared__ int sums[64];
    const int t = threadIdx.x;
    sums[t] = data[t];
    __syncthreads();
    for (int distance = 1; distance < 64; distance *= 2) {
#ifdef CORRECTED
        const int before = t >= distance ? sums[t - distance] : 0;
        __syncthreads();
        sums[t] += before;
#else
        if (t >= distance) sums[t] += sums[t - distance];  // expect race_shared
#endif
        __syncthreads();
    }
    data[t] = sums[t];
}

int main() {
    DeviceData<int> data(std::vector<int>(64, 1));
    scan<<<1, 64>>>(data.get());
    finish();
}
