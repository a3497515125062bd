// Streams. All work is done when the call that issues it returns, so every stream is always idle and in order.
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>

using namespace lanes::runtime;

namespace {

constexpr int lowest_priority = 0;
constexpr int highest_priority = -5;
constexpr unsigned long long default_stream_id = 1;

unsigned long long next_stream_id() {
    static std::atomic<unsigned long long> next{default_stream_id};
    return ++next;
}

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
    if (stream == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
        return cudaErrorInvalidValue;
    *stream = process().streams.add({flags, std::clamp(priority, highest_priority, lowest_priority), next_stream_id()});
    return cudaSuccess;
}

// Properties of any stream, or of nothing.
std::optional<Stream> find(cudaStream_t stream) {
    if (is_default_stream(stream)) return Stream{cudaStreamDefault, lowest_priority, default_stream_id};
    return process().streams.get(stream);
}

cudaError_t check(cudaStream_t stream) {
    return is_stream(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// A stream that is being captured does nothing, and so can not be waited for.
cudaError_t check_idle(cudaStream_t stream) {
    if (const cudaError_t error = check(stream); error != cudaSuccess) return error;
    if (process().captures.status(stream) == cudaStreamCaptureStatusNone) return cudaSuccess;
    process().captures.invalidate(stream);
    return cudaErrorStreamCaptureUnsupported;
}

cudaError_t wait(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    if (!is_stream(stream) || !process().events.get(event)) return cudaErrorInvalidResourceHandle;
    if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
    return process().captures.wait(stream, is_blocking_stream(stream), event).value_or(cudaSuccess);
}

// With its stream a capture ends, and nothing comes of it.
cudaError_t destroy(cudaStream_t stream) {
    Captures& captures = process().captures;
    if (!process().streams.remove(stream)) return cudaErrorInvalidResourceHandle;
    captures.invalidate(stream);
    cudaGraph_t none = nullptr;
    captures.end(stream, none);
    return cudaSuccess;
}

// Reads one property of a stream.
template <typename Value, typename Property>
cudaError_t get(cudaStream_t stream, Value* value, Property property) {
    return use_device([&] {
        const auto found = find(stream);
        if (!found) return cudaErrorInvalidResourceHandle;
        if (value == nullptr) return cudaErrorInvalidValue;
        *value = property(*found);
        return cudaSuccess;
    });
}

}  // namespace

LANES_EXPORT cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return use_device([&] { return create(stream, cudaStreamDefault, lowest_priority); });
}

LANES_EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return use_device([&] { return create(stream, flags, lowest_priority); });
}

LANES_EXPORT cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return use_device([&] { return create(stream, flags, priority); });
}

LANES_EXPORT cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return use_device([&] { return destroy(stream); });
}

LANES_EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return outside_capture([&] { return check_idle(stream); });
}

LANES_EXPORT cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return outside_capture([&] { return check_idle(stream); });
}

LANES_EXPORT cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
    return use_device([&] { return wait(stream, event, flags); });
}

LANES_EXPORT cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    return get(stream, flags, [](const Stream& found) { return found.flags; });
}

LANES_EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    return get(stream, priority, [](const Stream& found) { return found.priority; });
}

LANES_EXPORT cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    return get(stream, id, [](const Stream& found) { return found.id; });
}

LANES_EXPORT cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return use_device([&] {
        if (least != nullptr) *least = lowest_priority;
        if (greatest != nullptr) *greatest = highest_priority;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t /*bytes*/,
                                                  unsigned /*flags*/) {
    return use_device([&] { return pointer == nullptr ? cudaErrorInvalidValue : check(stream); });
}

// The work before it is done, so the host function's turn is now. It may make no CUDA calls, but nothing here minds if
// it does: it runs outside of all locks.
LANES_EXPORT cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    if (function == nullptr) return use_device([] { return cudaErrorInvalidValue; });
    return submit(stream, cudaGraphNodeTypeHost, [=] {
        function(data);
        return cudaSuccess;
    });
}

// Old: of callbacks a graph knows nothing.
LANES_EXPORT cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                               unsigned flags) {
    const cudaError_t error = use_device([&] {
        if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
        return check_idle(stream);
    });
    if (error == cudaSuccess) callback(stream, cudaSuccess, data);
    return error;
}
