/// @file
/// @brief CUB's sum, which comes with the CUDA toolkit: what this chapter's kernels are held against.
#pragma once

#include <lanes/check.hpp>
#include <lanes/device_array.hpp>

#include <cub/device/device_reduce.cuh>

#include <cstddef>

/// cub::DeviceReduce::Sum with the device memory that it asks for.
template <typename T>
class CubSum {
public:
    /// @brief Makes room for sums of arrays of one size.
    /// @param size elements
    explicit CubSum(std::size_t size) : size_(size), room_(bytes_for(size)) {}

    /// @brief Starts the sum.
    /// @param in  the elements, as many as the constructor was told
    /// @param out where the sum goes
    /// @throws lanes::CudaError if CUB refuses
    void launch(const T* in, T* out) {
        std::size_t bytes = room_.size();
        lanes::check(cub::DeviceReduce::Sum(room_.data(), bytes, in, out, size_));
    }

private:
    static std::size_t bytes_for(std::size_t size) {
        std::size_t bytes = 0;
        const T* in = nullptr;
        T* out = nullptr;
        lanes::check(cub::DeviceReduce::Sum(nullptr, bytes, in, out, size));
        return bytes;
    }

    std::size_t size_;
    lanes::DeviceArray<unsigned char> room_;
};
