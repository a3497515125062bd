// What a kernel's failure leaves behind. A device does not recover, so each suite needs a process of its own.
// Every expectation here holds on an H200 with runtime 13.0, too, except that of the endless loop.
#include "check_cuda.hpp"
#include "expect_faults.hpp"
#include "kernels.cuh"

using lanes::runtime::tests::FaultsExpected;

namespace {

// The launch itself succeeds; every later call that uses the device fails, and each failure becomes the last error.
void check_sticky(cudaError_t error) {
    CHECK_CUDA(cudaSuccess, cudaPeekAtLastError());
    CHECK_CUDA(error, cudaDeviceSynchronize());
    CHECK_CUDA(error, cudaPeekAtLastError());
    CHECK_CUDA(error, cudaGetLastError());
    CHECK_CUDA(cudaSuccess, cudaGetLastError());
    CHECK_CUDA(error, cudaDeviceSynchronize());
    void* pointer = nullptr;
    CHECK_CUDA(error, cudaMalloc(&pointer, 4));
    CHECK_CUDA(error, cudaFree(nullptr));
    int host = 0;
    CHECK_CUDA(error, cudaMemcpy(&host, pointer, 4, cudaMemcpyDeviceToHost));
    CHECK_CUDA(error, cudaGetLastError());
    do_nothing<<<1, 1>>>();
    CHECK_CUDA(error, cudaGetLastError());
    do_nothing<<<0, 1>>>();
    CHECK_CUDA(error, cudaGetLastError());
    cudaEvent_t event = nullptr;
    CHECK_CUDA(error, cudaEventCreate(&event));
    cudaFuncAttributes attributes{};
    CHECK_CUDA(error, cudaFuncGetAttributes(&attributes, do_nothing));
}

// Calls that answer from tables go on working.
void check_still_working() {
    int value = 0;
    CHECK_CUDA(cudaSuccess, cudaGetDevice(&value));
    CHECK_CUDA(cudaSuccess, cudaSetDevice(0));
    CHECK_CUDA(cudaSuccess, cudaGetDeviceCount(&value));
    CHECK_CUDA(cudaSuccess, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    CHECK_CUDA(cudaSuccess, cudaRuntimeGetVersion(&value));
    cudaDeviceProp properties{};
    CHECK_CUDA(cudaSuccess, cudaGetDeviceProperties(&properties, 0));
}

}  // namespace

TEST_CASE("after an illegal address" * doctest::test_suite("illegal_address")) {
    const FaultsExpected expected;
    write_to<<<1, 1>>>(reinterpret_cast<int*>(16));
    check_sticky(cudaErrorIllegalAddress);
    check_still_working();
    CHECK_CUDA(cudaSuccess, cudaDeviceReset());
    void* pointer = nullptr;
    CHECK(cudaMalloc(&pointer, 4) != cudaSuccess);
}

TEST_CASE("after a write to host memory" * doctest::test_suite("host_address")) {
    const FaultsExpected expected;
    int host = 0;
    int* device = nullptr;
    REQUIRE_CUDA(cudaMalloc(&device, sizeof(int)));
    write_to<<<1, 1>>>(&host);
    check_sticky(cudaErrorIllegalAddress);
    CHECK(host == 0);
}

TEST_CASE("after a misaligned address" * doctest::test_suite("misaligned_address")) {
    const FaultsExpected expected;
    char* buffer = nullptr;
    REQUIRE_CUDA(cudaMalloc(&buffer, 64));
    write_misaligned<<<1, 1>>>(buffer);
    check_sticky(cudaErrorMisalignedAddress);
    check_still_working();
}

TEST_CASE("after a failed assertion" * doctest::test_suite("assertion")) {
    const FaultsExpected expected;
    fail_assertion<<<1, 32>>>();
    check_sticky(cudaErrorAssert);
}

TEST_CASE("after a trap" * doctest::test_suite("trap")) {
    const FaultsExpected expected;
    execute_trap<<<1, 1>>>();
    check_sticky(cudaErrorLaunchFailure);
}

TEST_CASE("after an endless loop" * doctest::test_suite("endless_loop")) {
    const FaultsExpected expected;
    int* flag = nullptr;
    REQUIRE_CUDA(cudaMalloc(&flag, sizeof(int)));
    REQUIRE_CUDA(cudaMemset(flag, 0, sizeof(int)));
    loop_forever<<<1, 32>>>(flag);
    check_sticky(cudaErrorLaunchTimeout);
}
