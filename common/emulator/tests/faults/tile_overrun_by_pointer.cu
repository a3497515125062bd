// The same through a generic pointer: the sum of a row reads one element too many.
#include "fault_program.cuh"

__global__ void sum_rows(const int* in, int* out, int columns) {
    __shared__ int values[32];
    __shared__ int weights[32];
    values[threadIdx.x] = in[threadIdx.x];
    weights[threadIdx.x] = 1;
    __syncthreads();
    const volatile int* row = &values[threadIdx.x / 8 * 8];
    int sum = 0;
    for (int i = 0; i < columns; ++i) sum += row[i];  // expect out_of_bounds
    out[threadIdx.x] = sum + weights[threadIdx.x];
}

int main() {
#ifdef CORRECTED
    const int columns = 8;
#else
    const int columns = 9;
#endif
    DeviceData<int> in(std::vector<int>(32, 1));
    DeviceData<int> out(std::vector<int>(32));
    sum_rows<<<1, 32>>>(in.get(), out.get(), columns);
    finish();
}
