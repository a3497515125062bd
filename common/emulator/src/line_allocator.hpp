/// @file
/// @brief Vectors that begin at a cache line, so that 64-byte loads from them lie in one line each.
#pragma once

#include <cstddef>
#include <new>

namespace lanes::emulator {

/// An allocator whose memory begins at a multiple of 64 bytes.
template <typename T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    LineAllocator() = default;
    template <typename Other>
    LineAllocator(const LineAllocator<Other>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
    void deallocate(T* begin, std::size_t) { ::operator delete(begin, alignment); }
    bool operator==(const LineAllocator&) const = default;
};

}  // namespace lanes::emulator
