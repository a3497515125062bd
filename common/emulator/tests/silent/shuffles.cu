// Shuffles in warps that are not full: values from lanes that are not there are taken, and not used.
#include "../faults/fault_program.cuh"

namespace {

constexpr unsigned all = 0xffffffffu;

__global__ void sum_down(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    int value = in[t];
    for (int distance = 16; distance > 0; distance /= 2) {
        const int other = __shfl_down_sync(all, value, distance);
        if (t + distance < n) value += other;
    }
    if (t == 0) out[0] = value;
}

__global__ void sum_across(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    int value = in[t];
#pragma unroll 1
    for (int distance = 1; distance < 32; distance *= 2) {
        const int partner = t ^ distance;
        const int other = __shfl_xor_sync(all, value, distance);
        value += partner < n ? other : 0;
        if (partner >= n && (t & distance) != 0) value = 0;
    }
    if (t == 0) out[0] = value;
}

__global__ void running_sum(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = in[t];
    for (int distance = 1; distance < 32; distance *= 2) {
        const int before = __shfl_up_sync(all, value, distance);
        if (t >= distance) value += before;
    }
    out[t] = value;
}

/// The largest value and where it is.
__global__ void largest(const float* in, int* out, int n) {
    const int t = threadIdx.x;
    float value = in[t];
    int index = t;
    for (int distance = 16; distance > 0; distance /= 2) {
        const float other = __shfl_down_sync(all, value, distance);
        const int other_index = __shfl_down_sync(all, index, distance);
        if (t + distance < n && other > value) {
            value = other;
            index = other_index;
        }
    }
    if (t == 0) out[0] = index;
}

/// Eight lanes of a warp, alone, in segments of eight; and the first lane's value for all that are there.
__global__ void parts(const int* in, int* out) {
    const int t = threadIdx.x;
    int value = in[t];
    if (t < 8) {
        for (int distance = 4; distance > 0; distance /= 2) value += __shfl_down_sync(0xffu, value, distance, 8);
    }
    __syncwarp();
    out[t] = __shfl_sync(all, value, 0) + __popc(__ballot_sync(all, value > 0));
}

void fail_unless(bool good, const char* what, int n) {
    if (good) return;
    std::fprintf(stderr, "%s with %d lanes is wrong\n", what, n);
    std::exit(1);
}

void check_lanes(int n) {
    std::vector<int> values(n);
    std::vector<int> sums(n);
    std::vector<float> heights(n);
    int total = 0;
    for (int i = 0; i < n; ++i) {
        values[i] = i + 1;
        heights[i] = static_cast<float>(i == n / 2 ? 100 : i);
        total += values[i];
        sums[i] = total;
    }
    const DeviceData<int> in{values};
    const DeviceData<float> high{heights};
    const DeviceData<int> out{std::vector<int>(n, -1)};
    sum_down<<<1, n>>>(in.get(), out.get(), n);
    finish();
    fail_unless(out.values()[0] == total, "the sum from above", n);
    sum_across<<<1, n>>>(in.get(), out.get(), n);
    finish();
    running_sum<<<1, n>>>(in.get(), out.get());
    finish();
    fail_unless(out.values() == sums, "the running sum", n);
    largest<<<1, n>>>(high.get(), out.get(), n);
    finish();
    fail_unless(out.values()[0] == n / 2, "the largest", n);
    if (n < 8) return;
    parts<<<1, n>>>(in.get(), out.get());
    finish();
    fail_unless(out.values() == std::vector<int>(n, 36 + n), "the sum of a part", n);
}

}  // namespace

int main() {
    for (const int n : {1, 7, 8, 27, 31, 32}) check_lanes(n);
}
