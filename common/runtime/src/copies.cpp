// Copies and fills of linear memory. Work is done when the call returns, so the Async calls differ only in that they
// check their stream.
#include "call.hpp"
#include "stream_handle.hpp"
#include "transfer.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

// Runs the work of an Async call on a valid stream.
template <typename Work>
cudaError_t on_stream(cudaStream_t stream, Work work) {
    return use_device([&] { return is_stream(stream) ? work() : cudaErrorInvalidResourceHandle; });
}

// Where a box of a 3D copy starts in pitched memory.
std::byte* start_of(const cudaPitchedPtr& memory, const cudaPos& position) {
    return static_cast<std::byte*>(memory.ptr) + (position.z * memory.ysize + position.y) * memory.pitch + position.x;
}

cudaError_t copy_box(const char* call, const cudaMemcpy3DParms* box) {
    if (box == nullptr) return cudaErrorInvalidValue;
    if (box->srcArray != nullptr || box->dstArray != nullptr) {
        print_message("note", std::string(call) + ": the emulator has no CUDA arrays");
        return cudaErrorNotSupported;
    }
    if (box->srcPtr.ptr == nullptr || box->dstPtr.ptr == nullptr) return cudaErrorInvalidValue;
    for (size_t slice = 0; slice < box->extent.depth; ++slice) {
        const cudaPos to{box->dstPos.x, box->dstPos.y, box->dstPos.z + slice};
        const cudaPos from{box->srcPos.x, box->srcPos.y, box->srcPos.z + slice};
        const cudaError_t error =
            copy_rows(call, start_of(box->dstPtr, to), box->dstPtr.pitch, start_of(box->srcPtr, from),
                      box->srcPtr.pitch, {box->extent.width, box->extent.height}, box->kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t fill_box(const char* call, const cudaPitchedPtr& memory, int value, const cudaExtent& extent) {
    for (size_t slice = 0; slice < extent.depth; ++slice) {
        const cudaError_t error =
            fill_rows(call, start_of(memory, {0, 0, slice}), memory.pitch, value, {extent.width, extent.height});
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

bool is_device(int device) {
    return device == 0;
}

}  // namespace

LANES_EXPORT cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return use_device([&] { return copy("cudaMemcpy", to, from, bytes, kind); });
}

LANES_EXPORT cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                         cudaStream_t stream) {
    return on_stream(stream, [&] { return copy("cudaMemcpyAsync", to, from, bytes, kind); });
}

LANES_EXPORT cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                      size_t height, cudaMemcpyKind kind) {
    return use_device([&] { return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, {width, height}, kind); });
}

LANES_EXPORT cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                           size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream(stream, [&] {
        return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, {width, height}, kind);
    });
}

LANES_EXPORT cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box) {
    return use_device([&] { return copy_box("cudaMemcpy3D", box); });
}

LANES_EXPORT cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream) {
    return on_stream(stream, [&] { return copy_box("cudaMemcpy3DAsync", box); });
}

LANES_EXPORT cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
    return use_device([&] {
        if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
        return copy("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDefault);
    });
}

LANES_EXPORT cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                             cudaStream_t stream) {
    return on_stream(stream, [&] {
        if (!is_device(to_device) || !is_device(from_device)) return cudaErrorInvalidDevice;
        return copy("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDefault);
    });
}

LANES_EXPORT cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return use_device([&] { return fill_rows("cudaMemset", to, bytes, value, {bytes, 1}); });
}

LANES_EXPORT cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return on_stream(stream, [&] { return fill_rows("cudaMemsetAsync", to, bytes, value, {bytes, 1}); });
}

LANES_EXPORT cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    return use_device([&] { return fill_rows("cudaMemset2D", to, pitch, value, {width, height}); });
}

LANES_EXPORT cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                                           cudaStream_t stream) {
    return on_stream(stream, [&] { return fill_rows("cudaMemset2DAsync", to, pitch, value, {width, height}); });
}

LANES_EXPORT cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent) {
    return use_device([&] { return fill_box("cudaMemset3D", memory, value, extent); });
}

LANES_EXPORT cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) {
    return on_stream(stream, [&] { return fill_box("cudaMemset3DAsync", memory, value, extent); });
}

// Managed memory is where both sides use it, so there is nothing to move and no advice to follow. Only managed memory
// takes either.
#if CUDART_VERSION >= 13000
LANES_EXPORT cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation /*location*/,
                                              unsigned flags, cudaStream_t stream) {
    return on_stream(stream, [&] { return flags == 0 ? check_managed(pointer, bytes) : cudaErrorInvalidValue; });
}

LANES_EXPORT cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise /*advice*/,
                                       cudaMemLocation /*location*/) {
    return use_device([&] { return check_managed(pointer, bytes); });
}
#else
LANES_EXPORT cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int /*device*/, cudaStream_t stream) {
    return on_stream(stream, [&] { return check_managed(pointer, bytes); });
}

LANES_EXPORT cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise /*advice*/, int /*device*/) {
    return use_device([&] { return check_managed(pointer, bytes); });
}
#endif
