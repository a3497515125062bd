// The one device there is: choosing it, waiting for it, resetting it, and its flags.
#include "enum_number.hpp"
#include "limits.hpp"
#include "loading.hpp"
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

using namespace lanes::runtime;

namespace {

constexpr int device_count = 1;
constexpr char bus_id[] = "0000:01:00.0";

bool is_device(int device) {
    return device >= 0 && device < device_count;
}

std::atomic<unsigned>& device_flags() {
    static std::atomic<unsigned> flags{cudaDeviceScheduleAuto};
    return flags;
}

std::atomic<cudaFuncCache>& cache_preference() {
    static std::atomic<cudaFuncCache> preference{cudaFuncCachePreferNone};
    return preference;
}

// Frees what the program allocated. Pinned memory stays: it is the host's own.
void free_allocations(Process& state) {
    for (const auto& allocation : state.memory.live()) {
        if (!allocation.name.empty()) continue;
        if (state.memory.release(allocation.address))
            state.shared_memory.remove(allocation.address, SharedKind::managed);
    }
}

// Forgets all that handles stand for, and what was set.
void forget_objects(Process& state) {
    state.captures.clear();
    state.executable_graphs.clear();
    state.graphs.clear();
    state.textures.clear();
    state.surfaces.clear();
    state.arrays.clear();
    state.streams.clear();
    state.events.clear();
    reset_limits();
    cache_preference() = cudaFuncCachePreferNone;
}

// A device that a kernel has broken stays so until the process ends, as on a GPU.
cudaError_t reset() {
    Process& state = process();
    if (state.device_error.load() != cudaSuccess) {
        state.device_error = cudaErrorDevicesUnavailable;
        return cudaSuccess;
    }
    const std::lock_guard no_launch(state.launch_mutex);
    forget_objects(state);
    free_allocations(state);
    state.modules.reset();
    return cudaSuccess;
}

}  // namespace

LANES_EXPORT cudaError_t cudaGetDeviceCount(int* count) {
    return query([&] {
        if (count == nullptr) return cudaErrorInvalidValue;
        *count = device_count;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaSetDevice(int device) {
    return query([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

LANES_EXPORT cudaError_t cudaInitDevice(int device, unsigned /*device_flags*/, unsigned /*flags*/) {
    return query([&] { return is_device(device) ? cudaSuccess : cudaErrorInvalidDevice; });
}

LANES_EXPORT cudaError_t cudaSetValidDevices(int* devices, int count) {
    return query([&] {
        if (count < 0 || (devices == nullptr && count > 0)) return cudaErrorInvalidValue;
        for (int i = 0; i < count; ++i)
            if (!is_device(devices[i])) return cudaErrorInvalidDevice;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetDevice(int* device) {
    return query([&] {
        if (device == nullptr) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
    return query([&] {
        if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
        *device = 0;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceSynchronize() {
    return outside_capture([] { return cudaSuccess; });
}

LANES_EXPORT cudaError_t cudaDeviceReset() {
    return query(reset);
}

LANES_EXPORT cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return query([&] {
        constexpr unsigned known =
            cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
        if ((flags & ~known) != 0) return cudaErrorInvalidValue;
        device_flags() = flags;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return query([&] {
        if (flags == nullptr) return cudaErrorInvalidValue;
        *flags = device_flags() | cudaDeviceMapHost;  // always on
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference) {
    return use_device([&] {
        const int number = enum_number(preference);
        if (number < cudaFuncCachePreferNone || number > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
        cache_preference() = preference;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* preference) {
    return use_device([&] {
        if (preference == nullptr) return cudaErrorInvalidValue;
        *preference = cache_preference();
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
    return query([&] {
        if (!is_device(device)) return cudaErrorInvalidDevice;
        if (text == nullptr || length < static_cast<int>(sizeof bus_id)) return cudaErrorInvalidValue;
        std::memcpy(text, bus_id, sizeof bus_id);
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
    return query([&] {
        if (device == nullptr || text == nullptr) return cudaErrorInvalidValue;
        if (std::strcmp(text, bus_id) != 0) return cudaErrorInvalidDevice;
        *device = 0;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
    return query([&] {
        if (can_access == nullptr) return cudaErrorInvalidValue;
        if (!is_device(device) || !is_device(peer)) return cudaErrorInvalidDevice;
        *can_access = 0;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned /*flags*/) {
    return use_device([&] { return is_device(peer) ? cudaErrorPeerAccessUnsupported : cudaErrorInvalidDevice; });
}

LANES_EXPORT cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return use_device([&] { return is_device(peer) ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}

LANES_EXPORT cudaError_t cudaRuntimeGetVersion(int* version) {
    return query([&] {
        if (version == nullptr) return cudaErrorInvalidValue;
        *version = CUDART_VERSION;
        return cudaSuccess;
    });
}

// There is no driver: the newest that this runtime could ask for.
LANES_EXPORT cudaError_t cudaDriverGetVersion(int* version) {
    return query([&] {
        if (version == nullptr) return cudaErrorInvalidValue;
        *version = CUDART_VERSION;
        return cudaSuccess;
    });
}

// A profiler's range has no meaning here: everything is counted.
LANES_EXPORT cudaError_t cudaProfilerStart() {
    return cudaSuccess;
}

LANES_EXPORT cudaError_t cudaProfilerStop() {
    return cudaSuccess;
}

LANES_EXPORT cudaError_t cudaCtxResetPersistingL2Cache() {
    return use_device([] { return cudaSuccess; });
}
