#include "check_cuda.hpp"

#include <cstdint>
#include <vector>

// Every expectation here holds on an H200 with runtime 13.0, too.
TEST_SUITE("memory") {
    TEST_CASE("allocating and freeing") {
        void* pointer = reinterpret_cast<void*>(0x1234);
        CHECK_CUDA(cudaSuccess, cudaMalloc(&pointer, 0));
        CHECK(pointer == nullptr);
        CHECK_CUDA(cudaErrorInvalidValue, cudaMalloc(nullptr, 4));
        CHECK_CUDA(cudaErrorMemoryAllocation, cudaMalloc(&pointer, std::size_t{1} << 50));
        CHECK(pointer == nullptr);
        CHECK_CUDA(cudaSuccess, cudaFree(nullptr));
        int host = 0;
        CHECK_CUDA(cudaErrorInvalidValue, cudaFree(&host));
        REQUIRE_CUDA(cudaMalloc(&pointer, 400));
        CHECK(reinterpret_cast<std::uintptr_t>(pointer) % 256 == 0);
        CHECK_CUDA(cudaErrorInvalidValue, cudaFree(static_cast<char*>(pointer) + 4));
        CHECK_CUDA(cudaErrorInvalidValue, cudaFreeHost(pointer));
        CHECK_CUDA(cudaSuccess, cudaFree(pointer));
        CHECK_CUDA(cudaErrorInvalidValue, cudaFree(pointer));
        cudaGetLastError();
    }

    TEST_CASE("host memory may lie where device memory was freed") {
        constexpr std::size_t bytes = std::size_t{32} << 20;
        char* device = nullptr;
        for (int i = 0; i < 4; ++i) {
            REQUIRE_CUDA(cudaMalloc(&device, bytes));
            REQUIRE_CUDA(cudaFree(device));
        }
        REQUIRE_CUDA(cudaMalloc(&device, 400));
        std::vector<std::vector<char>> host;
        for (std::size_t size = bytes; size >= 400; size /= 2) {
            host.emplace_back(size);
            CHECK_CUDA(cudaSuccess, cudaMemcpy(device, host.back().data(), 400, cudaMemcpyHostToDevice));
            CHECK_CUDA(cudaSuccess, cudaMemcpy(host.back().data(), device, 400, cudaMemcpyDeviceToHost));
        }
        REQUIRE_CUDA(cudaFree(device));
    }

    TEST_CASE("allocating in stream order") {
        void* pointer = nullptr;
        REQUIRE_CUDA(cudaMallocAsync(&pointer, 100, nullptr));
        CHECK_CUDA(cudaSuccess, cudaFreeAsync(pointer, nullptr));
        CHECK_CUDA(cudaErrorInvalidValue, cudaFreeAsync(pointer, nullptr));
        CHECK_CUDA(cudaSuccess, cudaFreeAsync(nullptr, nullptr));
        REQUIRE_CUDA(cudaMallocAsync(&pointer, 100, nullptr));
        CHECK_CUDA(cudaSuccess, cudaFree(pointer));
        cudaGetLastError();
    }

    TEST_CASE("copies go where they are told, and no further") {
        std::vector<int> host(100);
        for (int i = 0; i < 100; ++i) host[static_cast<std::size_t>(i)] = i;
        int* device = nullptr;
        int* other = nullptr;
        REQUIRE_CUDA(cudaMalloc(&device, 400));
        REQUIRE_CUDA(cudaMalloc(&other, 400));
        CHECK_CUDA(cudaSuccess, cudaMemcpy(device, host.data(), 400, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaMemcpy(other, device, 400, cudaMemcpyDeviceToDevice));
        std::vector<int> back(100);
        CHECK_CUDA(cudaSuccess, cudaMemcpyAsync(back.data(), other, 400, cudaMemcpyDeviceToHost, nullptr));
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(back == host);
        back.assign(100, 0);
        CHECK_CUDA(cudaSuccess, cudaMemcpy(back.data(), device, 400, cudaMemcpyDefault));
        CHECK(back == host);
        std::vector<int> larger(200);
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(device, larger.data(), 404, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(larger.data(), device, 404, cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(device + 1, host.data(), 400, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaFree(other));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(back.data(), other, 400, cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaSuccess, cudaFree(device));
        cudaGetLastError();
    }

    TEST_CASE("copies whose kind is wrong are refused") {
        int host[100] = {};
        int* device = nullptr;
        REQUIRE_CUDA(cudaMalloc(&device, 400));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(device, host, 400, cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(host, device, 400, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(host, device, 400, cudaMemcpyDeviceToDevice));
        CHECK_CUDA(cudaErrorInvalidMemcpyDirection, cudaMemcpy(host, device, 400, static_cast<cudaMemcpyKind>(7)));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(nullptr, device, 4, cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(device, nullptr, 4, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy(reinterpret_cast<void*>(0x1000), host, 4, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaMemcpy(host, host + 50, 200, cudaMemcpyHostToHost));
        CHECK_CUDA(cudaSuccess, cudaFree(device));
        cudaGetLastError();
    }

    TEST_CASE("filling") {
        unsigned char* device = nullptr;
        REQUIRE_CUDA(cudaMalloc(&device, 400));
        CHECK_CUDA(cudaSuccess, cudaMemset(device, 0x1ab, 400));
        CHECK_CUDA(cudaSuccess, cudaMemset2D(device, 20, 7, 10, 20));
        unsigned char host[400] = {};
        REQUIRE_CUDA(cudaMemcpy(host, device, 400, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 400; ++i) REQUIRE(host[i] == (i % 20 < 10 ? 7 : 0xab));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemset(device, 0, 401));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 4));
        CHECK_CUDA(cudaSuccess, cudaMemset(nullptr, 0, 0));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemset2D(device, 16, 0, 20, 2));
        CHECK_CUDA(cudaSuccess, cudaFree(device));
        cudaGetLastError();
    }

    TEST_CASE("rows with a pitch") {
        char* device = nullptr;
        std::size_t pitch = 0;
        REQUIRE_CUDA(cudaMallocPitch(&device, &pitch, 100, 10));
        CHECK(pitch == 512);
        std::vector<char> host(1000);
        for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i % 127);
        CHECK_CUDA(cudaSuccess, cudaMemcpy2D(device, pitch, host.data(), 100, 100, 10, cudaMemcpyHostToDevice));
        std::vector<char> back(1000);
        CHECK_CUDA(cudaSuccess, cudaMemcpy2D(back.data(), 100, device, pitch, 100, 10, cudaMemcpyDeviceToHost));
        CHECK(back == host);
        CHECK_CUDA(cudaErrorInvalidPitchValue,
                   cudaMemcpy2D(device, 99, host.data(), 100, 100, 10, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaErrorInvalidPitchValue,
                   cudaMemcpy2D(device, pitch, host.data(), 99, 100, 10, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaErrorInvalidValue,
                   cudaMemcpy2D(device, pitch, host.data(), 100, 100, 1000000, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaMemcpy2D(device, pitch, host.data(), 100, 100, 0, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaFree(device));
        cudaGetLastError();
    }

    TEST_CASE("pinned and registered memory") {
        int* pinned = nullptr;
        REQUIRE_CUDA(cudaMallocHost(&pinned, 400));
        pinned[99] = 5;
        cudaPointerAttributes attributes{};
        CHECK_CUDA(cudaSuccess, cudaPointerGetAttributes(&attributes, pinned));
        CHECK(attributes.type == cudaMemoryTypeHost);
        CHECK(attributes.devicePointer == pinned);
        CHECK(attributes.hostPointer == pinned);
        void* mapped = nullptr;
        CHECK_CUDA(cudaSuccess, cudaHostGetDevicePointer(&mapped, pinned, 0));
        CHECK(mapped == pinned);
        CHECK_CUDA(cudaErrorInvalidValue, cudaFree(pinned));
        CHECK_CUDA(cudaSuccess, cudaFreeHost(pinned));
        CHECK_CUDA(cudaErrorInvalidValue, cudaFreeHost(pinned));
        CHECK_CUDA(cudaSuccess, cudaFreeHost(nullptr));
        CHECK_CUDA(cudaErrorInvalidValue, cudaHostAlloc(&mapped, 4, 99));

        std::vector<char> memory(4096);
        CHECK_CUDA(cudaErrorInvalidValue, cudaHostGetDevicePointer(&mapped, memory.data(), 0));
        CHECK_CUDA(cudaSuccess, cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
        CHECK_CUDA(cudaErrorHostMemoryAlreadyRegistered,
                   cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault));
        CHECK_CUDA(cudaSuccess, cudaHostUnregister(memory.data()));
        CHECK_CUDA(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(memory.data()));
        cudaGetLastError();
    }

    TEST_CASE("what is known of a pointer") {
        cudaPointerAttributes attributes{};
        char* device = nullptr;
        REQUIRE_CUDA(cudaMalloc(&device, 400));
        CHECK_CUDA(cudaSuccess, cudaPointerGetAttributes(&attributes, device + 100));
        CHECK(attributes.type == cudaMemoryTypeDevice);
        CHECK(attributes.device == 0);
        CHECK(attributes.devicePointer == device + 100);
        CHECK(attributes.hostPointer == nullptr);
        CHECK_CUDA(cudaSuccess, cudaFree(device));
        CHECK_CUDA(cudaSuccess, cudaMallocManaged(&device, 100, cudaMemAttachGlobal));
        CHECK_CUDA(cudaSuccess, cudaPointerGetAttributes(&attributes, device));
        CHECK(attributes.type == cudaMemoryTypeManaged);
        CHECK(attributes.hostPointer == device);
        CHECK_CUDA(cudaErrorInvalidValue, cudaMallocManaged(&device, 100, 5));
        int host = 0;
        CHECK_CUDA(cudaSuccess, cudaPointerGetAttributes(&attributes, &host));
        CHECK(attributes.type == cudaMemoryTypeUnregistered);
        CHECK(attributes.devicePointer == nullptr);
        CHECK(attributes.hostPointer == &host);
        cudaGetLastError();
    }

    TEST_CASE("free memory shrinks by what is allocated") {
        std::size_t before = 0;
        std::size_t after = 0;
        std::size_t total = 0;
        REQUIRE_CUDA(cudaMemGetInfo(&before, &total));
        CHECK(before <= total);
        void* device = nullptr;
        REQUIRE_CUDA(cudaMalloc(&device, std::size_t{64} << 20));
        REQUIRE_CUDA(cudaMemGetInfo(&after, &total));
        CHECK(before - after >= std::size_t{64} << 20);
        CHECK_CUDA(cudaSuccess, cudaFree(device));
    }
}
