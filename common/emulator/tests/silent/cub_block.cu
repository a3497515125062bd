// Algorithms of CUB for warps and blocks: exchanges through shuffles and shared memory that are in order.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

#include <numeric>

#include "../faults/fault_program.cuh"

namespace {

constexpr int threads = 128;

/// Sums of whole blocks into out[0], by one algorithm and then by another in the same storage.
__global__ void reduce(const int* in, int* out, int n) {
    using Shuffles = cub::BlockReduce<int, threads, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    using Raking = cub::BlockReduce<int, threads, cub::BLOCK_REDUCE_RAKING>;
    __shared__ union {
        typename Shuffles::TempStorage shuffles;
        typename Raking::TempStorage raking;
    } storage;
    const int i = blockIdx.x * threads + threadIdx.x;
    const int value = i < n ? in[i] : 0;
    const int sum = Shuffles(storage.shuffles).Sum(value);
    __syncthreads();
    const int valid = min(threads, n - static_cast<int>(blockIdx.x) * threads);
    const int again = Raking(storage.raking).Sum(value, valid);
    if (threadIdx.x == 0) {
        atomicAdd(&out[0], sum);
        atomicAdd(&out[1], again);
    }
}

/// Running sums of each block.
__global__ void scan(const int* in, int* out, int n) {
    using Scan = cub::BlockScan<int, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    const int i = blockIdx.x * threads + threadIdx.x;
    int sum = 0;
    Scan(storage).InclusiveSum(i < n ? in[i] : 0, sum);
    if (i < n) out[i] = sum;
}

/// Sums of groups of eight lanes, of which the last may have fewer elements.
__global__ void reduce_groups(const int* in, int* out, int n) {
    using Reduce = cub::WarpReduce<int, 8>;
    __shared__ typename Reduce::TempStorage storage[threads / 8];
    const int i = blockIdx.x * threads + threadIdx.x;
    const int first = i / 8 * 8;
    const int sum = Reduce(storage[threadIdx.x / 8]).Sum(i < n ? in[i] : 0, max(0, min(8, n - first)));
    if (i == first && i < n) out[i / 8] = sum;
}

bool check_size(int n) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 7 % 100;
    const DeviceData<int> in(values);
    const DeviceData<int> sums{std::vector<int>(2)};
    const DeviceData<int> running{std::vector<int>(n)};
    const DeviceData<int> groups{std::vector<int>((n + 7) / 8)};
    const int blocks = (n + threads - 1) / threads;
    reduce<<<blocks, threads>>>(in.get(), sums.get(), n);
    scan<<<blocks, threads>>>(in.get(), running.get(), n);
    reduce_groups<<<blocks, threads>>>(in.get(), groups.get(), n);
    finish();
    const int total = std::accumulate(values.begin(), values.end(), 0);
    std::vector<int> expected(n);
    std::vector<int> expected_groups((n + 7) / 8, 0);
    for (int i = 0; i < n; ++i) {
        expected[i] = values[i] + (i % threads == 0 ? 0 : expected[i - 1]);
        expected_groups[i / 8] += values[i];
    }
    return sums.values() == std::vector<int>{total, total} && running.values() == expected &&
           groups.values() == expected_groups;
}

}  // namespace

int main() {
    for (const int n : {1, 31, 33, 1000, 100003}) {
        if (check_size(n)) continue;
        std::fprintf(stderr, "wrong with %d elements\n", n);
        return 1;
    }
}
