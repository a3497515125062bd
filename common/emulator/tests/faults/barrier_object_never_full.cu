// A barrier object that expects one thread more than the block has. Nobody gets on; the loop that waits is in a header.
// options: --budget 10000000
#include "fault_program.cuh"

#include <cuda/barrier>

__global__ void wait(int* data) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
#ifdef CORRECTED
    const unsigned threads = blockDim.x;
#else
    const unsigned threads = blockDim.x + 1;
#endif
    if (threadIdx.x == 0) init(&barrier, threads);
    __syncthreads();
    data[threadIdx.x] = 1;
    barrier.arrive_and_wait();  // expect instruction_budget
    data[threadIdx.x] += 1;
}

int main() {
    DeviceData<int> data(std::vector<int>(64));
    wait<<<1, 64>>>(data.get());
    finish();
}
