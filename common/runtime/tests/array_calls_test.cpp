// CUDA arrays and texture objects. Every expectation here holds on an H200 with runtime 13.0, too.
#include "bad_enum.hpp"
#include "check_cuda.hpp"

#include <numeric>
#include <vector>

using lanes::runtime::tests::bad_enum;

namespace {

constexpr std::size_t columns = 8;
constexpr std::size_t rows = 4;
constexpr std::size_t row_bytes = columns * sizeof(float);

std::vector<float> numbers(std::size_t count) {
    std::vector<float> result(count);
    std::iota(result.begin(), result.end(), 0.0F);
    return result;
}

// An array of 4 rows of 8 floats.
class FloatArray {
public:
    FloatArray() { REQUIRE_CUDA(cudaMallocArray(&array, &format, columns, rows)); }
    ~FloatArray() { CHECK_CUDA(cudaSuccess, cudaFreeArray(array)); }
    FloatArray(const FloatArray&) = delete;
    FloatArray& operator=(const FloatArray&) = delete;

    std::vector<float> host() const {
        std::vector<float> result(columns * rows);
        REQUIRE_CUDA(
            cudaMemcpy2DFromArray(result.data(), row_bytes, array, 0, 0, row_bytes, rows, cudaMemcpyDeviceToHost));
        return result;
    }

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
};

cudaError_t allocate(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(x, y, z, w, kind);
    cudaArray_t array = nullptr;
    const cudaError_t error = cudaMallocArray(&array, &format, 8);
    if (error == cudaSuccess) CHECK_CUDA(cudaSuccess, cudaFreeArray(array));
    return error;
}

}  // namespace

// The copies from and to arrays without a pitch are deprecated, and still used.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST_SUITE("arrays") {
    TEST_CASE("rows go in and come out") {
        const FloatArray array;
        const auto in = numbers(columns * rows);
        CHECK_CUDA(cudaSuccess, cudaMemcpy2DToArray(array.array, 0, 0, in.data(), row_bytes, row_bytes, rows,
                                                    cudaMemcpyHostToDevice));
        CHECK(array.host() == in);
        const float part[2] = {100.0F, 101.0F};
        CHECK_CUDA(cudaSuccess, cudaMemcpy2DToArray(array.array, 8, 1, part, 4, 4, 2, cudaMemcpyHostToDevice));
        const auto out = array.host();
        CHECK(out[columns + 2] == 100.0F);
        CHECK(out[2 * columns + 2] == 101.0F);
        CHECK(out[columns + 3] == 11.0F);
    }

    TEST_CASE("bytes go from row to row") {
        const FloatArray array;
        const auto in = numbers(columns * rows);
        CHECK_CUDA(cudaSuccess, cudaMemcpyToArray(array.array, 0, 0, in.data(), 128, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaMemcpyToArray(array.array, 16, 1, in.data(), 32, cudaMemcpyHostToDevice));
        float out[8] = {};
        CHECK_CUDA(cudaSuccess, cudaMemcpyFromArray(out, array.array, 16, 1, 32, cudaMemcpyDeviceToHost));
        CHECK(out[0] == 0.0F);
        CHECK(out[7] == 7.0F);
        CHECK(array.host()[columns + 3] == 11.0F);
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpyToArray(array.array, 0, 0, in.data(), 132, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaSuccess, cudaMemcpyToArray(array.array, 0, 0, in.data(), 0, cudaMemcpyHostToDevice));
        CHECK_CUDA(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpyToArray(array.array, 0, 0, in.data(), 128, cudaMemcpyDeviceToHost));
        CHECK_CUDA(cudaErrorInvalidResourceHandle,
                   cudaMemcpyToArray(nullptr, 0, 0, in.data(), 16, cudaMemcpyHostToDevice));
        cudaGetLastError();
    }

    TEST_CASE("copies that do not fit are refused") {
        const FloatArray array;
        std::vector<float> host(64);
        const auto copy = [&](std::size_t row, std::size_t pitch, std::size_t width) {
            return cudaMemcpy2DToArray(array.array, 0, row, host.data(), pitch, width, rows, cudaMemcpyHostToDevice);
        };
        CHECK_CUDA(cudaErrorInvalidPitchValue, copy(0, 16, 32));
        CHECK_CUDA(cudaErrorInvalidValue, copy(0, 36, 36));
        CHECK_CUDA(cudaErrorInvalidValue, copy(1, 32, 32));
        CHECK_CUDA(cudaErrorInvalidMemcpyDirection,
                   cudaMemcpy2DFromArray(host.data(), 32, array.array, 0, 0, 32, 4, cudaMemcpyHostToDevice));
        cudaGetLastError();
    }

    TEST_CASE("boxes of three dimensions") {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        cudaArray_t array = nullptr;
        REQUIRE_CUDA(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 4, 2)));
        auto in = numbers(64);
        cudaMemcpy3DParms box{};
        box.srcPtr = make_cudaPitchedPtr(in.data(), row_bytes, columns, rows);
        box.dstArray = array;
        box.extent = make_cudaExtent(8, 4, 2);
        box.kind = cudaMemcpyHostToDevice;
        CHECK_CUDA(cudaSuccess, cudaMemcpy3D(&box));
        std::vector<float> out(64);
        cudaMemcpy3DParms back{};
        back.srcArray = array;
        back.dstPtr = make_cudaPitchedPtr(out.data(), row_bytes, columns, rows);
        back.extent = make_cudaExtent(8, 4, 2);
        back.kind = cudaMemcpyDeviceToHost;
        CHECK_CUDA(cudaSuccess, cudaMemcpy3D(&back));
        CHECK(out == in);
        box.extent.depth = 3;
        CHECK_CUDA(cudaErrorInvalidValue, cudaMemcpy3D(&box));
        CHECK_CUDA(cudaSuccess, cudaFreeArray(array));
        cudaGetLastError();
    }

    TEST_CASE("an array knows its extent and its format") {
        const FloatArray array;
        cudaChannelFormatDesc format{};
        cudaExtent extent{};
        unsigned flags = 9;
        CHECK_CUDA(cudaSuccess, cudaArrayGetInfo(&format, &extent, &flags, array.array));
        CHECK(format.x == 32);
        CHECK(format.f == cudaChannelFormatKindFloat);
        CHECK(extent.width == columns);
        CHECK(extent.height == rows);
        CHECK(extent.depth == 0);
        CHECK(flags == 0);
        CHECK_CUDA(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(&format, &extent, &flags, nullptr));
        CHECK_CUDA(cudaSuccess, cudaGetChannelDesc(&format, array.array));
        cudaGetLastError();
    }

    TEST_CASE("formats are of one, two or four components of the same size") {
        CHECK_CUDA(cudaSuccess, allocate(8, 8, 8, 8, cudaChannelFormatKindUnsigned));
        CHECK_CUDA(cudaSuccess, allocate(16, 16, 0, 0, cudaChannelFormatKindSigned));
        CHECK_CUDA(cudaErrorInvalidChannelDescriptor, allocate(32, 32, 32, 0, cudaChannelFormatKindFloat));
        CHECK_CUDA(cudaErrorInvalidChannelDescriptor, allocate(32, 16, 0, 0, cudaChannelFormatKindFloat));
        CHECK_CUDA(cudaErrorInvalidChannelDescriptor, allocate(7, 0, 0, 0, cudaChannelFormatKindSigned));
        CHECK_CUDA(cudaErrorInvalidChannelDescriptor, allocate(0, 0, 0, 0, cudaChannelFormatKindFloat));
        CHECK_CUDA(cudaErrorInvalidChannelDescriptor, allocate(8, 0, 0, 0, cudaChannelFormatKindFloat));
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        cudaArray_t array = nullptr;
        CHECK_CUDA(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 0));
        CHECK_CUDA(cudaErrorInvalidValue, cudaMallocArray(&array, &format, 200000));
        CHECK_CUDA(cudaSuccess, cudaFreeArray(nullptr));
        cudaGetLastError();
    }
}

TEST_SUITE("textures") {
    TEST_CASE("texture objects are made, described and destroyed") {
        const FloatArray array;
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array.array;
        cudaTextureDesc texture{};
        texture.filterMode = cudaFilterModeLinear;
        cudaTextureObject_t object = 0;
        REQUIRE_CUDA(cudaCreateTextureObject(&object, &resource, &texture, nullptr));
        cudaResourceDesc same{};
        CHECK_CUDA(cudaSuccess, cudaGetTextureObjectResourceDesc(&same, object));
        CHECK(same.res.array.array == array.array);
        cudaTextureDesc filter{};
        CHECK_CUDA(cudaSuccess, cudaGetTextureObjectTextureDesc(&filter, object));
        CHECK(filter.filterMode == cudaFilterModeLinear);
        CHECK_CUDA(cudaSuccess, cudaDestroyTextureObject(object));
        CHECK_CUDA(cudaSuccess, cudaDestroyTextureObject(object));
        resource.resType = bad_enum<cudaResourceType>(77);
        CHECK_CUDA(cudaErrorInvalidValue, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
        cudaGetLastError();
    }

    TEST_CASE("linear memory can be a texture, and an array made for it a surface") {
        void* memory = nullptr;
        REQUIRE_CUDA(cudaMalloc(&memory, 256));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory;
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = 256;
        const cudaTextureDesc texture{};
        cudaTextureObject_t object = 0;
        CHECK_CUDA(cudaSuccess, cudaCreateTextureObject(&object, &resource, &texture, nullptr));
        CHECK_CUDA(cudaSuccess, cudaDestroyTextureObject(object));
        CHECK_CUDA(cudaSuccess, cudaFree(memory));
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        REQUIRE_CUDA(cudaMallocArray(&resource.res.array.array, &format, 8, 4, cudaArraySurfaceLoadStore));
        resource.resType = cudaResourceTypeArray;
        cudaSurfaceObject_t surface = 0;
        CHECK_CUDA(cudaSuccess, cudaCreateSurfaceObject(&surface, &resource));
        CHECK_CUDA(cudaSuccess, cudaDestroySurfaceObject(surface));
        CHECK_CUDA(cudaSuccess, cudaFreeArray(resource.res.array.array));
    }
}
