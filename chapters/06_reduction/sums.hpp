/// @file
/// @brief Sums of chapter 6: what must come out, room for partial sums, and the kernels that are tried.
#pragma once

#include <lanes/check.hpp>
#include <lanes/compare.hpp>
#include <lanes/device_array.hpp>
#include <lanes/launch.hpp>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

/// Threads a block of every kernel whose block size is not a template argument: 8 warps.
constexpr int block_threads = 256;

/// @brief Blocks of each pass, until one is left: 65,536, 256, 1 for 2^24 elements and 256 a block.
/// @param size      elements to be summed; 0 needs no pass
/// @param per_block elements that a block sums, at least 2
inline std::vector<unsigned> pass_blocks(std::size_t size, std::size_t per_block) {
    std::vector<unsigned> blocks;
    while (size > 0 && (blocks.empty() || size > 1)) {
        blocks.push_back(lanes::blocks_for(size, per_block));
        size = blocks.back();
    }
    return blocks;
}

/// @brief Device memory that sums need beside their input. The caller owns it: two sums at once need two.
template <typename T>
class Workspace {
public:
    /// @brief Makes room for the partial sums of one array.
    /// @param size its elements
    explicit Workspace(std::size_t size)
        : multiprocessors_(multiprocessors()),
          partials_{lanes::DeviceArray<T>(room(size)), lanes::DeviceArray<T>(room(size))},
          ticket_(std::vector<unsigned>{0}) {}

    /// Partial sums: two arrays, so that a pass can read one and write the other.
    T* partials(int which) { return partials_[which].data(); }
    /// The number of blocks that are done; 0 between launches.
    unsigned* ticket() { return ticket_.data(); }

    /// @brief Blocks of a kernel that the whole device holds at once. Asked once for each kernel.
    /// @param kernel  a kernel without dynamic shared memory
    /// @param threads of a block
    template <typename Kernel>
    unsigned resident_blocks(Kernel* kernel, int threads) {
        int& known = resident_[reinterpret_cast<const void*>(kernel)];
        if (known == 0) {
            lanes::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&known, kernel, threads, 0));
            known = std::max(known, 1) * multiprocessors_;
        }
        return unsigned(known);
    }

private:
    static int multiprocessors() {
        int device = 0, number = 0;
        lanes::check(cudaGetDevice(&device));
        lanes::check(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, device));
        return number;
    }
    // One partial sum for each block of one-element threads, or for each block the device holds: at most 32 a
    // multiprocessor on every capability.
    std::size_t room(std::size_t size) const {
        return std::max<std::size_t>(lanes::blocks_for(size, block_threads), std::size_t(multiprocessors_) * 32);
    }

    int multiprocessors_;
    lanes::DeviceArray<T> partials_[2];
    lanes::DeviceArray<unsigned> ticket_;
    std::map<const void*, int> resident_;
};

/// Starts the sum of in[0] to in[size - 1] into *out; 0 for no elements. Any size, any start that suits a T.
template <typename T>
using Sum = std::function<void(const T* in, T* out, std::size_t size, Workspace<T>& workspace)>;

/// A way to sum.
template <typename T>
struct Step {
    std::string name;                   ///< of its results
    std::vector<std::string> snippets;  ///< that it is made of
    Sum<T> launch;                      ///< for any size
};

/// @brief What a step makes of an array that begins `offset` elements after an aligned address.
/// @param step   the way to sum
/// @param values the array
/// @param offset elements in front, which would spoil the sum
template <typename T>
std::vector<T> result_of(const Step<T>& step, const std::vector<T>& values, std::size_t offset = 0) {
    std::vector<T> shifted(offset, T(1000));
    shifted.insert(shifted.end(), values.begin(), values.end());
    const lanes::DeviceArray<T> in(shifted);
    lanes::DeviceArray<T> out(1);
    Workspace<T> workspace(values.size());
    step.launch(in.data() + offset, out.data(), values.size(), workspace);
    lanes::check_launch(step.name);
    return out.to_host();
}

/// @brief The sum in double, with its bound.
/// @param values the terms
template <typename T>
lanes::ReferenceSum reference_sum(const std::vector<T>& values) {
    lanes::ReferenceSum sum;
    for (const T value : values) sum.add(double(value));
    return sum;
}

/// @brief Whether a sum of whole numbers is exact.
/// @param got    what the kernel wrote: one element
/// @param values the terms, so small that every partial sum is exact in T
template <typename T>
lanes::Comparison exact_sum(const std::vector<T>& got, const std::vector<T>& values) {
    return lanes::equal(got, std::vector<T>{T(reference_sum(values).value())});
}
