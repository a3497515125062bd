/// @file
/// @brief Enumerators that a caller hands over, read as the numbers they are.
#pragma once

#include <cstring>
#include <type_traits>

namespace lanes::runtime {

/// The number behind an enumerator. A C program may pass any number where CUDA's headers say an enum, and reading an
/// enum whose value is none of its own is undefined in C++: so no call reads one before it has gone through here.
/// @param enumerator  as the caller gave it; only its bytes are looked at
/// @return its value, whether or not it has a name
template <typename Enum>
int enum_number(const Enum& enumerator) noexcept {
    static_assert(std::is_enum_v<Enum> && sizeof(Enum) == sizeof(int));
    int number = 0;
    std::memcpy(&number, &enumerator, sizeof number);
    return number;
}

}  // namespace lanes::runtime
