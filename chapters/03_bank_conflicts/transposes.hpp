/// @file
/// @brief Transposes of chapter 3: what must come out, and the kernels that are tried on it.
#pragma once

#include <lanes/benchmark.hpp>
#include <lanes/check.hpp>
#include <lanes/compare.hpp>
#include <lanes/device_array.hpp>
#include <lanes/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Starts a transpose of rows x columns floats, row by row, into columns x rows floats.
using Transpose = std::function<void(const float* in, float* out, int rows, int columns)>;

/// A kernel of the ladder.
struct Step {
    std::string name;                   ///< of its results
    std::string kernel;                 ///< base name of the kernel
    std::vector<std::string> snippets;  ///< that it is made of
    Transpose launch;                   ///< for any shape
};

/// A matrix's rows and columns.
struct Shape {
    int rows;     ///< of the input
    int columns;  ///< of the input

    /// Elements.
    std::size_t size() const { return std::size_t(rows) * columns; }
};

/// 0, 1, 2, ...: every element differs from every other, and is exact below 2^24.
inline std::vector<float> numbered(const Shape& shape) {
    std::vector<float> values(shape.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
    return values;
}

/// The transpose, made on the host.
inline std::vector<float> transposed(const std::vector<float>& in, const Shape& shape) {
    std::vector<float> out(in.size());
    for (std::size_t row = 0; row < std::size_t(shape.rows); ++row)
        for (std::size_t column = 0; column < std::size_t(shape.columns); ++column)
            out[column * shape.rows + row] = in[row * shape.columns + column];
    return out;
}

/// What a kernel makes of a numbered matrix.
inline std::vector<float> result_of(const Step& step, const Shape& shape) {
    const lanes::DeviceArray<float> in(numbered(shape));
    lanes::DeviceArray<float> out(shape.size());
    step.launch(in.data(), out.data(), shape.rows, shape.columns);
    lanes::check_launch(step.name);
    return out.to_host();
}

/// Numbers the elements of a large matrix, modulo a prime below 2^24. Launch: 1-D, any size.
__global__ void fill_numbered(float* values, std::size_t size) {
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::size_t i = first; i < size; i += std::size_t{gridDim.x} * blockDim.x) values[i] = float(i % 16777213);
}

/// Counts the elements of `out` that are not those of the transpose of `in`. Launch: 1-D, any size; *wrong is 0 before.
__global__ void count_wrong(const float* in, const float* out, int rows, int columns, unsigned* wrong) {
    const std::size_t size = std::size_t(rows) * columns;
    const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (std::size_t i = first; i < size; i += std::size_t{gridDim.x} * blockDim.x) {
        const bool right = out[i] == in[i % rows * columns + i / rows];  // false for NaN, which is poison
        if (!right) atomicAdd(wrong, 1U);
    }
}

/// A large transpose to be timed; checked on the device, where both matrices are.
class TimedTranspose {
public:
    /// @brief Makes the numbered input and room for the output.
    /// @param shape of the input
    explicit TimedTranspose(const Shape& shape) : shape_(shape), in_(shape.size()), out_(shape.size()) {
        fill_numbered<<<1024, 256>>>(in_.data(), in_.size());
        lanes::check_launch("fill_numbered");
    }

    /// One kernel on this matrix, held against the copy of the same group.
    lanes::Variant variant(const Step& step, const std::string& suffix) {
        return {
            .name = step.name + suffix,
            .snippets = step.snippets,
            .parameters = {{"rows", shape_.rows}, {"columns", shape_.columns}},
            .bytes = 2 * out_.bytes(),
            .ceiling = "memcpy" + suffix,
            .launch = [this, launch = step.launch] { launch(in_.data(), out_.data(), shape_.rows, shape_.columns); },
            .poison = [this] { out_.poison(); },
            .verify = [this] { return compare(); }};
    }

    /// cudaMemcpy of as many bytes: the ceiling.
    lanes::Variant copy(const std::string& suffix) {
        return {.name = "memcpy" + suffix,
                .parameters = {{"rows", shape_.rows}, {"columns", shape_.columns}},
                .bytes = 2 * out_.bytes(),
                .launch = [this] {
                    lanes::check(cudaMemcpyAsync(out_.data(), in_.data(), out_.bytes(), cudaMemcpyDeviceToDevice));
                }};
    }

private:
    lanes::Comparison compare() const {
        lanes::DeviceArray<unsigned> wrong(std::vector<unsigned>{0});
        count_wrong<<<1024, 256>>>(in_.data(), out_.data(), shape_.rows, shape_.columns, wrong.data());
        lanes::check_launch("count_wrong");
        const unsigned count = wrong.to_host()[0];
        return count == 0 ? lanes::Comparison() : lanes::Comparison(std::to_string(count) + " elements are wrong");
    }

    Shape shape_;
    lanes::DeviceArray<float> in_;
    lanes::DeviceArray<float> out_;
};
