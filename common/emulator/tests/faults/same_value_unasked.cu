// The same without asking: silence, with a flag and with a vote.
#include "fault_program.cuh"

__global__ void any_negative(const int* in, int* found) {
#ifdef CORRECTED
    if (__syncthreads_or(in[threadIdx.x] < 0) && threadIdx.x == 0) *found = 1;
#else
    if (in[threadIdx.x] < 0) *found = 1;
#endif
}

int main() {
    DeviceData<int> in(std::vector<int>(64, -1));
    DeviceData<int> found(std::vector<int>(1));
    any_negative<<<1, 64>>>(in.get(), found.get());
    finish();
    return found.values()[0] == 1 ? 0 : 1;
}
