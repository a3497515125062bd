#include "check_cuda.hpp"

#include <climits>
#include <cstring>

// Every expectation here holds on an H200 with runtime 13.0, too.
TEST_SUITE("device") {
    TEST_CASE("choosing a device") {
        int count = 0;
        CHECK_CUDA(cudaSuccess, cudaGetDeviceCount(&count));
        CHECK(count >= 1);
        CHECK_CUDA(cudaErrorInvalidDevice, cudaSetDevice(count));
        CHECK_CUDA(cudaErrorInvalidDevice, cudaSetDevice(-1));
        CHECK_CUDA(cudaSuccess, cudaSetDevice(0));
        int device = -1;
        CHECK_CUDA(cudaSuccess, cudaGetDevice(&device));
        CHECK(device == 0);
        CHECK_CUDA(cudaErrorInvalidValue, cudaGetDevice(nullptr));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
        cudaGetLastError();
    }

    TEST_CASE("properties and attributes agree") {
        cudaDeviceProp properties{};
        REQUIRE_CUDA(cudaGetDeviceProperties(&properties, 0));
        const auto attribute = [](cudaDeviceAttr which) {
            int value = -1;
            REQUIRE_CUDA(cudaDeviceGetAttribute(&value, which, 0));
            return value;
        };
        CHECK(std::strlen(properties.name) > 0);
        CHECK(properties.major == attribute(cudaDevAttrComputeCapabilityMajor));
        CHECK(properties.minor == attribute(cudaDevAttrComputeCapabilityMinor));
        CHECK(properties.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
        CHECK(properties.warpSize == 32);
        CHECK(properties.maxThreadsPerBlock == 1024);
        CHECK(properties.maxThreadsDim[2] == 64);
        CHECK(properties.maxGridSize[0] == INT_MAX);
        CHECK(properties.maxGridSize[1] == 65535);
        CHECK(properties.sharedMemPerBlock == 49152);
        CHECK(static_cast<int>(properties.sharedMemPerBlockOptin) ==
              attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
        CHECK(static_cast<int>(properties.sharedMemPerMultiprocessor) ==
              attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
        CHECK(properties.regsPerMultiprocessor == 65536);
        CHECK(properties.l2CacheSize == attribute(cudaDevAttrL2CacheSize));
        CHECK(properties.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
        CHECK(attribute(cudaDevAttrClockRate) > 100000);
        CHECK(attribute(cudaDevAttrMemoryClockRate) > 100000);
        CHECK(properties.memoryBusWidth == attribute(cudaDevAttrGlobalMemoryBusWidth));
        std::size_t total = 0;
        REQUIRE_CUDA(cudaMemGetInfo(nullptr, &total));
        CHECK(properties.totalGlobalMem == total);
    }

    TEST_CASE("every attribute exists, and no other") {
        for (int attribute = 1; attribute < cudaDevAttrMax; ++attribute) {
            CAPTURE(attribute);
            int value = 0;
            CHECK_CUDA(cudaSuccess, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(attribute), 0));
        }
        int value = 0;
        CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0));
        CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(1000), 0));
        CHECK_CUDA(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 77));
        CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
        cudaDeviceProp properties{};
        CHECK_CUDA(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 99));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
        cudaGetLastError();
    }

    TEST_CASE("versions") {
        int version = 0;
        CHECK_CUDA(cudaSuccess, cudaRuntimeGetVersion(&version));
        CHECK(version / 1000 == CUDART_VERSION / 1000);
        CHECK_CUDA(cudaSuccess, cudaDriverGetVersion(&version));
        CHECK(version >= CUDART_VERSION);
        CHECK_CUDA(cudaErrorInvalidValue, cudaRuntimeGetVersion(nullptr));
        cudaGetLastError();
    }

    TEST_CASE("limits are kept") {
        std::size_t value = 0;
        CHECK_CUDA(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
        CHECK(value == 1024);
        CHECK_CUDA(cudaSuccess, cudaDeviceSetLimit(cudaLimitStackSize, 4096));
        CHECK_CUDA(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
        CHECK(value == 4096);
        CHECK_CUDA(cudaErrorInvalidValue, cudaDeviceSetLimit(static_cast<cudaLimit>(77), 4096));
        cudaGetLastError();
    }

    TEST_CASE("peers: a device is none of its own") {
        int can = 1;
        CHECK_CUDA(cudaSuccess, cudaDeviceCanAccessPeer(&can, 0, 0));
        CHECK(can == 0);
        CHECK_CUDA(cudaErrorInvalidDevice, cudaDeviceCanAccessPeer(&can, 0, 99));
        CHECK_CUDA(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
        CHECK_CUDA(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(99, 0));
        CHECK_CUDA(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(0));
        cudaGetLastError();
    }

    TEST_CASE("a reset frees what was allocated") {
        void* pointer = nullptr;
        REQUIRE_CUDA(cudaMalloc(&pointer, 400));
        CHECK_CUDA(cudaSuccess, cudaDeviceReset());
        CHECK_CUDA(cudaErrorInvalidValue, cudaFree(pointer));
        CHECK_CUDA(cudaSuccess, cudaMalloc(&pointer, 400));
        CHECK_CUDA(cudaSuccess, cudaFree(pointer));
        cudaGetLastError();
    }
}

TEST_SUITE("streams") {
    TEST_CASE("streams have flags, priorities and ids") {
        cudaStream_t stream = nullptr;
        REQUIRE_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100));
        unsigned flags = 0;
        CHECK_CUDA(cudaSuccess, cudaStreamGetFlags(stream, &flags));
        CHECK(flags == cudaStreamNonBlocking);
        int least = 0;
        int greatest = 0;
        int priority = 0;
        CHECK_CUDA(cudaSuccess, cudaDeviceGetStreamPriorityRange(&least, &greatest));
        CHECK_CUDA(cudaSuccess, cudaStreamGetPriority(stream, &priority));
        CHECK(priority == greatest);
        CHECK_CUDA(cudaSuccess, cudaStreamQuery(stream));
        CHECK_CUDA(cudaSuccess, cudaStreamSynchronize(stream));
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
        CHECK_CUDA(cudaSuccess, cudaStreamIsCapturing(stream, &status));
        CHECK(status == cudaStreamCaptureStatusNone);
        CHECK_CUDA(cudaSuccess, cudaStreamDestroy(stream));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaStreamDestroy(nullptr));
        CHECK_CUDA(cudaErrorInvalidValue, cudaStreamCreate(nullptr));
        CHECK_CUDA(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, 9));
        cudaGetLastError();
    }

    TEST_CASE("host functions run in order") {
        int order = 0;
        REQUIRE_CUDA(cudaLaunchHostFunc(
            nullptr, [](void* data) { *static_cast<int*>(data) = *static_cast<int*>(data) * 10 + 1; }, &order));
        REQUIRE_CUDA(cudaStreamAddCallback(
            nullptr,
            [](cudaStream_t, cudaError_t error, void* data) {
                if (error == cudaSuccess) *static_cast<int*>(data) = *static_cast<int*>(data) * 10 + 2;
            },
            &order, 0));
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(order == 12);
        CHECK_CUDA(cudaErrorInvalidValue, cudaLaunchHostFunc(nullptr, nullptr, nullptr));
        cudaGetLastError();
    }

    TEST_CASE("events measure time") {
        cudaEvent_t start = nullptr;
        cudaEvent_t end = nullptr;
        float milliseconds = -1.0F;
        REQUIRE_CUDA(cudaEventCreate(&start));
        REQUIRE_CUDA(cudaEventCreate(&end));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, end));
        CHECK_CUDA(cudaSuccess, cudaEventQuery(start));
        CHECK_CUDA(cudaSuccess, cudaEventRecord(start, nullptr));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, start, end));
        CHECK_CUDA(cudaSuccess, cudaEventRecord(end, nullptr));
        CHECK_CUDA(cudaSuccess, cudaEventSynchronize(end));
        CHECK_CUDA(cudaSuccess, cudaEventElapsedTime(&milliseconds, start, end));
        CHECK(milliseconds >= 0.0F);
        float backwards = 1.0F;
        CHECK_CUDA(cudaSuccess, cudaEventElapsedTime(&backwards, end, start));
        CHECK(backwards == -milliseconds);
        CHECK_CUDA(cudaErrorInvalidValue, cudaEventElapsedTime(nullptr, start, end));
        CHECK_CUDA(cudaSuccess, cudaStreamWaitEvent(nullptr, start, 0));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(nullptr, nullptr, 0));
        CHECK_CUDA(cudaSuccess, cudaEventDestroy(start));
        CHECK_CUDA(cudaSuccess, cudaEventDestroy(end));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr, nullptr));
        CHECK_CUDA(cudaErrorInvalidValue, cudaEventCreateWithFlags(&end, 99));
        cudaGetLastError();
    }

    TEST_CASE("an event without timing has no time") {
        cudaEvent_t event = nullptr;
        float milliseconds = 0.0F;
        REQUIRE_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        REQUIRE_CUDA(cudaEventRecord(event, nullptr));
        REQUIRE_CUDA(cudaEventSynchronize(event));
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, event, event));
        CHECK_CUDA(cudaSuccess, cudaEventDestroy(event));
        cudaGetLastError();
    }
}
