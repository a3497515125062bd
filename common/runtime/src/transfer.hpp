/// @file
/// @brief Copies and fills, checked against the table of device memory before a byte moves.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace lanes::runtime {

/// The shape of a block of memory.
struct Rows {
    std::size_t width = 0;  ///< bytes of a row
    std::size_t rows = 1;   ///< how many
};

/// Copies bytes.
/// @param call   the CUDA call, for messages
/// @param to     destination
/// @param from   source
/// @param bytes  how many
/// @param kind   a cudaMemcpyKind: which sides are device memory; with cudaMemcpyDefault each pointer tells
/// @return cudaErrorInvalidValue if a device side does not lie within one live allocation, or a host side does lie in
///         device memory; cudaErrorInvalidMemcpyDirection for an unknown kind
cudaError_t copy(const char* call, void* to, const void* from, std::size_t bytes, int kind);

/// Copies rows.
/// @param call        the CUDA call, for messages
/// @param to          destination
/// @param to_pitch    bytes from row to row in the destination
/// @param from        source
/// @param from_pitch  bytes from row to row in the source
/// @param shape       what to copy
/// @param kind        as for `copy`
/// @return cudaErrorInvalidPitchValue if a pitch is smaller than a row, else as `copy`
cudaError_t copy_rows(const char* call, void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      Rows shape, int kind);

/// Sets every byte of rows in device memory.
/// @param call   the CUDA call, for messages
/// @param to     destination
/// @param pitch  bytes from row to row
/// @param value  its lowest byte is used
/// @param shape  what to set
/// @return cudaErrorInvalidValue if the rows do not lie within one live allocation, or are wider than the pitch
cudaError_t fill_rows(const char* call, void* to, std::size_t pitch, int value, Rows shape);

/// Whether a copy may have the device's memory as its destination.
/// @param kind  a cudaMemcpyKind
inline bool goes_to_device(int kind) {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

/// Whether a copy may have the device's memory as its source.
/// @param kind  a cudaMemcpyKind
inline bool comes_from_device(int kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

/// Whether a range lies within one managed allocation.
/// @param pointer  its start
/// @param bytes    its size
/// @return cudaErrorInvalidValue if not
cudaError_t check_managed(const void* pointer, std::size_t bytes);

}  // namespace lanes::runtime
