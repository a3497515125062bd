// CUDA arrays: made, described and freed.
#include "enum_number.hpp"
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

using namespace lanes::runtime;

namespace {

constexpr int bits_per_byte = 8;

// Bytes of an element, or 0 if there is no such format: one, two or four components of the same size.
size_t element_bytes(const cudaChannelFormatDesc& format) {
    const int kind = enum_number(format.f);
    const int bits[] = {format.x, format.y, format.z, format.w};
    int components = 0;
    while (components < 4 && bits[components] != 0) ++components;
    for (int i = 0; i < 4; ++i)
        if (bits[i] != (i < components ? format.x : 0)) return 0;
    const bool is_integer = kind == cudaChannelFormatKindSigned || kind == cudaChannelFormatKindUnsigned;
    if (!is_integer && kind != cudaChannelFormatKindFloat) return 0;
    const bool known_size = format.x == 16 || format.x == 32 || (is_integer && format.x == 8);
    if (!known_size || (components != 1 && components != 2 && components != 4)) return 0;
    return static_cast<size_t>(components * format.x / bits_per_byte);
}

// The largest extents are those of the device's textures; what does not fit memory is refused there.
bool is_extent(const cudaExtent& extent) {
    constexpr size_t most_width = 131072;
    constexpr size_t most_height = 65536;
    constexpr size_t most_depth = 16384;
    if (extent.width == 0 || (extent.depth != 0 && extent.height == 0)) return false;
    return extent.width <= most_width && extent.height <= most_height && extent.depth <= most_depth;
}

cudaError_t allocate(cudaArray_t* array, const cudaChannelFormatDesc* format, const cudaExtent& extent,
                     unsigned flags) {
    constexpr unsigned known = cudaArraySurfaceLoadStore | cudaArrayTextureGather;
    if (array == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if ((flags & ~known) != 0) {
        print_message("note", "of CUDA arrays the emulator has plain, surface and gather ones: no layers, no cubes");
        return cudaErrorNotSupported;
    }
    Array made{*format, extent, flags, element_bytes(*format), 0};
    *array = nullptr;
    if (made.element_bytes == 0) return cudaErrorInvalidChannelDescriptor;
    if (!is_extent(extent)) return cudaErrorInvalidValue;
    const auto address = process().memory.allocate(made.row_bytes() * made.rows() * made.slices());
    if (!address) return cudaErrorMemoryAllocation;
    made.address = *address;
    *array = process().arrays.add(made);
    return cudaSuccess;
}

cudaError_t free_array(cudaArray_t array) {
    if (array == nullptr) return cudaSuccess;
    const auto found = process().arrays.get(array);
    if (!found || !process().arrays.remove(array)) return cudaErrorInvalidResourceHandle;
    return process().memory.release(found->address) ? cudaSuccess : cudaErrorInvalidValue;
}

// Runs work on an array that exists.
template <typename Run>
cudaError_t on_array(cudaArray_const_t array, Run run) {
    return use_device([&] {
        const auto found = process().arrays.get(const_cast<cudaArray_t>(array));
        return found ? run(*found) : cudaErrorInvalidResourceHandle;
    });
}

}  // namespace

// This call cannot fail, and so keeps whatever it is given.
LANES_EXPORT cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    cudaChannelFormatDesc format{x, y, z, w, cudaChannelFormatKindNone};
    std::memcpy(&format.f, &kind, sizeof kind);
    return format;
}

LANES_EXPORT cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                                         size_t height, unsigned flags) {
    return outside_capture([&] { return allocate(array, format, {width, height, 0}, flags); });
}

LANES_EXPORT cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                           unsigned flags) {
    return outside_capture([&] { return allocate(array, format, extent, flags); });
}

LANES_EXPORT cudaError_t cudaFreeArray(cudaArray_t array) {
    return outside_capture([&] { return free_array(array); });
}

LANES_EXPORT cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                                          cudaArray_t array) {
    return on_array(array, [&](const Array& found) {
        if (format != nullptr) *format = found.format;
        if (extent != nullptr) *extent = found.extent;
        if (flags != nullptr) *flags = found.flags;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    return on_array(array, [&](const Array& found) {
        if (format == nullptr) return cudaErrorInvalidValue;
        *format = found.format;
        return cudaSuccess;
    });
}
