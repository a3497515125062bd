// Cooperative groups, and threads that hand over data by locks, flags and counters: all in order, nothing to report.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <numeric>

#include "../faults/fault_program.cuh"

namespace {

namespace cg = cooperative_groups;

/// Sums by tiles of 8 lanes, by the threads of a warp that have an element, and by whole blocks.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int sums[32];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const auto warp = cg::tiled_partition<32>(block);
    const int i = static_cast<int>(blockIdx.x * block.size() + block.thread_rank());
    const int value = i < n ? in[i] : 0;
    const int of_tile = cg::reduce(tile, value, cg::plus<int>());
    if (tile.thread_rank() == 0) atomicAdd(&out[0], of_tile);
    if (i < n) {
        const cg::coalesced_group active = cg::coalesced_threads();
        const int of_active = cg::reduce(active, value, cg::plus<int>());
        if (active.thread_rank() == 0) atomicAdd(&out[1], of_active);
    }
    const int last = cg::inclusive_scan(warp, value);
    if (warp.thread_rank() == warp.size() - 1) sums[warp.meta_group_rank()] = last;
    block.sync();
    if (block.thread_rank() == 0)
        for (unsigned i = 0; i < warp.meta_group_size(); ++i) atomicAdd(&out[2], sums[i]);
}

/// Each block leaves its sum; the one that finishes last adds them up.
__global__ void reduce_in_last_block(const int* in, int* sums, unsigned* finished, int* out, int n) {
    __shared__ int total;
    __shared__ bool is_last;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = total;
        __threadfence();
        is_last = atomicAdd(finished, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 0) return;
    __threadfence();
    int sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) sum += sums[block];
    *out = sum;
}

/// Adds under a lock that one thread of each block takes.
__global__ void reduce_with_lock(const int* in, int* lock, int* out, int n) {
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) sum += in[i];
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *out += sum;
    __threadfence();
    atomicExch(lock, 0);
}

bool check_size(int n) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = i * 7 % 100;
    const int threads = 96;
    const int blocks = (n + threads - 1) / threads;
    const DeviceData<int> in(values);
    const DeviceData<int> out{std::vector<int>(5)};
    const DeviceData<int> sums{std::vector<int>(blocks)};
    const DeviceData<unsigned> finished{std::vector<unsigned>(1)};
    const DeviceData<int> lock{std::vector<int>(1)};
    reduce<<<blocks, threads>>>(in.get(), out.get(), n);
    reduce_in_last_block<<<blocks, threads>>>(in.get(), sums.get(), finished.get(), out.get() + 3, n);
    reduce_with_lock<<<8, 64>>>(in.get(), lock.get(), out.get() + 4, n);
    finish();
    return out.values() == std::vector<int>(5, std::accumulate(values.begin(), values.end(), 0));
}

}  // namespace

int main() {
    for (const int n : {1, 31, 33, 1000, 100003}) {
        if (check_size(n)) continue;
        std::fprintf(stderr, "wrong with %d elements\n", n);
        return 1;
    }
}
