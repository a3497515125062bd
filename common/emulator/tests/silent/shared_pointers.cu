// Pointers into shared memory that are right: to members, to one of several arrays, past the end and before the begin,
// handed to functions, and into the parts of dynamic shared memory.
#include "../faults/fault_program.cuh"

namespace {

constexpr int count = 32;

struct Pair {
    float first[count];
    float second[count];
};

__device__ __noinline__ float at(const float* values, int i) {
    return values[i];
}

/// Runs on from one member to the next: the same variable.
__global__ void members(float* out) {
    __shared__ Pair pair;
    __shared__ float others[count];
    const int t = threadIdx.x;
    pair.first[t] = 1;
    pair.second[t] = 2;
    others[t] = 3;
    __syncthreads();
    const float* const values = pair.first;
    out[t] = values[t + count] + others[t];
}

__global__ void swap_buffers(float* out, int turns) {
    __shared__ float a[count];
    __shared__ float b[count];
    const int t = threadIdx.x;
    float* from = a;
    float* to = b;
    from[t] = 5;
    __syncthreads();
    for (int turn = 0; turn < turns; ++turn) {
        to[t] = from[(t + 1) % count];
        __syncthreads();
        float* const free = from;
        from = to;
        to = free;
    }
    out[t] = from[t];
}

__global__ void functions(float* out) {
    __shared__ float a[count];
    __shared__ float b[count];
    const int t = threadIdx.x;
    a[t] = 1;
    b[t] = 2;
    __syncthreads();
    out[t] = at(t % 2 == 0 ? a : b, t) + at(t % 2 == 0 ? b : a, count - 1 - t) + at(b, t);
}

__global__ void ends(float* out) {
    __shared__ float a[count];
    __shared__ float b[count];
    const int t = threadIdx.x;
    a[t] = 1;
    b[t] = 2;
    __syncthreads();
    float sum = 0;
    for (const float* p = a; p != a + count; ++p) sum += *p;
    for (const float* p = b + count - 1; p >= b; --p) sum += *p;
    const float* const from_one = b - 1;
    for (int i = 1; i <= count; ++i) sum -= from_one[i];
    out[t] = sum / count + 4;
}

__global__ void rows(float* out) {
    __shared__ float a[2][count];
    __shared__ float b[count];
    const int t = threadIdx.x;
    float* row[3] = {a[0], a[1], b};
    for (int i = 0; i < 3; ++i) row[i][t] = 5;
    __syncthreads();
    out[t] = row[t % 3][count - 1 - t];
}

__global__ void parts(float* out) {
    extern __shared__ char bytes[];
    __shared__ char odd[3];
    const int t = threadIdx.x;
    if (t == 0) odd[0] = 1;
    auto* const floats = reinterpret_cast<float*>((reinterpret_cast<std::size_t>(bytes) + 127) & ~std::size_t{127});
    auto* const doubles = reinterpret_cast<double*>(floats + count);
    floats[t] = 1;
    doubles[t] = 3;
    __syncthreads();
    const int other = count - 1 - t;
    out[t] = floats[other] + static_cast<float>(doubles[other]) + static_cast<float>(odd[0]);
}

}  // namespace

int main() {
    const DeviceData<float> out{std::vector<float>(count)};
    const auto check = [&] {
        finish();
        if (out.values() == std::vector<float>(count, 5.0f)) return;
        std::fprintf(stderr, "wrong values\n");
        std::exit(1);
    };
    members<<<1, count>>>(out.get());
    check();
    swap_buffers<<<1, count>>>(out.get(), 5);
    check();
    functions<<<1, count>>>(out.get());
    check();
    ends<<<1, count>>>(out.get());
    check();
    rows<<<1, count>>>(out.get());
    check();
    parts<<<1, count, 128 + count*(sizeof(float) + sizeof(double))>>>(out.get());
    check();
}
