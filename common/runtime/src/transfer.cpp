#include "transfer.hpp"

#include "process.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>

namespace lanes::runtime {

namespace {

std::uint64_t address_of(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

enum class Side { host, device, either };

// One end of a transfer, and the call it belongs to.
struct End {
    const char* call;
    const char* role;
    Side side;
    const void* pointer;
    std::size_t bytes;
};

struct Sides {
    Side to;
    Side from;
};

std::optional<Sides> sides_of(int kind) {
    switch (kind) {
        case cudaMemcpyHostToDevice:
            return Sides{Side::device, Side::host};
        case cudaMemcpyDeviceToHost:
            return Sides{Side::host, Side::device};
        case cudaMemcpyDeviceToDevice:
            return Sides{Side::device, Side::device};
        case cudaMemcpyHostToHost:  // the runtime lets the pointers decide here too
        case cudaMemcpyDefault:
            return Sides{Side::either, Side::either};
    }
    return std::nullopt;
}

// CUDA says only "invalid argument"; a reader needs to know which one and by how much.
cudaError_t refuse(const End& end, const std::string& why) {
    std::ostringstream text;
    text << end.call << ": the " << end.role << ", " << end.bytes << " bytes at " << end.pointer << ", " << why;
    print_message("note", text.str());
    return cudaErrorInvalidValue;
}

cudaError_t refuse_device(const End& end, const emulator::Allocation& allocation) {
    if (allocation.bytes == 0) return refuse(end, "is not device memory");
    if (allocation.freed) return refuse(end, "lies in device memory that was freed");
    const std::uint64_t past = address_of(end.pointer) + end.bytes - (allocation.address + allocation.bytes);
    return refuse(end, "ends " + std::to_string(past) + " bytes after the end of an allocation of " +
                           std::to_string(allocation.bytes) + " bytes");
}

cudaError_t check(const End& end) {
    Process& state = process();
    const auto allocation = state.memory.find(address_of(end.pointer));
    // Long after device memory was freed, the host's own arrays may lie where it was.
    const bool known = allocation.bytes != 0 && !allocation.given_back;
    if (!known && end.side != Side::device) return cudaSuccess;
    if (!state.memory.contains(address_of(end.pointer), end.bytes)) return refuse_device(end, allocation);
    if (end.side == Side::host && !state.shared_memory.find(allocation.address))
        return refuse(end, "is device memory, and the copy's kind says it is host memory");
    return cudaSuccess;
}

// Copies a row, and with it the knowledge of whether a kernel may read it: whatever host memory holds counts as
// written.
void copy_row(void* to, const void* from, std::size_t bytes) {
    std::memmove(to, from, bytes);
    auto& memory = process().memory;
    if (memory.contains(address_of(to), bytes)) mark_copied(memory, address_of(to), address_of(from), bytes);
}

// Bytes from the start of the first row to the end of the last; nothing if that is no 64-bit number.
std::optional<std::size_t> extent(std::size_t pitch, Rows shape) {
    std::size_t bytes = 0;
    if (__builtin_mul_overflow(shape.rows - 1, pitch, &bytes) || __builtin_add_overflow(bytes, shape.width, &bytes))
        return std::nullopt;
    return bytes;
}

}  // namespace

cudaError_t copy(const char* call, void* to, const void* from, std::size_t bytes, int kind) {
    return copy_rows(call, to, bytes, from, bytes, {bytes, 1}, kind);
}

cudaError_t copy_rows(const char* call, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      Rows shape, int kind) {
    if (shape.width == 0 || shape.rows == 0) return cudaSuccess;
    const auto sides = sides_of(kind);
    if (!sides) return cudaErrorInvalidMemcpyDirection;
    if (to_pitch < shape.width || from_pitch < shape.width) return cudaErrorInvalidPitchValue;
    const auto to_bytes = extent(to_pitch, shape);
    const auto from_bytes = extent(from_pitch, shape);
    if (to == nullptr || from == nullptr || !to_bytes || !from_bytes) return cudaErrorInvalidValue;
    if (const auto error = check({call, "destination", sides->to, to, *to_bytes}); error != cudaSuccess) return error;
    if (const auto error = check({call, "source", sides->from, from, *from_bytes}); error != cudaSuccess) return error;
    for (std::size_t row = 0; row < shape.rows; ++row)
        copy_row(static_cast<std::byte*>(to) + row * to_pitch, static_cast<const std::byte*>(from) + row * from_pitch,
                 shape.width);
    return cudaSuccess;
}

cudaError_t fill_rows(const char* call, void* to, std::size_t pitch, int value, Rows shape) {
    if (shape.width == 0 || shape.rows == 0) return cudaSuccess;
    const auto bytes = extent(pitch, shape);
    if (to == nullptr || !bytes || (shape.rows > 1 && pitch < shape.width)) return cudaErrorInvalidValue;
    if (const auto error = check({call, "destination", Side::device, to, *bytes}); error != cudaSuccess) return error;
    for (std::size_t row = 0; row < shape.rows; ++row) {
        std::byte* start = static_cast<std::byte*>(to) + row * pitch;
        std::memset(start, value, shape.width);
        mark_written(process().memory, address_of(start), shape.width);
    }
    return cudaSuccess;
}

cudaError_t check_managed(const void* pointer, std::size_t bytes) {
    Process& state = process();
    const auto shared = state.shared_memory.find(state.memory.find(address_of(pointer)).address);
    const bool managed = shared && shared->kind == SharedKind::managed;
    return managed && state.memory.contains(address_of(pointer), bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace lanes::runtime
