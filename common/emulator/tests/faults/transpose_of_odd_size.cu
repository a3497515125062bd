// A transpose of 33 x 65 elements by whole tiles of 32 x 32, without guards.
#include "fault_program.cuh"

__global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    const int to_x = blockIdx.y * 32 + threadIdx.x;
    const int to_y = blockIdx.x * 32 + threadIdx.y;
#ifdef CORRECTED
    if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    if (to_x < rows && to_y < columns) out[to_y * rows + to_x] = tile[threadIdx.x][threadIdx.y];
#else
    tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    out[to_y * rows + to_x] = tile[threadIdx.x][threadIdx.y];  // expect out_of_bounds
#endif
}

int main() {
    const int rows = 33;
    const int columns = 65;
    std::vector<float> values(rows * columns);
    for (int i = 0; i < rows * columns; ++i) values[i] = static_cast<float>(i);
    DeviceData<float> in(values);
    DeviceData<float> out(std::vector<float>(rows * columns, -1.0f));
    transpose<<<dim3(3, 2), dim3(32, 32)>>>(in.get(), out.get(), rows, columns);
    finish();
    const std::vector<float> transposed = out.values();
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            if (transposed[x * rows + y] != values[y * columns + x]) return 1;
}
