// Cooperative groups of several warps meet in shared memory that the block keeps for the system.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <numeric>

#include "../faults/fault_program.cuh"

namespace {

namespace cg = cooperative_groups;

/// Each tile leaves the sum of its elements, as a thread of another warp has it.
template <int threads>
__global__ void sum_tiles(const int* in, int* out) {
    __shared__ cg::block_tile_memory<256> memory;
    const cg::thread_block block = cg::this_thread_block(memory);
    const auto tile = cg::tiled_partition<threads>(block);
    const unsigned i = blockIdx.x * block.size() + block.thread_rank();
    const int sum = cg::reduce(tile, in[i], cg::plus<int>());
    __shared__ int sums[256];
    sums[block.thread_rank()] = sum;
    tile.sync();
    const int other = sums[block.thread_rank() / threads * threads + (tile.thread_rank() + 33) % threads];
    tile.sync();
    if (tile.thread_rank() == 0) out[i / threads] = other;
}

template <int threads>
bool sums_are_right() {
    constexpr int blocks = 3, size = blocks * 256;
    std::vector<int> values(size);
    std::iota(values.begin(), values.end(), 0);
    const DeviceData<int> in(values);
    const DeviceData<int> out{std::vector<int>(size / threads)};
    sum_tiles<threads><<<blocks, 256>>>(in.get(), out.get());
    finish();
    std::vector<int> expected(size / threads);
    for (int i = 0; i < size; ++i) expected[i / threads] += values[i];
    return out.values() == expected;
}

}  // namespace

int main() {
    if (sums_are_right<64>() && sums_are_right<128>() && sums_are_right<256>()) return 0;
    std::fprintf(stderr, "the sum of a tile is wrong\n");
    return 1;
}
