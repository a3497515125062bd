// A row too many of a tile lands in the tile behind it: the bytes are shared memory, but not of the variable indexed.
#include "fault_program.cuh"

constexpr int tile = 16;

__global__ void add_rows(const float* in, float* out, int first) {
    __shared__ float a_tile[tile][tile];
    __shared__ float b_tile[tile][tile];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    b_tile[y][x] = in[y * tile + x];
    __syncthreads();
    a_tile[y + first][x] = in[y * tile + x];  // expect out_of_bounds
    __syncthreads();
    out[y * tile + x] = a_tile[y][x] + b_tile[y][x];
}

int main() {
#ifdef CORRECTED
    const int first = 0;
#else
    const int first = 1;
#endif
    DeviceData<float> in(std::vector<float>(tile * tile, 1.0f));
    DeviceData<float> out(std::vector<float>(tile * tile));
    add_rows<<<1, dim3(tile, tile)>>>(in.get(), out.get(), first);
    finish();
}
