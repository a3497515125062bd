/// @file
/// @brief Kernels that the tests launch, with a host function for each.
#pragma once

#include <cuda_runtime.h>

/// output[i] = left[i] + right[i].
__global__ void vector_add(const float* left, const float* right, float* output, int count);
/// *total += the sum of the input: shared memory, then shuffles, then one atomic a block.
__global__ void sum_blocks(const int* input, int* total, int count);
/// Reverses 256 numbers in dynamic shared memory.
__global__ void reverse_dynamic(int* values, int count);
/// *output = factor of the module * input.
__global__ void apply_constants(float* output);
/// Adds 1 to the module's counter in every thread.
__global__ void count_threads();
/// Adds 1 to the managed variable.
__global__ void bump_managed();
/// Prints a line a thread.
__global__ void print_lines();
/// Writes one number where it is told.
__global__ void write_to(int* where);
/// Writes an int at an address that is no multiple of 4.
__global__ void write_misaligned(char* buffer);
/// Fails an assertion in thread 1.
__global__ void fail_assertion();
/// Executes a trap.
__global__ void execute_trap();
/// Never ends.
__global__ void loop_forever(volatile int* flag);
/// Does nothing.
__global__ void do_nothing();
/// Does nothing with at most 128 threads.
__global__ void __launch_bounds__(128) do_nothing_small();
/// Adds 64 arguments' worth of numbers passed by value.
struct ManyNumbers {
    double values[32];  ///< numbers to add
    char tag;           ///< makes the size no multiple of 8
};
/// *output = sum of the numbers + the tag.
__global__ void add_by_value(ManyNumbers numbers, short small, double* output);

/// *value = *value * 10 + digit: shows in which order launches ran.
__global__ void append_digit(int* value, int digit);
/// Sums over the whole grid: each thread adds its right neighbour's number to its own, after grid.sync(), `rounds`
/// times.
__global__ void add_neighbours(int* values, int* scratch, int rounds);
/// The last block ends before the others reach grid.sync().
__global__ void leave_the_grid(int* values);
/// output[0] = the texture at (0.5, 0.5).
__global__ void read_texture(cudaTextureObject_t texture, float* output);
/// output = {device_number, constant_number, managed_number}, and sets the first and the last to 100.
__global__ void use_numbers(int* output);

extern __device__ int device_number;      ///< 5 at first
extern __constant__ int constant_number;  ///< 6 at first
extern __managed__ int managed_number;    ///< 7 at first
extern __device__ int* number_pointer;    ///< &device_number at first

extern __device__ int thread_counter;           ///< of count_threads
extern __constant__ float constant_factors[4];  ///< of apply_constants
extern __managed__ int managed_counter;         ///< of bump_managed
