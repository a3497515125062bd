/// @file
/// @brief Device memory for the tests, filled from the host and read back.
#pragma once

#include "check_cuda.hpp"

#include <cstddef>
#include <vector>

namespace lanes::runtime::tests {

/// Device memory with the contents of a vector.
template <typename T>
class DeviceCopy {
public:
    /// @param host  what to copy
    explicit DeviceCopy(const std::vector<T>& host) : count_(host.size()) {
        REQUIRE_CUDA(cudaMalloc(&pointer_, count_ * sizeof(T)));
        REQUIRE_CUDA(cudaMemcpy(pointer_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceCopy() { CHECK_CUDA(cudaSuccess, cudaFree(pointer_)); }
    DeviceCopy(const DeviceCopy&) = delete;
    DeviceCopy& operator=(const DeviceCopy&) = delete;

    /// Its address.
    T* get() const { return pointer_; }
    /// What it holds now.
    std::vector<T> host() const {
        std::vector<T> result(count_);
        REQUIRE_CUDA(cudaMemcpy(result.data(), pointer_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return result;
    }

private:
    T* pointer_ = nullptr;
    std::size_t count_;
};

}  // namespace lanes::runtime::tests
