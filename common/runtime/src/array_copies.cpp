#include "array_copies.hpp"

#include "enum_number.hpp"
#include "process.hpp"
#include "transfer.hpp"

#include <optional>

namespace lanes::runtime {

namespace {

std::optional<Array> find_array(cudaArray_const_t array) {
    return process().arrays.get(const_cast<cudaArray_t>(array));
}

std::byte* start_of(const Array& array, const ArrayPlace& place) {
    return reinterpret_cast<std::byte*>(array.address) + place.row * array.row_bytes() + place.bytes;
}

bool has_rows(const Array& array, const ArrayPlace& place, const ArrayRows& rows) {
    const std::size_t width = array.row_bytes();
    return place.bytes <= width && rows.width <= width - place.bytes && place.row <= array.rows() &&
           rows.height <= array.rows() - place.row;
}

bool has_bytes(const Array& array, const ArrayPlace& place, std::size_t bytes) {
    if (place.bytes > array.row_bytes() || place.row > array.rows()) return false;
    const std::size_t first = place.row * array.row_bytes() + place.bytes;
    const std::size_t all = array.row_bytes() * array.rows();
    return first <= all && bytes <= all - first;
}

// One side of cudaMemcpy3D: the first byte of the box, and the bytes from row to row and from slice to slice.
struct BoxSide {
    std::byte* start = nullptr;
    std::size_t pitch = 0;
    std::size_t slice = 0;
};

std::optional<BoxSide> side_of_array(const Array& array, const cudaPos& at, const cudaExtent& extent) {
    const bool fits = at.x <= array.extent.width && extent.width <= array.extent.width - at.x && at.y <= array.rows() &&
                      extent.height <= array.rows() - at.y && at.z <= array.slices() &&
                      extent.depth <= array.slices() - at.z;
    if (!fits) return std::nullopt;
    const std::size_t slice = array.row_bytes() * array.rows();
    return BoxSide{reinterpret_cast<std::byte*>(array.address) + at.z * slice + at.y * array.row_bytes() +
                       at.x * array.element_bytes,
                   array.row_bytes(), slice};
}

// A position in pitched memory is counted in bytes, whether or not an array takes part.
BoxSide side_of_pointer(const cudaPitchedPtr& memory, const cudaPos& at) {
    const std::size_t slice = memory.ysize * memory.pitch;
    return {static_cast<std::byte*>(memory.ptr) + at.z * slice + at.y * memory.pitch + at.x, memory.pitch, slice};
}

std::optional<BoxSide> side_of(cudaArray_t handle, const std::optional<Array>& array, const cudaPitchedPtr& memory,
                               const cudaPos& at, const cudaExtent& extent) {
    const bool exactly_one = (handle != nullptr) != (memory.ptr != nullptr);
    if (!exactly_one || (handle != nullptr && !array)) return std::nullopt;
    return array ? side_of_array(*array, at, extent) : side_of_pointer(memory, at);
}

}  // namespace

cudaError_t copy_to_array(const char* call, const ArrayPlace& to, const LinearPlace& from, const ArrayRows& rows,
                          int kind) {
    const auto array = find_array(to.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!goes_to_device(kind)) return cudaErrorInvalidMemcpyDirection;
    if (!has_rows(*array, to, rows)) return cudaErrorInvalidValue;
    return copy_rows(call, start_of(*array, to), array->row_bytes(), from.pointer, from.pitch,
                     {rows.width, rows.height}, kind);
}

cudaError_t copy_from_array(const char* call, const LinearPlace& to, const ArrayPlace& from, const ArrayRows& rows,
                            int kind) {
    const auto array = find_array(from.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!comes_from_device(kind)) return cudaErrorInvalidMemcpyDirection;
    if (!has_rows(*array, from, rows)) return cudaErrorInvalidValue;
    return copy_rows(call, const_cast<void*>(to.pointer), to.pitch, start_of(*array, from), array->row_bytes(),
                     {rows.width, rows.height}, kind);
}

cudaError_t copy_array_to_array(const char* call, const ArrayPlace& to, const ArrayPlace& from, const ArrayRows& rows) {
    const auto source = find_array(from.array);
    if (!source) return cudaErrorInvalidResourceHandle;
    if (!has_rows(*source, from, rows)) return cudaErrorInvalidValue;
    return copy_to_array(call, to, {start_of(*source, from), source->row_bytes()}, rows, cudaMemcpyDeviceToDevice);
}

cudaError_t copy_bytes_to_array(const char* call, const ArrayPlace& to, const void* from, std::size_t bytes, int kind) {
    const auto array = find_array(to.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!goes_to_device(kind)) return cudaErrorInvalidMemcpyDirection;
    if (!has_bytes(*array, to, bytes)) return cudaErrorInvalidValue;
    return copy(call, start_of(*array, to), from, bytes, kind);
}

cudaError_t copy_bytes_from_array(const char* call, void* to, const ArrayPlace& from, std::size_t bytes, int kind) {
    const auto array = find_array(from.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (!comes_from_device(kind)) return cudaErrorInvalidMemcpyDirection;
    if (!has_bytes(*array, from, bytes)) return cudaErrorInvalidValue;
    return copy(call, to, start_of(*array, from), bytes, kind);
}

cudaError_t copy_box(const char* call, const cudaMemcpy3DParms& box) {
    const auto from_array = find_array(box.srcArray);
    const auto to_array = find_array(box.dstArray);
    const std::size_t element_bytes = from_array ? from_array->element_bytes : to_array ? to_array->element_bytes : 1;
    const auto to = side_of(box.dstArray, to_array, box.dstPtr, box.dstPos, box.extent);
    const auto from = side_of(box.srcArray, from_array, box.srcPtr, box.srcPos, box.extent);
    if (!to || !from) return cudaErrorInvalidValue;
    for (std::size_t slice = 0; slice < box.extent.depth; ++slice) {
        const cudaError_t error =
            copy_rows(call, to->start + slice * to->slice, to->pitch, from->start + slice * from->slice, from->pitch,
                      {box.extent.width * element_bytes, box.extent.height}, enum_number(box.kind));
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace lanes::runtime
