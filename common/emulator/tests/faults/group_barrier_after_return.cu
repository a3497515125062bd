// The barrier of cooperative groups behind a return: the line is that of the call, not of the header.
#include "fault_program.cuh"

#include <cooperative_groups.h>

__global__ void increment(int* data, int n) {
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    const int t = threadIdx.x;
#ifdef CORRECTED
    if (t < n) data[t] += 1;
    block.sync();
#else
    if (t >= n) return;
    data[t] += 1;
    block.sync();  // expect barrier_after_exit
#endif
    if (t < n) data[t] *= 2;
}  // expect barrier_after_exit

int main() {
    DeviceData<int> data(std::vector<int>(64, 1));
    increment<<<1, 64>>>(data.get(), 40);
    finish();
}
