// Events. Their times are the host's: how long the emulator took.
#include "call.hpp"
#include "stream_handle.hpp"

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
    found->recorded = std::chrono::steady_clock::now();
    return process().events.set(event, *found) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t check(cudaEvent_t event) {
    return process().events.get(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

bool has_time(const std::optional<Event>& event) {
    return event && event->recorded && (event->flags & cudaEventDisableTiming) == 0;
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const auto first = process().events.get(start);
    const auto second = process().events.get(end);
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
    return use_device([&] { return process().events.remove(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
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
