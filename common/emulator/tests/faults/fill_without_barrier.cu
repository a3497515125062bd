// Thread 0 fills a word of shared memory and all read it, with no barrier between.
#include "fault_program.cuh"

__global__ void broadcast(const int* in, int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = in[0];  // expect race_shared
#ifdef CORRECTED
    __syncthreads();
#endif
    out[threadIdx.x] = value;  // expect race_shared uninitialized_read
}

int main() {
    DeviceData<int> in(std::vector<int>(1, 7));
    DeviceData<int> out(std::vector<int>(64));
    broadcast<<<1, 64>>>(in.get(), out.get());
    finish();
}
