/// @file
/// @brief CUDA arrays, and the texture and surface objects that are made of them.
///
/// Arrays can be made, filled and read back; a kernel that reads one through a texture or a surface meets an
/// instruction that the emulator does not have.
#pragma once

#include <driver_types.h>
#include <texture_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace lanes::runtime {

/// A CUDA array: rows of elements without gaps, slice after slice, in device memory.
struct Array {
    cudaChannelFormatDesc format{};  ///< of an element
    cudaExtent extent{};             ///< in elements, as asked for: 0 where the array has no such dimension
    unsigned flags = 0;              ///< as asked for
    std::size_t element_bytes = 0;   ///< size of an element
    std::uint64_t address = 0;       ///< of the first element; no program gets to know it

    /// Bytes of a row.
    std::size_t row_bytes() const { return extent.width * element_bytes; }
    /// Rows of a slice.
    std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
    /// Slices.
    std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

/// A texture object: what it reads from, and how.
struct Texture {
    cudaResourceDesc resource{};  ///< array or linear memory
    cudaTextureDesc texture{};    ///< addressing and filtering
    cudaResourceViewDesc view{};  ///< another format to read it in; all 0 if the program gave none
};

/// Objects that kernels know by number.
template <typename Object>
class NumberedTable {
public:
    /// Adds an object.
    /// @return its number, never 0
    unsigned long long add(Object object) {
        const std::lock_guard lock(mutex_);
        objects_.emplace(++last_, std::move(object));
        return last_;
    }

    /// Removes an object.
    /// @return false if there is none of that number
    bool remove(unsigned long long number) {
        const std::lock_guard lock(mutex_);
        return objects_.erase(number) != 0;
    }

    /// A copy of an object, or nothing if there is none of that number.
    std::optional<Object> get(unsigned long long number) const {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(number);
        return found == objects_.end() ? std::nullopt : std::optional(found->second);
    }

    /// Removes all objects.
    void clear() {
        const std::lock_guard lock(mutex_);
        objects_.clear();
    }

private:
    mutable std::mutex mutex_;
    unsigned long long last_ = 0;
    std::map<unsigned long long, Object> objects_;
};

}  // namespace lanes::runtime
