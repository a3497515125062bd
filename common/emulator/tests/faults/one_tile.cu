// With a single tile nothing is overwritten: one barrier is enough, and nothing may be reported.
#include "fault_program.cuh"

constexpr int tile = 8;

__global__ void multiply(const float* a, const float* b, float* c) {
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    a_tile[y][x] = a[y * tile + x];
    b_tile[y][x] = b[y * tile + x];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    c[y * tile + x] = sum;
}

int main() {
    DeviceData<float> a(std::vector<float>(tile * tile, 1.0f));
    DeviceData<float> b(std::vector<float>(tile * tile, 2.0f));
    DeviceData<float> c(std::vector<float>(tile * tile));
    multiply<<<1, dim3(tile, tile)>>>(a.get(), b.get(), c.get());
    finish();
    for (const float value : c.values())
        if (value != 2.0f * tile) return 1;
}
