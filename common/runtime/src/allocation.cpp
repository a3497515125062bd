// Memory: allocated, freed, pinned, registered, and what is known of a pointer.
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

using namespace lanes::runtime;

namespace {

constexpr size_t pitch_granule = 512;  // rows of cudaMallocPitch start at multiples of it

std::uint64_t address_of(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

cudaError_t allocate_device(void** pointer, size_t bytes) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const auto address = process().memory.allocate(bytes);
    if (!address) return cudaErrorMemoryAllocation;
    *pointer = reinterpret_cast<void*>(*address);
    return cudaSuccess;
}

// What the host cannot write behind the runtime's back: a kernel that reads it before anybody wrote it reads nonsense.
cudaError_t allocate_unset(void** pointer, size_t bytes) {
    const cudaError_t error = allocate_device(pointer, bytes);
    const bool watched = process().options.checks.has(lanes::emulator::Check::uninitialized_read);
    if (watched && error == cudaSuccess && *pointer != nullptr) mark_unset(process().memory, address_of(*pointer));
    return error;
}

// What cudaMalloc and cudaMallocManaged gave; not variables, which no program allocated.
bool is_freeable(void* pointer) {
    Process& state = process();
    const auto allocation = state.memory.find(address_of(pointer));
    if (allocation.bytes == 0 || allocation.freed || allocation.address != address_of(pointer)) return false;
    if (!allocation.name.empty()) return false;
    const auto shared = state.shared_memory.find(allocation.address);
    return !shared || shared->kind == SharedKind::managed;
}

cudaError_t free_device(void* pointer) {
    if (pointer == nullptr) return cudaSuccess;
    if (!is_freeable(pointer)) return cudaErrorInvalidValue;
    process().shared_memory.remove(address_of(pointer), SharedKind::managed);
    return process().memory.release(address_of(pointer)) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t allocate_pitched(void** pointer, size_t* pitch, size_t width, size_t rows) {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    if (width > std::numeric_limits<size_t>::max() - pitch_granule) return cudaErrorMemoryAllocation;
    *pitch = (width + pitch_granule - 1) / pitch_granule * pitch_granule;
    if (*pitch != 0 && rows > std::numeric_limits<size_t>::max() / *pitch) return cudaErrorMemoryAllocation;
    return allocate_unset(pointer, *pitch * rows);
}

cudaError_t allocate_pinned(void** pointer, size_t bytes, unsigned flags) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (pointer == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (bytes > process().memory.capacity()) return cudaErrorMemoryAllocation;
    void* memory = std::aligned_alloc(page, (bytes + page - 1) / page * page);
    if (memory == nullptr) return cudaErrorMemoryAllocation;
    if (!process().memory.adopt(address_of(memory), bytes)) {
        std::free(memory);
        return cudaErrorMemoryAllocation;
    }
    // Pinned memory is mapped on every 64-bit system, asked for or not.
    process().shared_memory.add(address_of(memory), {SharedKind::pinned, flags | cudaHostAllocMapped});
    *pointer = memory;
    return cudaSuccess;
}

cudaError_t free_pinned(void* pointer) {
    if (pointer == nullptr) return cudaSuccess;
    if (!process().shared_memory.remove(address_of(pointer), SharedKind::pinned)) return cudaErrorInvalidValue;
    process().memory.disown(address_of(pointer));
    std::free(pointer);
    return cudaSuccess;
}

cudaError_t register_host(void* pointer, size_t bytes, unsigned flags) {
    constexpr unsigned known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (pointer == nullptr || bytes == 0 || (flags & ~known) != 0) return cudaErrorInvalidValue;
    if (!process().memory.adopt(address_of(pointer), bytes)) return cudaErrorHostMemoryAlreadyRegistered;
    process().shared_memory.add(address_of(pointer), {SharedKind::registered, flags | cudaHostRegisterMapped});
    return cudaSuccess;
}

cudaError_t unregister_host(void* pointer) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    if (!process().shared_memory.remove(address_of(pointer), SharedKind::registered))
        return cudaErrorHostMemoryNotRegistered;
    process().memory.disown(address_of(pointer));
    return cudaSuccess;
}

// Pinned or registered memory that holds an address; managed memory is none.
std::optional<SharedMemory> host_memory_at(const void* pointer) {
    const auto allocation = process().memory.find(address_of(pointer));
    if (allocation.bytes == 0 || allocation.freed) return std::nullopt;
    const auto shared = process().shared_memory.find(allocation.address);
    return shared && shared->kind != SharedKind::managed ? shared : std::nullopt;
}

void describe(const void* pointer, cudaPointerAttributes& attributes) {
    constexpr int no_device = -2;  // cudaInvalidDeviceId
    attributes = {};
    attributes.type = cudaMemoryTypeUnregistered;
    attributes.device = no_device;
    attributes.hostPointer = const_cast<void*>(pointer);
    const auto allocation = process().memory.find(address_of(pointer));
    if (allocation.bytes == 0 || allocation.freed) return;
    attributes.device = 0;
    attributes.devicePointer = const_cast<void*>(pointer);
    const auto shared = process().shared_memory.find(allocation.address);
    if (!shared) {
        attributes.type = cudaMemoryTypeDevice;
        attributes.hostPointer = nullptr;
    } else {
        attributes.type = shared->kind == SharedKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    }
}

// Memory that a graph allocates would be another at each launch of the graph: that is not emulated.
template <typename Run>
cudaError_t in_stream_order(const char* call, cudaStream_t stream, Run run) {
    return use_device([&] {
        if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
        if (process().captures.status(stream) == cudaStreamCaptureStatusNone) return run();
        process().captures.invalidate(stream);
        print_message(
            "note", std::string(call) + ": the emulator's graphs allocate no memory; do it before the capture begins");
        return cudaErrorNotSupported;
    });
}

}  // namespace

LANES_EXPORT cudaError_t cudaMalloc(void** pointer, size_t bytes) {
    return outside_capture([&] { return allocate_unset(pointer, bytes); });
}

LANES_EXPORT cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
    return in_stream_order("cudaMallocAsync", stream, [&] { return allocate_unset(pointer, bytes); });
}

LANES_EXPORT cudaError_t cudaFree(void* pointer) {
    return outside_capture([&] { return free_device(pointer); });
}

LANES_EXPORT cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    return in_stream_order("cudaFreeAsync", stream, [&] { return free_device(pointer); });
}

LANES_EXPORT cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
    return outside_capture([&] {
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
        const cudaError_t error = allocate_device(pointer, bytes);
        if (error == cudaSuccess && *pointer != nullptr)
            process().shared_memory.add(address_of(*pointer), {SharedKind::managed, flags});
        return error;
    });
}

LANES_EXPORT cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
    return outside_capture([&] { return allocate_pitched(pointer, pitch, width, height); });
}

LANES_EXPORT cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
    return outside_capture([&] {
        if (pitched == nullptr) return cudaErrorInvalidValue;
        if (extent.depth != 0 && extent.height > std::numeric_limits<size_t>::max() / extent.depth)
            return cudaErrorMemoryAllocation;
        *pitched = {nullptr, 0, extent.width, extent.height};
        return allocate_pitched(&pitched->ptr, &pitched->pitch, extent.width, extent.height * extent.depth);
    });
}

LANES_EXPORT cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
    return outside_capture([&] { return allocate_pinned(pointer, bytes, flags); });
}

LANES_EXPORT cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
    return outside_capture([&] { return allocate_pinned(pointer, bytes, cudaHostAllocDefault); });
}

LANES_EXPORT cudaError_t cudaFreeHost(void* pointer) {
    return outside_capture([&] { return free_pinned(pointer); });
}

LANES_EXPORT cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
    return outside_capture([&] { return register_host(pointer, bytes, flags); });
}

LANES_EXPORT cudaError_t cudaHostUnregister(void* pointer) {
    return outside_capture([&] { return unregister_host(pointer); });
}

LANES_EXPORT cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
    return use_device([&] {
        if (device == nullptr || flags != 0 || !host_memory_at(host)) return cudaErrorInvalidValue;
        *device = host;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return use_device([&] {
        const auto memory = host_memory_at(host);
        if (flags == nullptr || !memory) return cudaErrorInvalidValue;
        *flags = memory->flags;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    return query([&] {
        if (attributes == nullptr) return cudaErrorInvalidValue;
        describe(pointer, *attributes);
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return use_device([&] {
        Process& state = process();
        if (free != nullptr) *free = state.memory.capacity() - state.memory.used();
        if (total != nullptr) *total = state.profile().memory_bytes();
        return cudaSuccess;
    });
}
