/// @file
/// @brief A fuzzer's bytes as a row of choices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanes::fuzz {

/// Takes choices from bytes, front to back. When they are used up every choice is 0: the simplest.
class ByteSource {
public:
    /// @param bytes  must outlive the source
    explicit ByteSource(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    /// True if all further choices are 0.
    bool empty() const { return next_ == bytes_.size(); }
    /// A number of 8 bits.
    std::uint32_t byte() { return empty() ? 0 : bytes_[next_++]; }
    /// A number of 32 bits.
    std::uint32_t word() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; shift < 32; shift += 8) value |= byte() << shift;
        return value;
    }
    /// A number below `limit`, which is from 1 to 65,536. It takes as many bytes as it needs.
    std::uint32_t below(std::size_t limit) {
        const std::uint32_t low = byte();
        return static_cast<std::uint32_t>((limit > 256 ? byte() << 8 | low : low) % limit);
    }
    /// True for one byte in so many; false when the bytes are used up.
    bool one_in(std::uint32_t count) { return below(count) == count - 1; }
    /// An element of an array or vector.
    template <typename Array>
    const auto& pick(const Array& array) {
        return array[below(std::size(array))];
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t next_ = 0;
};

}  // namespace lanes::fuzz
