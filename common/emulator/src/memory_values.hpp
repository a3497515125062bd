/// @file
/// @brief How values move between memory and register rows.
///
/// Blocks run on several host threads, so device memory is read and written with atomics of the element's width, with
/// the tearing that hardware has. Reads acquire and writes release, which orders ld.acquire and st.release and costs
/// nothing on x86-64: all are plain moves there. Shared and local memory and parameters belong to one host thread.
#pragma once

#include "memory_access.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace lanes::emulator {

/// A .b128 value.
struct Bits128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Bits128&) const = default;
};

/// Reads a value that other host threads may be writing.
template <typename Value>
Value read_value(const std::byte* from) {
    if constexpr (std::is_same_v<Value, Bits128>) {
        return {read_value<std::uint64_t>(from), read_value<std::uint64_t>(from + sizeof(std::uint64_t))};
    } else {
        return __atomic_load_n(reinterpret_cast<const Value*>(from), __ATOMIC_ACQUIRE);
    }
}

/// Writes a value that other host threads may be reading.
template <typename Value>
void write_value(std::byte* to, Value value) {
    if constexpr (std::is_same_v<Value, Bits128>) {
        write_value(to, value.low);
        write_value(to + sizeof(std::uint64_t), value.high);
    } else {
        __atomic_store_n(reinterpret_cast<Value*>(to), value, __ATOMIC_RELEASE);
    }
}

/// Reads a value at any alignment that no other host thread writes.
template <typename Value>
Value read_own(const std::byte* from) {
    Value value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Writes a value at any alignment that no other host thread reads.
template <typename Value>
void write_own(std::byte* to, Value value) {
    std::memcpy(to, &value, sizeof value);
}

/// Slots of a vector operand.
inline const Slot* vector_slots(const Warp& warp, const Operation& operation) {
    return warp.block->launch->program.vectors[operation.extra].data();
}

/// Calls `use(std::integral_constant<unsigned, n>)` for the number of rows of an access: 1, 2 or 4.
template <typename Use>
void with_rows(std::uint32_t rows, const Use& use) {
    switch (rows) {
        case 2:
            return use(std::integral_constant<unsigned, 2>{});
        case 4:
            return use(std::integral_constant<unsigned, 4>{});
        default:
            return use(std::integral_constant<unsigned, 1>{});
    }
}

/// Calls `use(std::integral_constant<unsigned, n>)` for the number of elements of a vector access: 1, 2, 4 or 8.
template <typename Use>
void with_elements(unsigned elements, const Use& use) {
    switch (elements) {
        case 2:
            return use(std::integral_constant<unsigned, 2>{});
        case 4:
            return use(std::integral_constant<unsigned, 4>{});
        case 8:
            return use(std::integral_constant<unsigned, 8>{});
        default:
            return use(std::integral_constant<unsigned, 1>{});
    }
}

}  // namespace lanes::emulator
