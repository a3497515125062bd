// A tile loop whose second barrier is missing: a fast warp overwrites the tile that a slow one still reads. The result
// is right as long as the warps take turns at the barrier.
#include "fault_program.cuh"

constexpr int tile = 8;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    float sum = 0.0f;
    for (int begin = 0; begin < n; begin += tile) {
        a_tile[y][x] = a[y * n + begin + x];       // expect race_shared
        b_tile[y][x] = b[(begin + y) * tile + x];  // expect race_shared
        __syncthreads();
        for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];  // expect race_shared
#ifdef CORRECTED
        __syncthreads();
#endif
    }
    c[y * tile + x] = sum;
}

int main() {
    const int n = 3 * tile;
    DeviceData<float> a(std::vector<float>(tile * n, 1.0f));
    DeviceData<float> b(std::vector<float>(n * tile, 2.0f));
    DeviceData<float> c(std::vector<float>(tile * tile));
    multiply<<<1, dim3(tile, tile)>>>(a.get(), b.get(), c.get(), n);
    finish();
    for (const float value : c.values())
        if (value != 2.0f * n) return 1;
}
