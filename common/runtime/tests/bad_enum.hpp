/// @file
/// @brief Enumerators that do not exist, as a C program can pass them.
#pragma once

#include <cstring>

namespace lanes::runtime::tests {

/// An enum with any number as its value.
template <typename Enum>
Enum bad_enum(int number) {
    Enum result{};
    static_assert(sizeof result == sizeof number);
    std::memcpy(&result, &number, sizeof number);
    return result;
}

}  // namespace lanes::runtime::tests
