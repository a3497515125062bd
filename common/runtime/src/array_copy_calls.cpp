// Copies to, from and between CUDA arrays.
#include "array_copies.hpp"
#include "enum_number.hpp"
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

LANES_EXPORT cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t offset, size_t row, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
    return on_legacy_stream([&] {
        return copy_bytes_to_array("cudaMemcpyToArray", {to, offset, row}, from, bytes, enum_number(kind));
    });
}

LANES_EXPORT cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t offset, size_t row, const void* from,
                                                size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_bytes_to_array("cudaMemcpyToArrayAsync", {to, offset, row}, from, bytes, direction);
    });
}

LANES_EXPORT cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t offset, size_t row, size_t bytes,
                                             cudaMemcpyKind kind) {
    return on_legacy_stream([&] {
        return copy_bytes_from_array("cudaMemcpyFromArray", to, {from, offset, row}, bytes, enum_number(kind));
    });
}

LANES_EXPORT cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t offset, size_t row,
                                                  size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_bytes_from_array("cudaMemcpyFromArrayAsync", to, {from, offset, row}, bytes, direction);
    });
}

LANES_EXPORT cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t offset, size_t row, const void* from, size_t pitch,
                                             size_t width, size_t height, cudaMemcpyKind kind) {
    return on_legacy_stream([&] {
        return copy_to_array("cudaMemcpy2DToArray", {to, offset, row}, {from, pitch}, {width, height},
                             enum_number(kind));
    });
}

LANES_EXPORT cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t offset, size_t row, const void* from,
                                                  size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                                  cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_to_array("cudaMemcpy2DToArrayAsync", {to, offset, row}, {from, pitch}, {width, height}, direction);
    });
}

LANES_EXPORT cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t offset,
                                               size_t row, size_t width, size_t height, cudaMemcpyKind kind) {
    return on_legacy_stream([&] {
        return copy_from_array("cudaMemcpy2DFromArray", {to, pitch}, {from, offset, row}, {width, height},
                               enum_number(kind));
    });
}

LANES_EXPORT cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t offset,
                                                    size_t row, size_t width, size_t height, cudaMemcpyKind kind,
                                                    cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeMemcpy, [=, direction = enum_number(kind)] {
        return copy_from_array("cudaMemcpy2DFromArrayAsync", {to, pitch}, {from, offset, row}, {width, height},
                               direction);
    });
}

// Both sides are arrays, so the kind can say nothing new.
LANES_EXPORT cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_offset, size_t to_row,
                                                  cudaArray_const_t from, size_t from_offset, size_t from_row,
                                                  size_t width, size_t height, cudaMemcpyKind kind) {
    return on_legacy_stream([&] {
        const int direction = enum_number(kind);
        if (direction != cudaMemcpyDeviceToDevice && direction != cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        return copy_array_to_array("cudaMemcpy2DArrayToArray", {to, to_offset, to_row}, {from, from_offset, from_row},
                                   {width, height});
    });
}
