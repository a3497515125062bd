// Copies and fills of linear memory. Work is done when the call returns, so the Async calls differ only in that they
// check their stream, and in that a stream may be captured.
#include "array_copies.hpp"
#include "enum_number.hpp"
#include "stream_work.hpp"
#include "transfer.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

cudaError_t fill_box(const char* call, const cudaPitchedPtr& memory, int value, const cudaExtent& extent) {
    for (size_t slice = 0; slice < extent.depth; ++slice) {
        auto* const start = static_cast<std::byte*>(memory.ptr) + slice * memory.ysize * memory.pitch;
        const cudaError_t error = fill_rows(call, start, memory.pitch, value, {extent.width, extent.height});
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

bool is_device(int device) {
    return device == 0;
}

cudaError_t copy_between(const char* call, void* to, int to_device, const void* from, int from_device, size_t bytes) {
    if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
    return copy(call, to, from, bytes, cudaMemcpyDefault);
}

}  // namespace

LANES_EXPORT cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return on_legacy_stream([&] { return copy("cudaMemcpy", to, from, bytes, enum_number(kind)); });
}

LANES_EXPORT cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy,
                  [=, direction = enum_number(kind)] { return copy("cudaMemcpyAsync", to, from, bytes, direction); });
}

LANES_EXPORT cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                      size_t height, cudaMemcpyKind kind) {
    return on_legacy_stream([&] {
        return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, {width, height}, enum_number(kind));
    });
}

LANES_EXPORT cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                           size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, {width, height}, direction);
    });
}

LANES_EXPORT cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) {
    return on_legacy_stream([&] { return box == nullptr ? cudaErrorInvalidValue : copy_box("cudaMemcpy3D", *box); });
}

LANES_EXPORT cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
    if (box == nullptr) return use_device([] { return cudaErrorInvalidValue; });
    return submit(stream, cudaGraphNodeTypeMemcpy, [box = *box] { return copy_box("cudaMemcpy3DAsync", box); });
}

LANES_EXPORT cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
    return on_legacy_stream([&] { return copy_between("cudaMemcpyPeer", to, to_device, from, from_device, bytes); });
}

LANES_EXPORT cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                             cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy,
                  [=] { return copy_between("cudaMemcpyPeerAsync", to, to_device, from, from_device, bytes); });
}

LANES_EXPORT cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return on_legacy_stream([&] { return fill_rows("cudaMemset", to, bytes, value, {bytes, 1}); });
}

LANES_EXPORT cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemset, [=] {
        return fill_rows("cudaMemsetAsync", to, bytes, value, {bytes, 1});
    });
}

LANES_EXPORT cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return on_legacy_stream([&] { return fill_rows("cudaMemset2D", to, pitch, value, {width, height}); });
}

LANES_EXPORT cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                           cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemset, [=] {
        return fill_rows("cudaMemset2DAsync", to, pitch, value, {width, height});
    });
}

LANES_EXPORT cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    return on_legacy_stream([&] { return fill_box("cudaMemset3D", memory, value, extent); });
}

LANES_EXPORT cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemset,
                  [=] { return fill_box("cudaMemset3DAsync", memory, value, extent); });
}
