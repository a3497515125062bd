// The program that the tests run. Its arguments say what it does: good, call, status, abort, fault, refused, expected,
// endless.
#include <lanes/emulated.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(int* output, int count) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count) output[i] = i;
}

__global__ void spin(volatile int* flag) {
    while (*flag == 0) {
    }
}

namespace {

constexpr int count = 100;

// Launches the kernel without looking at errors, as so many programs do.
void launch(int threads, int elements, int* output) {
    fill<<<4, threads>>>(output, elements);
}

// The same by cudaLaunchKernel, as nvcc of CUDA 12 compiles <<<...>>>.
cudaError_t launch_by_call(int* output) {
    int elements = count;
    void* arguments[] = {&output, &elements};
    return cudaLaunchKernel(reinterpret_cast<const void*>(fill), dim3(4), dim3(32), arguments, 0, nullptr);
}

int print_sum(const int* output) {
    int host[count] = {};
    if (cudaMemcpy(host, output, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    int sum = 0;
    for (const int value : host) sum += value;
    std::printf("sum %d\n", sum);
    return 0;
}

void expect_faults() {
    const auto function =
        reinterpret_cast<decltype(&lanesEmulatorExpectFaults)>(dlsym(RTLD_DEFAULT, "lanesEmulatorExpectFaults"));
    if (function != nullptr) function(1);
}

}  // namespace

int main(int argc, char** argv) {
    int* output = nullptr;
    if (cudaMalloc(&output, count * sizeof(int)) != cudaSuccess) return 1;
    int status = 0;
    for (int i = 1; i < argc; ++i) {
        const char* what = argv[i];
        if (std::strcmp(what, "expected") == 0) expect_faults();
        if (std::strcmp(what, "fault") == 0 || std::strcmp(what, "expected") == 0) {
            launch(32, count + 1, output);
        } else if (std::strcmp(what, "refused") == 0) {
            launch(1025, count, output);
        } else if (std::strcmp(what, "endless") == 0) {
            cudaMemset(output, 0, sizeof(int));
            spin<<<1, 32>>>(output);
        } else if (std::strcmp(what, "call") == 0) {
            status = launch_by_call(output) == cudaSuccess ? print_sum(output) : 1;
        } else if (std::strcmp(what, "status") == 0) {
            status = 7;
        } else {
            launch(32, count, output);
            if (std::strcmp(what, "abort") == 0) std::abort();
            status = print_sum(output);
        }
    }
    return status;
}
