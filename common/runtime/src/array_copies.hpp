/// @file
/// @brief Copies to, from and between CUDA arrays, checked before a byte moves.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace lanes::runtime {

/// A place in an array.
struct ArrayPlace {
    cudaArray_const_t array = nullptr;  ///< as the caller gave it
    std::size_t bytes = 0;              ///< from the start of the row
    std::size_t row = 0;                ///< of the first slice
};

/// A place in linear memory.
struct LinearPlace {
    const void* pointer = nullptr;  ///< as the caller gave it
    std::size_t pitch = 0;          ///< bytes from row to row
};

/// Bytes a row, and rows.
struct ArrayRows {
    std::size_t width = 0;   ///< bytes of a row
    std::size_t height = 0;  ///< rows
};

/// Copies rows into an array.
/// @param call  the CUDA call, for messages
/// @param to    where to
/// @param from  where from
/// @param rows  how much
/// @param kind  a cudaMemcpyKind: the array is the device's side
/// @return cudaErrorInvalidResourceHandle if there is no such array, cudaErrorInvalidMemcpyDirection if the kind says
///         that it is the host's side, cudaErrorInvalidValue if the rows do not lie in it, else as `copy_rows`
cudaError_t copy_to_array(const char* call, const ArrayPlace& to, const LinearPlace& from, const ArrayRows& rows,
                          int kind);

/// Copies rows out of an array.
/// @param call  the CUDA call, for messages
/// @param to    where to; the pointer is written to
/// @param from  where from
/// @param rows  how much
/// @param kind  a cudaMemcpyKind: the array is the device's side
/// @return as `copy_to_array`
cudaError_t copy_from_array(const char* call, const LinearPlace& to, const ArrayPlace& from, const ArrayRows& rows,
                            int kind);

/// Copies rows from array to array.
/// @param call  the CUDA call, for messages
/// @param to    where to
/// @param from  where from
/// @param rows  how much
/// @return as `copy_to_array`
cudaError_t copy_array_to_array(const char* call, const ArrayPlace& to, const ArrayPlace& from, const ArrayRows& rows);

/// Copies bytes into an array, from row to row.
/// @param call   the CUDA call, for messages
/// @param to     where the first byte goes
/// @param from   where from
/// @param bytes  how many
/// @param kind   a cudaMemcpyKind: the array is the device's side
/// @return as `copy_to_array`
cudaError_t copy_bytes_to_array(const char* call, const ArrayPlace& to, const void* from, std::size_t bytes, int kind);

/// Copies bytes out of an array, from row to row.
/// @param call   the CUDA call, for messages
/// @param to     where to
/// @param from   where the first byte is
/// @param bytes  how many
/// @param kind   a cudaMemcpyKind: the array is the device's side
/// @return as `copy_to_array`
cudaError_t copy_bytes_from_array(const char* call, void* to, const ArrayPlace& from, std::size_t bytes, int kind);

/// Copies a box between arrays and pitched memory, as cudaMemcpy3D does.
/// @param call  the CUDA call, for messages
/// @param box   what to copy; lengths along x are elements if an array takes part, else bytes
/// @return as `copy_rows`
cudaError_t copy_box(const char* call, const cudaMemcpy3DParms& box);

}  // namespace lanes::runtime
