// A loop with a barrier that one warp leaves early: the other waits at it until the first has left the kernel.
#include "fault_program.cuh"

__global__ void turns(int* data, int n) {
    const int t = threadIdx.x;
#ifdef CORRECTED
    const int count = n;
#else
    const int count = t < 32 ? n + 1 : n;
#endif
    for (int turn = 0; turn < count; ++turn) {
        data[t] += turn;
        __syncthreads();  // expect barrier_after_exit
    }
}  // expect barrier_after_exit

int main() {
    DeviceData<int> data(std::vector<int>(64, 1));
    turns<<<1, 64>>>(data.get(), 3);
    finish();
}
