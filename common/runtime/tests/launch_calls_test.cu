#include "device_copy.hpp"
#include "expect_faults.hpp"
#include "kernels.cuh"

#include <numeric>
#include <string>
#include <thread>
#include <vector>

using lanes::runtime::tests::bad_shape;
using lanes::runtime::tests::DeviceCopy;
using lanes::runtime::tests::FaultsExpected;

namespace {

void add_and_check(int count) {
    std::vector<float> left(count);
    std::vector<float> right(count);
    for (int i = 0; i < count; ++i) {
        left[i] = static_cast<float>(i);
        right[i] = static_cast<float>(3 * i);
    }
    const DeviceCopy<float> device_left(left);
    const DeviceCopy<float> device_right(right);
    const DeviceCopy<float> output(std::vector<float>(count, -1.0f));
    vector_add<<<(count + 127) / 128, 128>>>(device_left.get(), device_right.get(), output.get(), count);
    REQUIRE_CUDA(cudaGetLastError());
    REQUIRE_CUDA(cudaDeviceSynchronize());
    const std::vector<float> result = output.host();
    for (int i = 0; i < count; ++i) REQUIRE(result[i] == static_cast<float>(4 * i));
}

}  // namespace

TEST_SUITE("launch") {
    TEST_CASE("vectors are added, whatever their length") {
        for (const int count : {1, 31, 128, 129, 1000, 100000}) {
            CAPTURE(count);
            add_and_check(count);
        }
    }

    TEST_CASE("a sum by shared memory, shuffles and atomics") {
        std::vector<int> numbers(10000);
        std::iota(numbers.begin(), numbers.end(), 1);
        const DeviceCopy<int> input(numbers);
        const DeviceCopy<int> total(std::vector<int>{0});
        sum_blocks<<<40, 256>>>(input.get(), total.get(), 10000);
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(total.host()[0] == 50005000);
    }

    TEST_CASE("dynamic shared memory") {
        std::vector<int> numbers(256);
        std::iota(numbers.begin(), numbers.end(), 0);
        const DeviceCopy<int> values(numbers);
        reverse_dynamic<<<1, 256, 256 * sizeof(int)>>>(values.get(), 256);
        REQUIRE_CUDA(cudaDeviceSynchronize());
        const std::vector<int> result = values.host();
        for (int i = 0; i < 256; ++i) REQUIRE(result[i] == 255 - i);
    }

    TEST_CASE("more than 48 KB of dynamic shared memory needs the opt-in") {
        const DeviceCopy<int> values(std::vector<int>(256));
        {
            const FaultsExpected expected;
            reverse_dynamic<<<1, 256, 49153>>>(values.get(), 256);
            CHECK_CUDA(cudaErrorInvalidValue, cudaGetLastError());
        }
        CHECK_CUDA(cudaSuccess,
                   cudaFuncSetAttribute(reverse_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
        reverse_dynamic<<<1, 256, 60000>>>(values.get(), 256);
        CHECK_CUDA(cudaSuccess, cudaGetLastError());
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK_CUDA(cudaErrorInvalidValue,
                   cudaFuncSetAttribute(reverse_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20));
        CHECK_CUDA(cudaErrorInvalidValue,
                   cudaFuncSetAttribute(reverse_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
        cudaGetLastError();
    }

    TEST_CASE("structures and small types are passed by value") {
        ManyNumbers numbers{};
        for (int i = 0; i < 32; ++i) numbers.values[i] = i;
        numbers.tag = 3;
        const DeviceCopy<double> output(std::vector<double>{0.0});
        add_by_value<<<1, 1>>>(numbers, -1, output.get());
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(output.host()[0] == 496.0 + 3 - 1);
    }

    TEST_CASE("the same kernel by every launch call") {
        int zero = 0;
        REQUIRE_CUDA(cudaMemcpyToSymbol(thread_counter, &zero, sizeof zero));
        const auto* function = reinterpret_cast<const void*>(count_threads);
        count_threads<<<2, 32>>>();
        CHECK_CUDA(cudaSuccess, cudaLaunchKernel(function, dim3(2), dim3(32), nullptr, 0, nullptr));
        CHECK_CUDA(cudaSuccess, cudaLaunchCooperativeKernel(function, dim3(2), dim3(32), nullptr, 0, nullptr));
        cudaLaunchConfig_t configuration{};
        configuration.gridDim = dim3(2);
        configuration.blockDim = dim3(32);
        CHECK_CUDA(cudaSuccess, cudaLaunchKernelEx(&configuration, count_threads));
        int threads = 0;
        REQUIRE_CUDA(cudaMemcpyFromSymbol(&threads, thread_counter, sizeof threads));
        CHECK(threads == 4 * 64);
    }

    TEST_CASE("launches in a stream, and between events") {
        cudaStream_t stream = nullptr;
        REQUIRE_CUDA(cudaStreamCreate(&stream));
        const DeviceCopy<int> where(std::vector<int>{0});
        write_to<<<1, 1, 0, stream>>>(where.get());
        REQUIRE_CUDA(cudaStreamSynchronize(stream));
        CHECK(where.host()[0] == 1);
        REQUIRE_CUDA(cudaStreamDestroy(stream));
    }

    TEST_CASE("several host threads launch at once") {
        std::vector<std::thread> threads;
        int zero = 0;
        REQUIRE_CUDA(cudaMemcpyToSymbol(thread_counter, &zero, sizeof zero));
        for (int i = 0; i < 8; ++i)
            threads.emplace_back([] {
                for (int launch = 0; launch < 5; ++launch) count_threads<<<3, 64>>>();
                if (cudaGetLastError() == cudaSuccess) cudaDeviceSynchronize();
            });
        for (std::thread& thread : threads) thread.join();
        REQUIRE_CUDA(cudaDeviceSynchronize());
        int count = 0;
        REQUIRE_CUDA(cudaMemcpyFromSymbol(&count, thread_counter, sizeof count));
        CHECK(count == 8 * 5 * 3 * 64);
    }
}

// Every expectation here holds on an H200 with runtime 13.0, too.
TEST_SUITE("symbols") {
    TEST_CASE("constants are set by name") {
        const float factors[4] = {1.0f, 2.0f, 4.0f, 8.0f};
        REQUIRE_CUDA(cudaMemcpyToSymbol(constant_factors, factors, sizeof factors));
        const DeviceCopy<float> output(std::vector<float>(4));
        apply_constants<<<1, 4>>>(output.get());
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(output.host() == std::vector<float>{2.0f, 4.0f, 8.0f, 16.0f});
    }

    TEST_CASE("a part of a variable") {
        const float part[2] = {-1.0f, -2.0f};
        CHECK_CUDA(cudaSuccess, cudaMemcpyToSymbol(constant_factors, part, sizeof part, 8));
        float back[2] = {};
        CHECK_CUDA(cudaSuccess, cudaMemcpyFromSymbol(back, constant_factors, sizeof back, 8));
        CHECK(back[1] == -2.0f);
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpyToSymbol(constant_factors, part, sizeof part, 12));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpyToSymbol(constant_factors, part, 4, 17));
        CHECK_CUDA(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpyToSymbol(constant_factors, part, 4, 0, cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpyFromSymbol(back, constant_factors, 4, 0, cudaMemcpyHostToDevice));
        cudaGetLastError();
    }

    TEST_CASE("addresses and sizes") {
        void* address = nullptr;
        std::size_t bytes = 0;
        CHECK_CUDA(cudaSuccess, cudaGetSymbolAddress(&address, constant_factors));
        CHECK_CUDA(cudaSuccess, cudaGetSymbolSize(&bytes, constant_factors));
        CHECK(bytes == sizeof constant_factors);
        cudaPointerAttributes attributes{};
        CHECK_CUDA(cudaSuccess, cudaPointerGetAttributes(&attributes, address));
        CHECK(attributes.type == cudaMemoryTypeDevice);
        CHECK_CUDA(cudaErrorInvalidValue, cudaFree(address));
        static int no_symbol = 0;
        CHECK_CUDA(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, no_symbol));
        CHECK_CUDA(cudaErrorInvalidSymbol, cudaMemcpyToSymbol(no_symbol, &bytes, 4));
        cudaGetLastError();
    }

    TEST_CASE("managed variables are the same on both sides") {
        CHECK(managed_counter == 40);
        managed_counter = 41;
        bump_managed<<<1, 1>>>();
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(managed_counter == 42);
        cudaPointerAttributes attributes{};
        CHECK_CUDA(cudaSuccess, cudaPointerGetAttributes(&attributes, &managed_counter));
        CHECK(attributes.type == cudaMemoryTypeManaged);
        void* address = nullptr;
        CHECK_CUDA(cudaSuccess, cudaGetSymbolAddress(&address, managed_counter));
        CHECK(address == &managed_counter);
    }

    TEST_CASE("managed memory and pinned memory are used by kernels as they are") {
        int* managed = nullptr;
        REQUIRE_CUDA(cudaMallocManaged(&managed, sizeof(int)));
        *managed = 0;
        write_to<<<1, 1>>>(managed);
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(*managed == 1);
        CHECK_CUDA(cudaSuccess, cudaFree(managed));
        int* pinned = nullptr;
        REQUIRE_CUDA(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocMapped));
        *pinned = 0;
        write_to<<<1, 1>>>(pinned);
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(*pinned == 1);
        CHECK_CUDA(cudaSuccess, cudaFreeHost(pinned));
    }
}

TEST_SUITE("functions") {
    TEST_CASE("attributes are those of the compiler") {
        cudaFuncAttributes attributes{};
        REQUIRE_CUDA(cudaFuncGetAttributes(&attributes, sum_blocks));
        CHECK(attributes.sharedSizeBytes == 32);
        CHECK(attributes.maxThreadsPerBlock == 1024);
        CHECK(attributes.numRegs > 0);
        CHECK(attributes.maxDynamicSharedSizeBytes == 49152 - 32);
        CHECK(attributes.preferredShmemCarveout == -1);
        REQUIRE_CUDA(cudaFuncGetAttributes(&attributes, do_nothing_small));
        CHECK(attributes.maxThreadsPerBlock == 128);
        CHECK_CUDA(cudaErrorInvalidDeviceFunction,
                   cudaFuncGetAttributes(&attributes, static_cast<const void*>(nullptr)));
        CHECK_CUDA(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, sum_blocks));
        cudaGetLastError();
    }

    TEST_CASE("names and parameters") {
        const auto* function = reinterpret_cast<const void*>(add_by_value);
        const char* name = nullptr;
        CHECK_CUDA(cudaSuccess, cudaFuncGetName(&name, function));
        CHECK(std::string(name) == "_Z12add_by_value11ManyNumberssPd");
        std::size_t offset = 0;
        std::size_t bytes = 0;
        CHECK_CUDA(cudaSuccess, cudaFuncGetParamInfo(function, 1, &offset, &bytes));
        CHECK(offset == sizeof(ManyNumbers));
        CHECK(bytes == sizeof(short));
        CHECK_CUDA(cudaErrorInvalidValue, cudaFuncGetParamInfo(function, 3, &offset, &bytes));
        cudaGetLastError();
    }

    TEST_CASE("occupancy") {
        int blocks = -1;
        CHECK_CUDA(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, 1024, 0));
        CHECK(blocks >= 1);
        CHECK_CUDA(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, 1025, 0));
        CHECK(blocks == 0);
        CHECK_CUDA(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, 32, 49153));
        CHECK(blocks == 0);
        CHECK_CUDA(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, do_nothing, 0, 0));
        int grid = 0;
        int block = 0;
        CHECK_CUDA(cudaSuccess, cudaOccupancyMaxPotentialBlockSize(&grid, &block, do_nothing, 0, 0));
        CHECK(block > 0);
        CHECK(block <= 1024);
        std::size_t available = 0;
        CHECK_CUDA(cudaSuccess, cudaOccupancyAvailableDynamicSMemPerBlock(&available, do_nothing, 1, 32));
        CHECK(available == 49152);
        cudaGetLastError();
    }
}

// Every expectation here holds on an H200 with runtime 13.0, too.
TEST_SUITE("refused") {
    TEST_CASE("bad shapes are refused, and nothing runs") {
        const FaultsExpected expected;
        int before = 0;
        int after = 0;
        REQUIRE_CUDA(cudaMemcpyFromSymbol(&before, thread_counter, sizeof before));
        const dim3 bad_grids[] = {dim3(0), dim3(1, 65536), dim3(1, 1, 65536)};
        for (const dim3& grid : bad_grids) {
            count_threads<<<grid, 1>>>();
            CHECK_CUDA(bad_shape, cudaGetLastError());
        }
        const dim3 bad_blocks[] = {dim3(0), dim3(1025), dim3(32, 33), dim3(1, 1, 65)};
        for (const dim3& block : bad_blocks) {
            count_threads<<<1, block>>>();
            CHECK_CUDA(bad_shape, cudaGetLastError());
        }
        do_nothing_small<<<1, 129>>>();
        CHECK_CUDA(bad_shape, cudaGetLastError());
        CHECK_CUDA(cudaSuccess, cudaDeviceSynchronize());
        REQUIRE_CUDA(cudaMemcpyFromSymbol(&after, thread_counter, sizeof after));
        CHECK(after == before);
    }

    TEST_CASE("what is no kernel is refused") {
        const FaultsExpected expected;
        CHECK_CUDA(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr));
        CHECK_CUDA(cudaErrorInvalidValue,
                   cudaLaunchKernel(reinterpret_cast<const void*>(write_to), dim3(1), dim3(1), nullptr, 0, nullptr));
        CHECK_CUDA(cudaErrorCooperativeLaunchTooLarge,
                   cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(do_nothing), dim3(1000000), dim3(1024),
                                               nullptr, 0, nullptr));
        cudaGetLastError();
    }

    TEST_CASE("the last error is kept until it is asked for, and good calls do not clear it") {
        const FaultsExpected expected;
        do_nothing<<<0, 1>>>();
        CHECK_CUDA(bad_shape, cudaPeekAtLastError());
        do_nothing<<<1, 1>>>();
        void* pointer = nullptr;
        CHECK_CUDA(cudaSuccess, cudaMalloc(&pointer, 4));
        CHECK_CUDA(cudaSuccess, cudaFree(pointer));
        CHECK_CUDA(cudaSuccess, cudaDeviceSynchronize());
        CHECK_CUDA(bad_shape, cudaPeekAtLastError());
        CHECK_CUDA(bad_shape, cudaGetLastError());
        CHECK_CUDA(cudaSuccess, cudaGetLastError());
        CHECK_CUDA(cudaErrorInvalidDevice, cudaSetDevice(99));
        do_nothing<<<1, 1>>>();
        CHECK_CUDA(cudaErrorInvalidDevice, cudaGetLastError());
    }

    TEST_CASE("each host thread has its own last error") {
        const FaultsExpected expected;
        do_nothing<<<0, 1>>>();
        cudaError_t seen = cudaErrorUnknown;
        std::thread([&] { seen = cudaGetLastError(); }).join();
        CHECK_CUDA(cudaSuccess, seen);
        CHECK_CUDA(bad_shape, cudaGetLastError());
    }
}

TEST_SUITE("printf") {
    TEST_CASE("device lines come between the host's") {
        std::printf("host line before\n");
        print_lines<<<1, 2>>>();
        REQUIRE_CUDA(cudaDeviceSynchronize());
        std::printf("host line after\n");
    }
}
