// Cooperative launches: blocks that wait for each other.
#include "bad_enum.hpp"
#include "device_copy.hpp"
#include "expect_faults.hpp"
#include "kernels.cuh"

#include <numeric>
#include <vector>

using lanes::runtime::tests::bad_enum;
using lanes::runtime::tests::DeviceCopy;
using lanes::runtime::tests::FaultsExpected;

namespace {

std::vector<int> counted(int count) {
    std::vector<int> result(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), 0);
    return result;
}

std::vector<int> add_neighbours_on_host(std::vector<int> values, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        std::vector<int> sums(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) sums[i] = values[i] + values[(i + 1) % values.size()];
        values = sums;
    }
    return values;
}

}  // namespace

TEST_SUITE("cooperative") {
    TEST_CASE("grid.sync() lets each block see what all others wrote") {
        for (const int blocks : {1, 7, 40}) {
            CAPTURE(blocks);
            const int count = blocks * 64;
            const DeviceCopy<int> values(counted(count));
            const DeviceCopy<int> scratch(std::vector<int>(static_cast<std::size_t>(count)));
            int* pointer = values.get();
            int* other = scratch.get();
            int rounds = 5;
            void* arguments[] = {&pointer, &other, &rounds};
            REQUIRE_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(add_neighbours), dim3(blocks),
                                                     dim3(64), arguments, 0, nullptr));
            REQUIRE_CUDA(cudaDeviceSynchronize());
            CHECK(values.host() == add_neighbours_on_host(counted(count), rounds));
        }
    }

    TEST_CASE("as many blocks as the device holds, and no more") {
        const FaultsExpected expected;
        int per_multiprocessor = 0;
        int multiprocessors = 0;
        REQUIRE_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, add_neighbours, 256, 0));
        REQUIRE_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
        const int blocks = per_multiprocessor * multiprocessors;
        const DeviceCopy<int> values(counted(blocks * 256));
        const DeviceCopy<int> scratch(counted(blocks * 256));
        int* pointer = values.get();
        int* other = scratch.get();
        int rounds = 1;
        void* arguments[] = {&pointer, &other, &rounds};
        const auto* function = reinterpret_cast<const void*>(add_neighbours);
        CHECK_CUDA(cudaErrorCooperativeLaunchTooLarge,
                   cudaLaunchCooperativeKernel(function, dim3(blocks + 1), dim3(256), arguments, 0, nullptr));
        CHECK_CUDA(cudaSuccess, cudaLaunchCooperativeKernel(function, dim3(blocks), dim3(256), arguments, 0, nullptr));
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(values.host()[0] == 1);
        cudaGetLastError();
    }

    TEST_CASE("by attribute, and what the emulator does not have") {
        const FaultsExpected expected;
        const DeviceCopy<int> values(counted(128));
        const DeviceCopy<int> scratch(counted(128));
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        cudaLaunchConfig_t configuration{};
        configuration.gridDim = dim3(2);
        configuration.blockDim = dim3(64);
        configuration.attrs = &attribute;
        configuration.numAttrs = 1;
        configuration.attrs = nullptr;
        CHECK_CUDA(cudaErrorInvalidValue, cudaLaunchKernelEx(&configuration, do_nothing));
        configuration.attrs = &attribute;
        CHECK_CUDA(cudaSuccess, cudaLaunchKernelEx(&configuration, add_neighbours, values.get(), scratch.get(), 1));
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(values.host()[127] == 127);
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {3, 1, 1};
        CHECK_CUDA(cudaErrorInvalidClusterSize, cudaLaunchKernelEx(&configuration, do_nothing));
        attribute.val.clusterDim = {2, 1, 1};
        CHECK_CUDA(cudaErrorNotSupported, cudaLaunchKernelEx(&configuration, do_nothing));
        attribute.val.clusterDim = {1, 1, 1};
        CHECK_CUDA(cudaSuccess, cudaLaunchKernelEx(&configuration, do_nothing));
        attribute.id = bad_enum<cudaLaunchAttributeID>(99);
        CHECK_CUDA(cudaErrorInvalidValue, cudaLaunchKernelEx(&configuration, do_nothing));
        cudaGetLastError();
    }
}

// The device keeps the failure, so what is allocated here is not freed.
TEST_SUITE("cooperative_left") {
    TEST_CASE("a block that ends before grid.sync() is found out") {
        const FaultsExpected expected;
        int* values = nullptr;
        REQUIRE_CUDA(cudaMalloc(&values, 128 * sizeof(int)));
        void* arguments[] = {&values};
        CHECK_CUDA(cudaSuccess, cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(leave_the_grid), dim3(2),
                                                            dim3(64), arguments, 0, nullptr));
        CHECK_CUDA(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    }
}

TEST_SUITE("not_cooperative") {
    TEST_CASE("grid.sync() in an ordinary launch is a trap, as on a GPU") {
        const FaultsExpected expected;
        int* memory = nullptr;
        REQUIRE_CUDA(cudaMalloc(&memory, 1024));
        REQUIRE_CUDA(cudaMemset(memory, 0, 1024));
        add_neighbours<<<2, 64>>>(memory, memory + 128, 1);
        CHECK_CUDA(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    }
}
