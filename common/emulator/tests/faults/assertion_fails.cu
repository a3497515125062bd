// An assertion that does not hold in one thread.
#include "fault_program.cuh"

#undef NDEBUG
#include <cassert>

__global__ void check(const int* in, int limit) {
    assert(in[threadIdx.x] < limit);  // expect assert
}

int main() {
    std::vector<int> values(64, 1);
    values[40] = 5;
#ifdef CORRECTED
    const int limit = 6;
#else
    const int limit = 5;
#endif
    DeviceData<int> in(values);
    check<<<1, 64>>>(in.get(), limit);
    finish();
}
