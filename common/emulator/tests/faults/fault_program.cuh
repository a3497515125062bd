/// @file
/// @brief What the programs of this folder share. Each has one mistake that students make; compiled with CORRECTED
/// defined, it has none.
///
/// A comment "expect KIND" marks every line that a report of the mistake must name; "without a line: KIND" tells of a
/// fault that has none, and "options: ..." gives options of `lanes run`. See check_faults.cpp.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program with a message if a call failed.
inline void require(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// Device memory that is copied to when it is made and back when asked.
template <typename T>
class DeviceData {
public:
    explicit DeviceData(const std::vector<T>& values) : count_(values.size()) {
        require(cudaMalloc(&data_, count_ * sizeof(T)));
        require(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceData() { cudaFree(data_); }
    DeviceData(const DeviceData&) = delete;
    DeviceData& operator=(const DeviceData&) = delete;

    T* get() const { return data_; }
    std::vector<T> values() const {
        std::vector<T> values(count_);
        require(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

private:
    T* data_ = nullptr;
    std::size_t count_;
};

/// Waits for the kernel that was launched last.
inline void finish() {
    require(cudaGetLastError());
    require(cudaDeviceSynchronize());
}
