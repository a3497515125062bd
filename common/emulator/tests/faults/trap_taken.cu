// A kernel that stops itself.
#include "fault_program.cuh"

__global__ void check(const int* in, int limit) {
    if (in[threadIdx.x] >= limit) __trap();  // expect trap
}

int main() {
#ifdef CORRECTED
    const int limit = 2;
#else
    const int limit = 1;
#endif
    DeviceData<int> in(std::vector<int>(64, 1));
    check<<<1, 64>>>(in.get(), limit);
    finish();
}
