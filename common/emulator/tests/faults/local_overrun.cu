// One element too many of an array that each thread has for itself.
#include "fault_program.cuh"

constexpr int places = 8;

__global__ void count(const int* in, int* out, int last) {
    int counts[places];
    for (int i = 0; i <= last; ++i) {
        counts[i] = in[i];  // expect out_of_bounds
    }
    int sum = 0;
    for (int i = 0; i < places; ++i) sum += counts[(i * last) % places];
    out[threadIdx.x] = sum;
}

int main() {
#ifdef CORRECTED
    const int last = places - 1;
#else
    const int last = places;
#endif
    const DeviceData<int> in{std::vector<int>(places + 1, 1)};
    const DeviceData<int> out{std::vector<int>(32)};
    count<<<1, 32>>>(in.get(), out.get(), last);
    finish();
}
