#include "kernels.cuh"

#include <cooperative_groups.h>

#undef NDEBUG  // these kernels test assert in optimised builds too
#include <cassert>
#include <cstdio>

__device__ int thread_counter;
__constant__ float constant_factors[4];
__managed__ int managed_counter = 40;
__device__ int device_number = 5;
__constant__ int constant_number = 6;
__managed__ int managed_number = 7;
__device__ int* number_pointer = &device_number;

__global__ void vector_add(const float* left, const float* right, float* output, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) output[i] = left[i] + right[i];
}

__global__ void sum_blocks(const int* input, int* total, int count) {
    __shared__ int partial[8];
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int value = i < count ? input[i] : 0;
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int warp = 0; warp < static_cast<int>(blockDim.x / 32); ++warp) sum += partial[warp];
    atomicAdd(total, sum);
}

__global__ void reverse_dynamic(int* values, int count) {
    extern __shared__ int buffer[];
    const int i = static_cast<int>(threadIdx.x);
    buffer[i] = values[i];
    __syncthreads();
    values[i] = buffer[count - 1 - i];
}

__global__ void apply_constants(float* output) {
    output[threadIdx.x] = constant_factors[threadIdx.x] * 2.0f;
}

__global__ void count_threads() {
    atomicAdd(&thread_counter, 1);
}

__global__ void bump_managed() {
    ++managed_counter;
}

__global__ void print_lines() {
    printf("device line %d\n", static_cast<int>(threadIdx.x));
}

__global__ void write_to(int* where) {
    *where = 1;
}

__global__ void write_misaligned(char* buffer) {
    *reinterpret_cast<int*>(buffer + 1) = 1;
}

__global__ void fail_assertion() {
    assert(threadIdx.x != 1);
}

__global__ void execute_trap() {
    __trap();
}

__global__ void loop_forever(volatile int* flag) {
    while (*flag == 0) {
    }
}

__global__ void do_nothing() {}

__global__ void __launch_bounds__(128) do_nothing_small() {}

__global__ void add_by_value(ManyNumbers numbers, short small, double* output) {
    double sum = numbers.tag + small;
    for (const double value : numbers.values) sum += value;
    *output = sum;
}

__global__ void append_digit(int* value, int digit) {
    *value = *value * 10 + digit;
}

__global__ void add_neighbours(int* values, int* scratch, int rounds) {
    const auto grid = cooperative_groups::this_grid();
    const auto mine = static_cast<unsigned>(grid.thread_rank());
    const auto next = static_cast<unsigned>((mine + 1) % grid.size());
    for (int round = 0; round < rounds; ++round) {
        scratch[mine] = values[mine] + values[next];
        grid.sync();
        values[mine] = scratch[mine];
        grid.sync();
    }
}

__global__ void leave_the_grid(int* values) {
    if (blockIdx.x + 1 == gridDim.x) return;
    cooperative_groups::this_grid().sync();
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void read_texture(cudaTextureObject_t texture, float* output) {
    output[0] = tex2D<float>(texture, 0.5f, 0.5f);
}

__global__ void use_numbers(int* output) {
    output[0] = *number_pointer;
    output[1] = constant_number;
    output[2] = managed_number;
    device_number = 100;
    managed_number = 100;
}
