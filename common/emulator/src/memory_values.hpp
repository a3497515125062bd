/// @file
/// @brief How values move between memory and register rows.
///
/// Blocks run on several host threads, so device memory is read and written with atomics. The vector of a lane that is
/// volatile, relaxed or stronger moves as one, up to 16 bytes, as it does on hardware: PTX does not promise it, but the
/// look-back of CUB (a flag and its value in one .v2) depends on it. Reads acquire and writes release, which orders
/// ld.acquire and st.release and costs nothing on x86-64: all are plain moves there. Shared and local memory and
/// parameters belong to one host thread.
#pragma once

#include "memory_access.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
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

#if defined(__SANITIZE_THREAD__)
#define LANES_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LANES_THREAD_SANITIZER 1
#endif
#endif

#ifdef LANES_THREAD_SANITIZER

// The thread sanitizer takes only atomics of the language for atomic, and those end at 8 bytes without a library. So
// under it, and only there, another host thread can see half of 16 bytes.
inline Bits128 read_16_bytes(const std::byte* from) {
    return {__atomic_load_n(reinterpret_cast<const std::uint64_t*>(from), __ATOMIC_ACQUIRE),
            __atomic_load_n(reinterpret_cast<const std::uint64_t*>(from) + 1, __ATOMIC_ACQUIRE)};
}

inline void write_16_bytes(std::byte* to, Bits128 value) {
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(to), value.low, __ATOMIC_RELEASE);
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(to) + 1, value.high, __ATOMIC_RELEASE);
}

#else

/// 16 bytes that the compiler moves with one instruction if the access is volatile. Of aligned ones, that is atomic on
/// x86-64 processors with AVX (so Intel's and AMD's manuals say) and on 64-bit Arm from version 8.4 on.
typedef std::uint64_t Register128 __attribute__((vector_size(16), aligned(1), may_alias));

/// Reads 16 bytes that other host threads may be writing.
inline Bits128 read_16_bytes(const std::byte* from) {
    const Register128 value = *reinterpret_cast<const volatile Register128*>(from);
    std::atomic_thread_fence(std::memory_order_acquire);
    return {value[0], value[1]};
}

/// Writes 16 bytes that other host threads may be reading.
inline void write_16_bytes(std::byte* to, Bits128 value) {
    std::atomic_thread_fence(std::memory_order_release);
    *reinterpret_cast<volatile Register128*>(to) = Register128{value.low, value.high};
}

#endif

/// Reads a value that other host threads may be writing.
template <typename Value>
Value read_value(const std::byte* from) {
    if constexpr (std::is_same_v<Value, Bits128>) {
        return read_16_bytes(from);
    } else {
        return __atomic_load_n(reinterpret_cast<const Value*>(from), __ATOMIC_ACQUIRE);
    }
}

/// Writes a value that other host threads may be reading.
template <typename Value>
void write_value(std::byte* to, Value value) {
    if constexpr (std::is_same_v<Value, Bits128>) {
        write_16_bytes(to, value);
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

/// What moves as one of a vector of `bytes`: all of it, or 16 bytes of a longer one.
template <std::size_t bytes>
using VectorUnit = std::conditional_t<
    bytes >= 16, Bits128,
    std::conditional_t<
        bytes == 8, std::uint64_t,
        std::conditional_t<bytes == 4, std::uint32_t, std::conditional_t<bytes == 2, std::uint16_t, std::uint8_t>>>>;

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
