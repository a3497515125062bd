// A sum by shuffles over a block whose last warp is not full: lanes take values from lanes that do not exist.
#include "fault_program.cuh"

__global__ void sum(const int* in, int* out) {
    int value = in[threadIdx.x];
#ifdef CORRECTED
    for (int distance = 16; distance > 0; distance /= 2) {
        const unsigned lane = threadIdx.x % 32;
        const bool there = lane + distance < 32 && threadIdx.x + distance < blockDim.x;
        const int other = __shfl_sync(__activemask(), value, there ? lane + distance : lane);
        value += there ? other : 0;
    }
#else
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);  // expect invalid_mask
#endif
    if (threadIdx.x % 32 == 0) atomicAdd(out, value);
}

int main() {
    DeviceData<int> in(std::vector<int>(159, 1));
    DeviceData<int> out(std::vector<int>(1));
    sum<<<1, 159>>>(in.get(), out.get());
    finish();
    return out.values()[0] == 159 ? 0 : 1;
}
