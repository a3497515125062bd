/// @file
/// @brief The pattern that marks memory nothing has written to.
#pragma once

#include <cstring>
#include <type_traits>

namespace lanes {

/// @brief The byte that poisons an array of `T`: memory filled with it holds no result that a kernel would compute.
///
/// 0xff makes every float, double, half and bfloat16 a NaN with all its bits set, which is not the NaN that
/// arithmetic produces. Integers get 0xa5, because 0xff would make them -1; a 32-bit int is then -1515870811.
template <typename T>
inline constexpr unsigned char poison_byte = std::is_integral_v<T> ? 0xa5 : 0xff;

/// @brief Whether every byte of `value` still is poison.
///
/// For types of one byte the answer means little: 0xa5 is as good a value as any.
/// @param value an element copied from the device
template <typename T>
bool is_poison(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const auto byte : bytes) {
        if (byte != poison_byte<T>) return false;
    }
    return true;
}

}  // namespace lanes
