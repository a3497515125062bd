// Division of 128-bit integers: nvcc writes it out, with carries that a subtraction leaves and an addition takes.
#include "../faults/fault_program.cuh"

namespace {

using Wide = unsigned __int128;

constexpr int threads = 32;

struct Result {
    Wide quotient;
    Wide remainder;
};

__host__ __device__ Wide dividend(int i) {
    return Wide{0x0123456789abcdefULL} * 0xfedcba9876543211ULL * (i + 1) >> i;
}

__host__ __device__ Wide divisor(int i) {
    return (Wide{0x89abcdef01234567ULL} << 2 * i) / 3 + 1 >> (i % 2) * 60;
}

__global__ void divide(Result* results) {
    const int i = threadIdx.x;
    results[i] = {dividend(i) / divisor(i), dividend(i) % divisor(i)};
}

}  // namespace

int main() {
    const DeviceData<Result> results{std::vector<Result>(threads)};
    divide<<<1, threads>>>(results.get());
    finish();
    const std::vector<Result> values = results.values();
    for (int i = 0; i < threads; ++i) {
        if (values[i].quotient == dividend(i) / divisor(i) && values[i].remainder == dividend(i) % divisor(i)) continue;
        std::fprintf(stderr, "division %d is wrong\n", i);
        return 1;
    }
}
