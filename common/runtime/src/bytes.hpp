/// @file
/// @brief Reads numbers out of bytes that may be too few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace lanes::runtime {

/// The value of type T at an offset.
/// @param bytes   the data
/// @param offset  where the value starts; need not be aligned
/// @return the value, or nothing if it does not lie within the data
template <typename T>
std::optional<T> read_at(std::span<const std::byte> bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

/// A part of the data.
/// @param bytes   the data
/// @param offset  where the part starts
/// @param count   its size
/// @return the part, or nothing if it does not lie within the data
inline std::optional<std::span<const std::byte>> part_of(std::span<const std::byte> bytes, std::uint64_t offset,
                                                         std::uint64_t count) {
    if (offset > bytes.size() || bytes.size() - offset < count) return std::nullopt;
    return bytes.subspan(offset, count);
}

}  // namespace lanes::runtime
