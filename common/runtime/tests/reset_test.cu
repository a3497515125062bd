// What cudaDeviceReset leaves. Every expectation here holds on an H200 with runtime 13.0, too.
#include "device_copy.hpp"
#include "kernels.cuh"

#include <vector>

using lanes::runtime::tests::DeviceCopy;

namespace {

std::vector<int> numbers_seen_by_a_kernel() {
    const DeviceCopy<int> output(std::vector<int>(3));
    use_numbers<<<1, 1>>>(output.get());
    REQUIRE_CUDA(cudaDeviceSynchronize());
    return output.host();
}

}  // namespace

TEST_SUITE("reset") {
    TEST_CASE("variables have their initial values again; managed ones keep theirs") {
        CHECK(numbers_seen_by_a_kernel() == std::vector<int>{5, 6, 7});
        const int changed = 66;
        REQUIRE_CUDA(cudaMemcpyToSymbol(constant_number, &changed, sizeof changed));
        CHECK(numbers_seen_by_a_kernel() == std::vector<int>{100, 66, 100});
        REQUIRE_CUDA(cudaDeviceReset());
        CHECK(numbers_seen_by_a_kernel() == std::vector<int>{5, 6, 100});
        CHECK(managed_number == 100);
    }

    TEST_CASE("what was set is forgotten") {
        REQUIRE_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
        REQUIRE_CUDA(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
        REQUIRE_CUDA(cudaDeviceReset());
        std::size_t limit = 0;
        CHECK_CUDA(cudaSuccess, cudaDeviceGetLimit(&limit, cudaLimitStackSize));
        CHECK(limit == 1024);
        cudaFuncAttributes attributes{};
        CHECK_CUDA(cudaSuccess, cudaFuncGetAttributes(&attributes, do_nothing));
        CHECK(attributes.maxDynamicSharedSizeBytes == 49152);
    }

    TEST_CASE("what was allocated is free again") {
        std::size_t before = 0;
        std::size_t after = 0;
        std::size_t total = 0;
        REQUIRE_CUDA(cudaDeviceReset());
        REQUIRE_CUDA(cudaMemGetInfo(&before, &total));
        void* memory = nullptr;
        REQUIRE_CUDA(cudaMalloc(&memory, std::size_t{64} << 20));
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        cudaArray_t array = nullptr;
        REQUIRE_CUDA(cudaMallocArray(&array, &format, 1024, 1024));
        cudaStream_t stream = nullptr;
        REQUIRE_CUDA(cudaStreamCreate(&stream));
        REQUIRE_CUDA(cudaDeviceReset());
        REQUIRE_CUDA(cudaMemGetInfo(&after, &total));
        CHECK(after >= before);
        CHECK(cudaFree(memory) != cudaSuccess);
        cudaGetLastError();
    }
}
