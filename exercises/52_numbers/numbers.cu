// Exercise 5.2: who is there? See README.md here, then: lanes check 52_numbers

/// Lists the indices of all positive numbers, in any order. A warp asks for room once, for all its lanes.
///
/// in: `count` ints. list: room for as many indices. taken: how many are in the list, 0 before the launch.
/// Launch: 1-D, blocks of 128 threads, together at least `count`.
__global__ void list_positive(const int* in, unsigned* list, unsigned* taken, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned lane = threadIdx.x % 32;
    const bool positive = i < count && in[i] > 0;
    const unsigned members = 0xffffffff;
    if (positive) {
        const int leader = __ffs(members) - 1;
        unsigned first = 0;
        if (lane == leader) first = atomicAdd(taken, __popc(members));
        first = __shfl_sync(members, first, leader);
        list[first + __popc(members & ((1u << lane) - 1))] = i;
    }
}
