// Atomic operations that a program makes itself of compare-and-swap, as the CUDA guide does: the plain load before the
// loop is only a guess.
#include "../faults/fault_program.cuh"

namespace {

constexpr int threads = 50;
constexpr int blocks = 2;

__device__ double add(double* address, double value) {
    auto* const word = reinterpret_cast<unsigned long long*>(address);
    unsigned long long old = *word;
    unsigned long long assumed = 0;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ void raise_to(float* address, float value) {
    int* const word = reinterpret_cast<int*>(address);
    int old = *word;
    while (value > __int_as_float(old)) {
        const int assumed = old;
        old = atomicCAS(word, assumed, __float_as_int(value));
        if (old == assumed) break;
    }
}

__global__ void add_all(double* sum, float* greatest) {
    __shared__ double sum_of_block;
    if (threadIdx.x == 0) sum_of_block = 0;
    __syncthreads();
    add(&sum_of_block, threadIdx.x);
    add(sum, 1);
    raise_to(greatest, static_cast<float>(threadIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) add(sum + 1, sum_of_block);
}

void fail_unless(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "%s is wrong\n", what);
    std::exit(1);
}

}  // namespace

int main() {
    const DeviceData<double> sums{std::vector<double>(2)};
    const DeviceData<float> greatest{std::vector<float>(1)};
    add_all<<<blocks, threads>>>(sums.get(), greatest.get());
    finish();
    fail_unless(sums.values()[0] == blocks * threads, "the number of threads");
    fail_unless(sums.values()[1] == blocks * threads * (threads - 1) / 2, "the sum of the blocks' sums");
    fail_unless(greatest.values()[0] == threads - 1, "the greatest");
}
