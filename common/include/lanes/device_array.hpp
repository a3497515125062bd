/// @file
/// @brief An array in device memory that frees itself and is poisoned until something is written.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanes/check.hpp"
#include "lanes/poison.hpp"

namespace lanes {

/// @brief `size()` elements of `T` in device memory, freed at the end of the scope.
///
/// There are no guard bytes around the elements: the allocation ends with the last one, so that the emulator and
/// compute-sanitizer see the first byte outside. An array may be empty; `data()` is then a null pointer.
/// @tparam T a type that may be copied byte by byte
template <typename T>
class DeviceArray {
    static_assert(std::is_trivially_copyable_v<T>, "device arrays are copied byte by byte");

public:
    /// @brief Allocates `size` elements and poisons them, so that what no kernel wrote cannot pass for a result.
    /// @param size number of elements, 0 allowed
    /// @throws CudaError if the device has no room
    explicit DeviceArray(std::size_t size) : size_(size) {
        if (size_ == 0) return;
        if (size_ > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::length_error("DeviceArray: " + std::to_string(size_) + " elements exceed the address space");
        }
        check(cudaMalloc(&data_, bytes()));
        poison();
    }

    /// @brief Allocates as many elements as `host` has and copies them to the device.
    /// @param host the elements
    /// @throws CudaError if the device has no room
    explicit DeviceArray(const std::vector<T>& host) : size_(host.size()) {
        if (size_ == 0) return;
        check(cudaMalloc(&data_, bytes()));
        check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
    }

    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    /// Takes over the memory of `other`, which is empty afterwards.
    DeviceArray(DeviceArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

    /// Exchanges the memory of the two arrays.
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    /// Frees the memory. A failure here repeats an earlier fault of a kernel, which the end of run() reports.
    ~DeviceArray() { static_cast<void>(cudaFree(data_)); }

    /// First element, in device memory: for kernels, never to be read on the host.
    T* data() { return data_; }
    /// First element, in device memory, for kernels that only read.
    const T* data() const { return data_; }
    /// Number of elements.
    std::size_t size() const { return size_; }
    /// Size in bytes.
    std::size_t bytes() const { return size_ * sizeof(T); }

    /// @brief Overwrites every element with a value that no kernel computes: see poison_byte().
    /// @throws CudaError if an earlier kernel failed
    void poison() {
        if (size_ != 0) check(cudaMemset(data_, poison_byte<T>, bytes()));
    }

    /// @brief Copies every element from the host.
    /// @param host exactly `size()` elements
    /// @throws std::invalid_argument if the sizes differ; CudaError if an earlier kernel failed
    void from_host(const std::vector<T>& host) {
        if (host.size() != size_) {
            throw std::invalid_argument("DeviceArray::from_host: " + std::to_string(host.size()) +
                                        " elements given, the array has " + std::to_string(size_));
        }
        if (size_ != 0) check(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
    }

    /// @brief Waits for the device and copies every element to the host.
    /// @return `size()` elements
    /// @throws CudaError if an earlier kernel failed
    std::vector<T> to_host() const {
        std::vector<T> host(size_);
        if (size_ != 0) check(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace lanes
