// Advice about managed memory. It is where both sides use it, so there is nothing to move and no advice to follow. Only
// managed memory takes either. CUDA 12 says where with the number of a device, and in calls called _v2 with a location;
// CUDA 13 has only the latter, without the suffix.
#include "enum_number.hpp"
#include "stream_work.hpp"
#include "transfer.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

cudaError_t check_location(const cudaMemLocation& location) {
    constexpr int last_type = 4;  // cudaMemLocationTypeHostNumaCurrent; not all headers name the host's types
    const int type = enum_number(location.type);
    if (type < cudaMemLocationTypeDevice || type > last_type) return cudaErrorInvalidValue;
    return type == cudaMemLocationTypeDevice && location.id != 0 ? cudaErrorInvalidDevice : cudaSuccess;
}

bool is_advice(int advice) {
    return advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy;
}

cudaError_t prefetch(const void* pointer, size_t bytes, cudaError_t place, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeEmpty,
                  [=] { return place == cudaSuccess ? check_managed(pointer, bytes) : place; });
}

cudaError_t advise(const void* pointer, size_t bytes, int advice) {
    return use_device([&] { return is_advice(advice) ? check_managed(pointer, bytes) : cudaErrorInvalidValue; });
}

}  // namespace

#if CUDART_VERSION >= 13000
LANES_EXPORT cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                              unsigned flags, cudaStream_t stream) {
    if (flags != 0) return use_device([] { return cudaErrorInvalidValue; });
    return prefetch(pointer, bytes, check_location(location), stream);
}

LANES_EXPORT cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                       cudaMemLocation /*location*/) {
    return advise(pointer, bytes, enum_number(advice));
}
#else
namespace {

cudaError_t check_device(int device) {
    return device == 0 || device == cudaCpuDeviceId ? cudaSuccess : cudaErrorInvalidDevice;
}

}  // namespace

LANES_EXPORT cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
    return prefetch(pointer, bytes, check_device(device), stream);
}

LANES_EXPORT cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t bytes, cudaMemLocation location,
                                                 unsigned flags, cudaStream_t stream) {
    if (flags != 0) return use_device([] { return cudaErrorInvalidValue; });
    return prefetch(pointer, bytes, check_location(location), stream);
}

LANES_EXPORT cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int /*device*/) {
    return advise(pointer, bytes, enum_number(advice));
}

LANES_EXPORT cudaError_t cudaMemAdvise_v2(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                          cudaMemLocation /*location*/) {
    return advise(pointer, bytes, enum_number(advice));
}
#endif
