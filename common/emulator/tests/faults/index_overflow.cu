// An index that needs more than 32 bits. The block number is a parameter, so that no giant grid has to run.
#include "fault_program.cuh"

__global__ void fill(char* data, unsigned first_block) {
    const unsigned block = first_block + blockIdx.x;
#ifdef CORRECTED
    const std::size_t i = (std::size_t{block} * blockDim.x + threadIdx.x) % 256;
#else
    const int i = static_cast<int>(block * blockDim.x + threadIdx.x);
#endif
    data[i] = 1;  // expect out_of_bounds
}

int main() {
    DeviceData<char> data(std::vector<char>(256));
    fill<<<1, 256>>>(data.get(), 1u << 23);
    finish();
}
