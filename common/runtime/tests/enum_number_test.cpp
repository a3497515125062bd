// Numbers that are no enumerator: a call must read them as numbers. Every expectation here holds on an H200 with
// runtime 13.0, too.
#include "bad_enum.hpp"
#include "check_cuda.hpp"

#include <cstdint>
#include <string>

using lanes::runtime::tests::bad_enum;

TEST_SUITE("enum_numbers") {
    TEST_CASE("directions of copies") {
        char host[16] = {};
        void* device = nullptr;
        REQUIRE_CUDA(cudaMalloc(&device, sizeof host));
        for (const int number : {-1, 5, 77, 0x7fffffff}) {
            CAPTURE(number);
            const auto kind = bad_enum<cudaMemcpyKind>(number);
            CHECK_CUDA(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, host, 16, kind));
            CHECK_CUDA(cudaErrorInvalidMemcpyDirection, cudaMemcpyAsync(device, host, 16, kind, nullptr));
            CHECK_CUDA(cudaErrorInvalidMemcpyDirection, cudaMemcpy2D(device, 16, host, 16, 16, 1, kind));
            CHECK_CUDA(cudaSuccess, cudaMemcpy(device, host, 0, kind));
        }
        CHECK_CUDA(cudaSuccess, cudaFree(device));
        cudaGetLastError();
    }

    TEST_CASE("attributes and limits of the device") {
        int value = 0;
        for (const int number : {-3, 0, 9999, 0x7fffffff})
            CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, bad_enum<cudaDeviceAttr>(number), 0));
        std::size_t limit = 0;
        for (const int number : {-1, 7, 99}) {
            CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceSetLimit(bad_enum<cudaLimit>(number), 1));
            CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceGetLimit(&limit, bad_enum<cudaLimit>(number)));
        }
        CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceSetCacheConfig(bad_enum<cudaFuncCache>(44)));
        cudaGetLastError();
    }

    TEST_CASE("attributes of memory pools, advice about memory, modes of captures") {
        cudaMemPool_t pool = nullptr;
        REQUIRE_CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
        std::uint64_t value = 0;
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemPoolGetAttribute(pool, bad_enum<cudaMemPoolAttr>(77), &value));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemPoolSetAttribute(pool, bad_enum<cudaMemPoolAttr>(77), &value));
        void* managed = nullptr;
        REQUIRE_CUDA(cudaMallocManaged(&managed, 64));
#if CUDART_VERSION >= 13000
        cudaMemLocation place{};
        place.type = cudaMemLocationTypeDevice;
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemAdvise(managed, 64, bad_enum<cudaMemoryAdvise>(77), place));
        place.type = bad_enum<cudaMemLocationType>(55);
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemPrefetchAsync(managed, 64, place, 0));
        place.type = cudaMemLocationTypeDevice;
        place.id = 9;
        CHECK_CUDA(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 64, place, 0));
#else
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemAdvise(managed, 64, bad_enum<cudaMemoryAdvise>(77), 0));
        CHECK_CUDA(cudaErrorInvalidDevice, cudaMemPrefetchAsync(managed, 64, 9));
#endif
        CHECK_CUDA(cudaSuccess, cudaFree(managed));
        cudaStream_t stream = nullptr;
        REQUIRE_CUDA(cudaStreamCreate(&stream));
        CHECK_CUDA(cudaErrorInvalidValue, cudaStreamBeginCapture(stream, bad_enum<cudaStreamCaptureMode>(44)));
        CHECK_CUDA(cudaSuccess, cudaStreamDestroy(stream));
        cudaGetLastError();
    }

    TEST_CASE("errors have names, and others have none") {
        CHECK(std::string(cudaGetErrorName(bad_enum<cudaError_t>(12345))) == "unrecognized error code");
        CHECK(std::string(cudaGetErrorString(bad_enum<cudaError_t>(-5))) == "unrecognized error code");
    }
}
