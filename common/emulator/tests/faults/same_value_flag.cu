// Many threads write the same value to one word: a race on paper. It is reported when asked for.
// options: --checks all,same_value_writes
#include "fault_program.cuh"

__global__ void any_negative(const int* in, int* found) {
#ifdef CORRECTED
    if (__syncthreads_or(in[threadIdx.x] < 0) && threadIdx.x == 0) *found = 1;
#else
    if (in[threadIdx.x] < 0) *found = 1;  // expect race_global
#endif
}

int main() {
    DeviceData<int> in(std::vector<int>(64, -1));
    DeviceData<int> found(std::vector<int>(1));
    any_negative<<<1, 64>>>(in.get(), found.get());
    finish();
    return found.values()[0] == 1 ? 0 : 1;
}
