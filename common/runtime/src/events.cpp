// Events. Their times are the host's: how long the emulator took.
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

#include <chrono>

using namespace lanes::runtime;

namespace {

cudaError_t create(cudaEvent_t* event, unsigned flags) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    if (event == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    *event = process().events.add({flags, std::nullopt});
    return cudaSuccess;
}

cudaError_t record(cudaEvent_t event, cudaStream_t stream) {
    auto found = process().events.get(event);
    if (!found || !is_stream(stream)) return cudaErrorInvalidResourceHandle;
    if (is_legacy_stream(stream))
        if (const cudaError_t error = process().captures.check_legacy_stream(); error != cudaSuccess) return error;
    if (const auto captured = process().captures.record(event, stream)) return *captured;
    process().captures.forget(event);
    found->recorded = std::chrono::steady_clock::now();
    return process().events.set(event, *found) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// An event of a capture never happens; of others, a capture forbids to wait or to ask.
cudaError_t check(cudaEvent_t event) {
    if (!process().events.get(event)) return cudaErrorInvalidResourceHandle;
    const cudaError_t captured = process().captures.check_event(event);
    return captured == cudaSuccess ? process().captures.check_unsafe() : captured;
}

cudaError_t destroy(cudaEvent_t event) {
    if (!process().events.remove(event)) return cudaErrorInvalidResourceHandle;
    process().captures.forget(event);
    return cudaSuccess;
}

bool has_time(const std::optional<Event>& event) {
    return event && event->recorded && (event->flags & cudaEventDisableTiming) == 0;
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const auto first = process().events.get(start);
    const auto second = process().events.get(end);
    for (const cudaEvent_t event : {start, end})
        if (const cudaError_t error = process().captures.check_event(event); error != cudaSuccess) return error;
    if (!has_time(first) || !has_time(second)) return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(*second->recorded - *first->recorded).count();
    return cudaSuccess;
}

}  // namespace

LANES_EXPORT cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return use_device([&] { return create(event, cudaEventDefault); });
}

LANES_EXPORT cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    return use_device([&] { return create(event, flags); });
}

LANES_EXPORT cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return use_device([&] { return destroy(event); });
}

LANES_EXPORT cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return use_device([&] { return record(event, stream); });
}

LANES_EXPORT cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
    return use_device([&] {
        if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
        return record(event, stream);
    });
}

LANES_EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return use_device([&] { return check(event); });
}

LANES_EXPORT cudaError_t cudaEventQuery(cudaEvent_t event) {
    return use_device([&] { return check(event); });
}

LANES_EXPORT cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return use_device([&] { return elapsed(milliseconds, start, end); });
}

#if CUDART_VERSION < 13000
// What CUDA 13 calls cudaEventElapsedTime; programs of CUDA 12.8 and newer ask for it under this name.
LANES_EXPORT cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return use_device([&] { return elapsed(milliseconds, start, end); });
}
#endif
