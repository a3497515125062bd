// Variables by the names they have in the source: copies to and from them, their addresses and sizes.
#include "enum_number.hpp"
#include "loading.hpp"
#include "stream_work.hpp"
#include "transfer.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

namespace {

// Finds the part of a variable that a copy is about.
cudaError_t find_part(const void* symbol, size_t bytes, size_t offset, std::byte*& start) {
    VariableEntry* variable = nullptr;
    if (const cudaError_t error = find_loaded_variable(symbol, variable); error != cudaSuccess) return error;
    if (offset > variable->bytes || bytes > variable->bytes - offset) return cudaErrorInvalidValue;
    start = reinterpret_cast<std::byte*>(variable->address) + offset;
    return cudaSuccess;
}

cudaError_t copy_to(const char* call, const void* symbol, const void* from, size_t bytes, size_t offset, int kind) {
    if (!goes_to_device(kind)) return cudaErrorInvalidMemcpyDirection;
    std::byte* to = nullptr;
    if (const cudaError_t error = find_part(symbol, bytes, offset, to); error != cudaSuccess) return error;
    return copy(call, to, from, bytes, kind);
}

cudaError_t copy_from(const char* call, void* to, const void* symbol, size_t bytes, size_t offset, int kind) {
    if (!comes_from_device(kind)) return cudaErrorInvalidMemcpyDirection;
    std::byte* from = nullptr;
    if (const cudaError_t error = find_part(symbol, bytes, offset, from); error != cudaSuccess) return error;
    return copy(call, to, from, bytes, kind);
}

}  // namespace

LANES_EXPORT cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                            cudaMemcpyKind kind) {
    return on_legacy_stream(
        [&] { return copy_to("cudaMemcpyToSymbol", symbol, from, bytes, offset, enum_number(kind)); });
}

LANES_EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_to("cudaMemcpyToSymbolAsync", symbol, from, bytes, offset, direction);
    });
}

LANES_EXPORT cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                              cudaMemcpyKind kind) {
    return on_legacy_stream(
        [&] { return copy_from("cudaMemcpyFromSymbol", to, symbol, bytes, offset, enum_number(kind)); });
}

LANES_EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_from("cudaMemcpyFromSymbolAsync", to, symbol, bytes, offset, direction);
    });
}

LANES_EXPORT cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return use_device([&] {
        if (pointer == nullptr) return cudaErrorInvalidValue;
        VariableEntry* variable = nullptr;
        if (const cudaError_t error = find_loaded_variable(symbol, variable); error != cudaSuccess) return error;
        *pointer = reinterpret_cast<void*>(variable->address);
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return use_device([&] {
        if (bytes == nullptr) return cudaErrorInvalidValue;
        VariableEntry* variable = nullptr;
        if (const cudaError_t error = find_loaded_variable(symbol, variable); error != cudaSuccess) return error;
        *bytes = variable->bytes;
        return cudaSuccess;
    });
}
