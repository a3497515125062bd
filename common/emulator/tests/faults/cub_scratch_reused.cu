// Two reductions of CUB in the same storage without a barrier between them. The race is inside of CUB; its lines are
// those of the calls.
#include "fault_program.cuh"

#include <cub/block/block_reduce.cuh>

struct Larger {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void sums(const int* in, int* out) {
    using Reduce = cub::BlockReduce<int, 128>;
    __shared__ typename Reduce::TempStorage storage;
    const int value = in[threadIdx.x];
    const int sum = Reduce(storage).Sum(value);  // expect race_shared
#ifdef CORRECTED
    __syncthreads();
#endif
    const int largest = Reduce(storage).Reduce(value, Larger());  // expect race_shared
    if (threadIdx.x == 0) *out = sum + largest;
}

int main() {
    DeviceData<int> in(std::vector<int>(128, 1));
    DeviceData<int> out(std::vector<int>(1));
    sums<<<1, 128>>>(in.get(), out.get());
    finish();
}
