// A counter behind a lock that does not lock.
#include "fault_program.cuh"

__global__ void count(int* lock, int* counter) {
    bool done = false;
    while (!done) {
#ifdef CORRECTED
        const bool entered = atomicCAS(lock, 0, 1) == 0;
#else
        const bool entered = atomicAdd(lock, 0) == 0;
#endif
        if (entered) {
            __threadfence();
            *counter += 1;  // expect race_global
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

int main() {
    DeviceData<int> lock(std::vector<int>(1));
    DeviceData<int> counter(std::vector<int>(1));
    count<<<3, 64>>>(lock.get(), counter.get());
    finish();
#ifdef CORRECTED
    return counter.values()[0] == 3 * 64 ? 0 : 1;
#endif
}
