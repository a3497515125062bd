// Threads that hand over data by the objects of libcu++ and by copies that run beside the kernel: all in order.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "../faults/fault_program.cuh"

namespace {

namespace cg = cooperative_groups;

constexpr int threads = 64;

/// Reverses each of `stages` pieces; the next one is on its way while one is read.
__global__ void reverse_pieces(const int* in, int* out, int stages) {
    __shared__ int pieces[2][threads];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, pieces[0], in, sizeof pieces[0]);
    for (int stage = 0; stage < stages; ++stage) {
        if (stage + 1 < stages) {
            cg::memcpy_async(block, pieces[(stage + 1) % 2], in + (stage + 1) * threads, sizeof pieces[0]);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        out[stage * threads + threadIdx.x] = pieces[stage % 2][threads - 1 - threadIdx.x];
        block.sync();
    }
}

/// Two halves of the block meet at a barrier object, in turns.
__global__ void add_neighbours(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int values[threads];
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, threads);
    __syncthreads();
    values[t] = in[t];
    barrier.arrive_and_wait();
    const int sum = values[t] + values[(t + 1) % threads];
    barrier.arrive_and_wait();
    values[t] = sum;
    barrier.arrive_and_wait();
    out[t] = values[threads - 1 - t];
}

/// Block 0 leaves data and raises a flag; block 1 waits for it.
__global__ void pass_on(int* data, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> raised(*flag);
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        __syncthreads();
        if (t == 0) raised.store(1, cuda::memory_order_release);
    } else {
        if (t == 0) {
            while (raised.load(cuda::memory_order_acquire) == 0) {
            }
        }
        __syncthreads();
        out[t] = data[threads - 1 - t];
    }
}

/// Both blocks wait at a counter for each other.
__global__ void meet(unsigned* arrived, int* data, int* out) {
    const int t = threadIdx.x;
    data[blockIdx.x * threads + t] = static_cast<int>(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * threads + t] = data[(1 - blockIdx.x) * threads + t];
}

/// One atomic for all lanes that have something to store.
__global__ void collect(const int* in, int* count, int* out) {
    const int value = in[threadIdx.x];
    if (value % 3 != 0) return;
    const cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(count, static_cast<int>(group.size()));
    out[group.shfl(first, 0) + static_cast<int>(group.thread_rank())] = value;
}

void fail_unless(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "%s is wrong\n", what);
    std::exit(1);
}

}  // namespace

int main() {
    constexpr int stages = 5;
    std::vector<int> values(stages * threads);
    for (int i = 0; i < stages * threads; ++i) values[i] = i;
    const DeviceData<int> in{values};
    const DeviceData<int> out{std::vector<int>(stages * threads, -1)};
    reverse_pieces<<<1, threads>>>(in.get(), out.get(), stages);
    finish();
    for (int i = 0; i < stages * threads; ++i)
        fail_unless(out.values()[i] == i / threads * threads + threads - 1 - i % threads, "a piece");

    add_neighbours<<<1, threads>>>(in.get(), out.get());
    finish();
    fail_unless(out.values()[0] == threads - 1 && out.values()[threads - 1] == 1, "a sum of neighbours");

    const DeviceData<int> data{std::vector<int>(2 * threads)};
    const DeviceData<int> flag{std::vector<int>(1)};
    pass_on<<<2, threads>>>(data.get(), flag.get(), out.get());
    finish();
    fail_unless(out.values()[0] == threads - 1, "what was passed on");

    const DeviceData<unsigned> arrived{std::vector<unsigned>(1)};
    meet<<<2, threads>>>(arrived.get(), data.get(), out.get());
    finish();
    fail_unless(out.values()[0] == 1 && out.values()[threads] == 0, "what the other block left");

    const DeviceData<int> count{std::vector<int>(1)};
    collect<<<1, threads>>>(in.get(), count.get(), out.get());
    finish();
    fail_unless(count.values()[0] == (threads + 2) / 3, "the count");
}
