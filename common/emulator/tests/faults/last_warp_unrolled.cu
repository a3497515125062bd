// The last steps of a reduction in one warp, without __syncwarp(). The array is read through a pointer that the
// compiler cannot follow, so that the stores remain.
#include "fault_program.cuh"

__device__ void step(int* sums, int t, int distance) {
#ifdef CORRECTED
    const int sum = sums[t] + sums[t + distance];
    __syncwarp();
    sums[t] = sum;
    __syncwarp();
#else
    sums[t] += sums[t + distance];  // expect race_shared
#endif
}

__global__ void sum(const int* in, int* out, int first) {
    extern __shared__ int sums[];
    const int t = threadIdx.x;
    sums[t] = in[t];
    sums[t + 32] = in[t + 32];
    __syncwarp();
    for (int distance = first; distance > 0; distance /= 2) step(sums, t, distance);
    if (t == 0) out[0] = sums[0];
}

int main() {
    DeviceData<int> in(std::vector<int>(64, 1));
    DeviceData<int> out(std::vector<int>(1));
    sum<<<1, 32, 64 * sizeof(int)>>>(in.get(), out.get(), 32);
    finish();
    return out.values()[0] == 64 ? 0 : 1;
}
