// The emulator has no texture units: a kernel that reads a texture says so, and others of the same module run.
#include "check_cuda.hpp"
#include "expect_faults.hpp"
#include "kernels.cuh"

using lanes::runtime::tests::FaultsExpected;

TEST_SUITE("texture_read") {
    TEST_CASE("reading a texture in a kernel is not supported") {
        const FaultsExpected expected;
        void* memory = nullptr;
        REQUIRE_CUDA(cudaMalloc(&memory, 256));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = memory;
        resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
        resource.res.pitch2D.width = 8;
        resource.res.pitch2D.height = 2;
        resource.res.pitch2D.pitchInBytes = 32;
        const cudaTextureDesc description{};
        cudaTextureObject_t texture = 0;
        REQUIRE_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
        do_nothing<<<1, 1>>>();
        CHECK_CUDA(cudaSuccess, cudaDeviceSynchronize());
        read_texture<<<1, 1>>>(texture, static_cast<float*>(memory));
        CHECK_CUDA(cudaErrorNotSupported, cudaDeviceSynchronize());
    }
}
