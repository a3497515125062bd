/// @file
/// @brief The least that a CUDA program does: one launch, and its result. lanes-bench times its start-up.

#include <cstdio>

/// Stores 42.
/// @param out  one element
__global__ void answer(int* out) {
    *out = 42;
}

int main() {
    int* out = nullptr;
    int result = 0;
    cudaError_t error = cudaMalloc(&out, sizeof *out);
    if (error == cudaSuccess) {
        answer<<<1, 1>>>(out);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess) error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess) error = cudaFree(out);
    if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
    return error == cudaSuccess && result == 42 ? 0 : 1;
}
