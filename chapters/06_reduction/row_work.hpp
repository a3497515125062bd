/// @file
/// @brief Softmax and layer norm of rows.cuh for any matrix: launches, references in double, costs and times.
#pragma once

#include "predictions.hpp"
#include "rows.cuh"

#include <lanes/main.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

/// A matrix of floats, row by row.
struct RowMatrix {
    std::size_t rows;           ///< may be 0
    std::size_t columns;        ///< may be 0
    std::vector<float> values;  ///< rows * columns

    /// Uniform numbers from -4 to 4.
    static RowMatrix random(std::size_t rows, std::size_t columns) {
        return {rows, columns, lanes::Random().uniform<float>(rows * columns, -4.0f, 4.0f)};
    }
};

/// Something to do to all rows: in, out, rows, columns.
using RowWork = std::function<void(const float* in, float* out, std::size_t rows, std::size_t columns)>;

/// A way to do it.
struct RowStep {
    std::string name;                   ///< of its results, and of the kernel
    std::vector<std::string> snippets;  ///< that it is made of
    unsigned loads;                     ///< times that each element is loaded
    RowWork launch;                     ///< for any matrix
};

/// Blocks for a matrix: one for each row, but not endlessly many.
inline unsigned row_blocks(std::size_t rows) {
    return unsigned(std::min<std::size_t>(rows, 65536));
}

/// Columns up to which a row is held in registers: 1024 threads with 8 elements each.
constexpr std::size_t most_held = 8192;

/// Softmax in sweeps over memory.
template <auto* kernel>
void launch_sweeps(const float* in, float* out, std::size_t rows, std::size_t columns) {
    if (rows == 0 || columns == 0) return;
    kernel<<<row_blocks(rows), block_threads>>>(in, out, rows, columns);
}

/// Softmax with the row in registers, where it fits: small blocks for short rows; sweeps for very long ones.
inline void launch_softmax(const float* in, float* out, std::size_t rows, std::size_t columns) {
    if (rows == 0 || columns == 0) return;
    const unsigned blocks = row_blocks(rows);
    if (columns <= 1024)
        softmax_held<128, 8><<<blocks, 128>>>(in, out, rows, columns);
    else if (columns <= 4096)
        softmax_held<512, 8><<<blocks, 512>>>(in, out, rows, columns);
    else if (columns <= most_held)
        softmax_held<1024, 8><<<blocks, 1024>>>(in, out, rows, columns);
    else
        softmax_two_sweeps<<<blocks, block_threads>>>(in, out, rows, columns);
}

/// Layer norm with the row in registers, where it fits.
inline void launch_layer_norm(const float* in, float* out, std::size_t rows, std::size_t columns, const Affine& to) {
    if (rows == 0 || columns == 0) return;
    const unsigned blocks = row_blocks(rows);
    if (columns <= 1024)
        layer_norm_held<128, 8><<<blocks, 128>>>(in, out, rows, columns, to);
    else if (columns <= 4096)
        layer_norm_held<512, 8><<<blocks, 512>>>(in, out, rows, columns, to);
    else if (columns <= most_held)
        layer_norm_held<1024, 8><<<blocks, 1024>>>(in, out, rows, columns, to);
    else
        layer_norm_two_sweeps<<<blocks, block_threads>>>(in, out, rows, columns, to);
}

/// Layer norm in sweeps over memory, for any matrix.
inline void launch_layer_norm_sweeps(const float* in, float* out, std::size_t rows, std::size_t columns,
                                     const Affine& to) {
    if (rows == 0 || columns == 0) return;
    layer_norm_two_sweeps<<<row_blocks(rows), block_threads>>>(in, out, rows, columns, to);
}

/// The ways to softmax, in the order of the text.
inline std::vector<RowStep> softmax_steps() {
    return {
        {"softmax_three_sweeps",
         {"softmax_three_sweeps", "maximum", "running_sum", "merged_over_block", "merged_over_warp", "from_lane_above"},
         3,
         launch_sweeps<softmax_three_sweeps>},
        {"softmax_two_sweeps",
         {"softmax_two_sweeps", "exponentials", "merged_over_block", "merged_over_warp", "from_lane_above"},
         2,
         launch_sweeps<softmax_two_sweeps>},
        {"softmax_held",
         {"softmax_held", "hold_row", "maximum", "running_sum", "merged_over_block", "merged_over_warp",
          "from_lane_above"},
         1,
         launch_softmax}};
}

/// The ways to layer norm with one gain and one shift.
inline std::vector<RowStep> layer_norm_steps(const Affine& to) {
    const auto with = [to](const auto& launch) {
        return [=](const float* in, float* out, std::size_t rows, std::size_t columns) {
            launch(in, out, rows, columns, to);
        };
    };
    return {{"layer_norm_two_sweeps",
             {"layer_norm_two_sweeps", "moments", "merged_over_block", "merged_over_warp", "from_lane_above"},
             2,
             with(launch_layer_norm_sweeps)},
            {"layer_norm_held",
             {"layer_norm_held", "hold_row", "running_sum", "merged_over_block", "merged_over_warp", "from_lane_above"},
             1,
             with(launch_layer_norm)}};
}

/// @brief What a step makes of a matrix; its output is poisoned before.
/// @param step   the way
/// @param matrix in
inline std::vector<float> result_of(const RowStep& step, const RowMatrix& matrix) {
    const lanes::DeviceArray<float> in(matrix.values);
    lanes::DeviceArray<float> out(matrix.values.size());
    step.launch(in.data(), out.data(), matrix.rows, matrix.columns);
    lanes::check_launch(step.name);
    return out.to_host();
}

/// Softmax in double, and how far a float may be from it.
struct RowReference {
    std::vector<double> values;  ///< expected
    std::vector<double> bounds;  ///< largest difference allowed
};

/// @brief Softmax of every row in double. A row of minus infinities gives zeros.
///
/// Bound: rounding x - largest moves the exponential by eps/2 |x - largest|; it has an error of 2 eps of its own, and
/// the sum one of columns * eps at most.
inline RowReference softmax_reference(const RowMatrix& matrix) {
    RowReference reference;
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        const auto first = matrix.values.begin() + std::ptrdiff_t(row * matrix.columns);
        const auto last = first + std::ptrdiff_t(matrix.columns);
        const double largest = *std::max_element(first, last);
        double sum = 0.0;
        for (auto x = first; x != last; ++x) sum += std::exp(double(*x) - largest);
        for (auto x = first; x != last; ++x) {
            const bool none = std::isinf(largest) && largest < 0.0;
            const double value = none ? 0.0 : std::exp(double(*x) - largest) / sum;
            const double distance = value > 0.0 ? largest - *x : 0.0;
            reference.values.push_back(value);
            reference.bounds.push_back(value * std::numeric_limits<float>::epsilon() *
                                           (8.0 + distance + double(matrix.columns)) +
                                       double(std::numeric_limits<float>::min()));
        }
    }
    return reference;
}

/// Gain and shift of a layer norm on the device.
class AffineOnDevice {
public:
    /// Random gains and shifts for `columns` columns.
    explicit AffineOnDevice(std::size_t columns)
        : gain_values(lanes::Random(2).uniform<float>(columns, 0.5f, 2.0f)),
          shift_values(lanes::Random(3).uniform<float>(columns)),
          gain_(gain_values),
          shift_(shift_values) {}

    /// For a launch, while this object lives.
    Affine affine() const { return {gain_.data(), shift_.data(), epsilon}; }

    static constexpr float epsilon = 1e-5f;  ///< added to the variance
    std::vector<float> gain_values;          ///< one for each column
    std::vector<float> shift_values;         ///< one for each column

private:
    lanes::DeviceArray<float> gain_;
    lanes::DeviceArray<float> shift_;
};

/// @brief Layer norm of every row in double.
///
/// Bound: elements and mean are known to columns * eps of the largest magnitude, which the division by the deviation
/// makes larger; so is the deviation itself.
inline RowReference layer_norm_reference(const RowMatrix& matrix, const AffineOnDevice& affine) {
    RowReference reference;
    for (std::size_t row = 0; row < matrix.rows; ++row) {
        const float* const x = matrix.values.data() + row * matrix.columns;
        const double columns = double(matrix.columns);
        double mean = 0.0, variance = 0.0, largest = 0.0;
        for (std::size_t c = 0; c < matrix.columns; ++c) mean += x[c] / columns;
        for (std::size_t c = 0; c < matrix.columns; ++c) {
            variance += (x[c] - mean) * (x[c] - mean) / columns;
            largest = std::max(largest, std::abs(double(x[c])));
        }
        const double deviation = std::sqrt(variance + double(AffineOnDevice::epsilon));
        const double unit = std::numeric_limits<float>::epsilon() * (8.0 + columns);
        for (std::size_t c = 0; c < matrix.columns; ++c) {
            const double normal = (x[c] - mean) / deviation;
            const double gain = affine.gain_values[c], shift = affine.shift_values[c];
            reference.values.push_back(normal * gain + shift);
            reference.bounds.push_back(unit *
                                       (std::abs(gain) * (std::abs(normal) + largest / deviation) + std::abs(shift)));
        }
    }
    return reference;
}

/// Shapes that a kernel of rows must take: no row, no column, one column, more than registers hold.
struct RowShape {
    std::size_t rows;     ///< of the matrix
    std::size_t columns;  ///< of the matrix
};
/// All that are tested.
inline std::vector<RowShape> row_shapes() {
    return {{0, 5},    {5, 0},    {1, 1},    {7, 1},    {3, 2},    {3, 31},   {5, 32},   {2, 33},   {3, 100},
            {2, 1000}, {1, 1023}, {2, 1024}, {3, 1025}, {2, 4097}, {1, 8192}, {2, 8193}, {66000, 2}};
}

TEST_CASE("softmax is right for every shape") {
    for (const RowShape& shape : row_shapes()) {
        const auto matrix = RowMatrix::random(shape.rows, shape.columns);
        const auto reference = softmax_reference(matrix);
        for (const RowStep& step : softmax_steps()) {
            CAPTURE(shape.rows);
            CAPTURE(shape.columns);
            CAPTURE(step.name);
            CHECK(lanes::within_bound(result_of(step, matrix), reference.values, reference.bounds,
                                      {.columns = shape.columns}));
        }
    }
}

TEST_CASE("softmax does not overflow, takes minus infinity, and shares nothing out where there is nothing") {
    RowMatrix matrix{5, 40, std::vector<float>(5 * 40, -INFINITY)};  // row 0: nothing
    const auto row = [&](std::size_t number) { return matrix.values.data() + 40 * number; };
    for (std::size_t c = 0; c < 40; ++c) row(1)[c] = 1e4f + float(c);  // exp(1e4) is infinite even in double
    for (std::size_t c = 0; c < 40; ++c) row(2)[c] = -1e4f - float(c);
    for (std::size_t c = 0; c < 40; c += 3) row(3)[c] = float(c) / 8;  // the rest of the row stays minus infinity
    row(4)[39] = 3.0f;                                                 // one element gets all
    const auto reference = softmax_reference(matrix);
    for (const RowStep& step : softmax_steps()) {
        CAPTURE(step.name);
        const auto got = result_of(step, matrix);
        CHECK(lanes::within_bound(got, reference.values, reference.bounds, {.columns = 40}));
        CHECK(got[0] == 0.0f);
        CHECK(got[4 * 40 + 39] == 1.0f);
        CHECK(got[4 * 40 + 38] == 0.0f);
    }
}

TEST_CASE("softmax: NaN or plus infinity in a row is NaN in all of that row, and in no other") {
    for (const float bad : {NAN, INFINITY})
        for (const std::size_t at : {0, 17, 39}) {
            RowMatrix matrix{3, 40, std::vector<float>(3 * 40, 0.5f)};
            matrix.values[40 + at] = bad;
            for (const RowStep& step : softmax_steps()) {
                CAPTURE(step.name);
                CAPTURE(bad);
                CAPTURE(at);
                const auto got = result_of(step, matrix);
                for (std::size_t i = 0; i < got.size(); ++i) {
                    CAPTURE(i);
                    if (i / 40 == 1) CHECK(std::isnan(got[i]));
                    if (i / 40 != 1) CHECK(got[i] == doctest::Approx(1.0 / 40));
                }
            }
        }
}

TEST_CASE("softmax of equal elements is exact where 1 / columns is") {
    for (const std::size_t columns : {1, 2, 64, 1024, 2048}) {
        const RowMatrix matrix{2, columns, std::vector<float>(2 * columns, 3.25f)};
        for (const RowStep& step : softmax_steps()) {
            CAPTURE(columns);
            CAPTURE(step.name);
            CHECK(lanes::equal(result_of(step, matrix), std::vector<float>(2 * columns, 1.0f / float(columns))));
        }
    }
}

TEST_CASE("layer norm is right for every shape, and for a mean that is large beside the deviations") {
    for (const RowShape& shape : row_shapes())
        for (const float mean : {0.0f, 100.0f}) {
            auto matrix = RowMatrix::random(shape.rows, shape.columns);
            for (float& value : matrix.values) value += mean;
            const AffineOnDevice affine(shape.columns);
            const auto reference = layer_norm_reference(matrix, affine);
            for (const RowStep& step : layer_norm_steps(affine.affine())) {
                CAPTURE(shape.rows);
                CAPTURE(shape.columns);
                CAPTURE(mean);
                CAPTURE(step.name);
                CHECK(lanes::within_bound(result_of(step, matrix), reference.values, reference.bounds,
                                          {.columns = shape.columns}));
            }
        }
}

TEST_CASE("layer norm of equal elements is the shift, whatever the elements are") {
    const RowMatrix matrix{3, 64, std::vector<float>(3 * 64, 12.5f)};
    const AffineOnDevice affine(64);
    for (const RowStep& step : layer_norm_steps(affine.affine())) {
        CAPTURE(step.name);
        const auto got = result_of(step, matrix);
        for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == affine.shift_values[i % 64]);
    }
}

TEST_CASE("rows may be worked on in place") {
    const auto matrix = RowMatrix::random(9, 100);
    const auto reference = softmax_reference(matrix);
    for (const RowStep& step : softmax_steps()) {
        CAPTURE(step.name);
        lanes::DeviceArray<float> both(matrix.values);
        step.launch(both.data(), both.data(), 9, 100);
        lanes::check_launch(step.name);
        CHECK(lanes::within_bound(both.to_host(), reference.values, reference.bounds));
    }
}

/// Softmax of a small matrix by each kernel: what is of interest is how often the elements are loaded.
inline lanes::CountedCases softmax_cases() {
    const std::size_t rows = 4, columns = 512;
    const auto matrix = RowMatrix::random(rows, columns);
    const auto reference = softmax_reference(matrix);
    lanes::CountedCases cases;
    for (const RowStep& step : softmax_steps()) {
        const lanes::GlobalTraffic once = row_of_loads(rows * columns, sizeof(float));
        lanes::GlobalTraffic loads;
        for (unsigned load = 0; load < step.loads; ++load) loads += once;
        cases.push_back({.name = step.name,
                         .snippets = step.snippets,
                         .kernel = step.name,
                         .parameters = {{"rows", rows}, {"columns", columns}},
                         .predicted = lanes::global_counts(loads, once),
                         .launch = [=] {
                             const auto right =
                                 lanes::within_bound(result_of(step, matrix), reference.values, reference.bounds);
                             if (!right) throw std::runtime_error(step.name + ": " + right.message());
                         }});
    }
    return cases;
}

/// @brief Times softmax and layer norm against a copy of the matrix.
/// @param benchmark of the chapter
/// @param columns   of each row
inline void measure_rows(lanes::Benchmark& benchmark, std::size_t columns) {
    const std::size_t elements = benchmark.pick(std::size_t{1} << 27, std::size_t{1} << 24, 4 * columns);
    const std::size_t rows = elements / columns;
    const auto matrix = RowMatrix::random(rows, columns);
    const lanes::DeviceArray<float> in(matrix.values);
    lanes::DeviceArray<float> out(elements);
    const AffineOnDevice affine(columns);
    const std::size_t checked = std::min<std::size_t>(rows, 64);  // rows whose results are compared
    const RowMatrix first{
        checked, columns, {matrix.values.begin(), matrix.values.begin() + std::ptrdiff_t(checked * columns)}};
    const std::string suffix = "_" + std::to_string(columns);
    const lanes::Parameters shape{{"rows", rows}, {"columns", columns}};
    std::vector<lanes::Variant> variants{
        {.name = "copy_rows" + suffix, .parameters = shape, .bytes = 2 * in.bytes(), .launch = [&] {
             lanes::check(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice));
         }}};
    const auto add = [&](const std::vector<RowStep>& steps, const RowReference& reference) {
        for (const RowStep& step : steps)
            variants.push_back({.name = step.name + suffix,
                                .snippets = step.snippets,
                                .parameters = shape,
                                .bytes = 2 * in.bytes(),
                                .ceiling = "copy_rows" + suffix,
                                .launch = [&, step] { step.launch(in.data(), out.data(), rows, columns); },
                                .poison = [&] { out.poison(); },
                                .verify =
                                    [&, reference] {
                                        auto got = out.to_host();
                                        got.resize(checked * columns);
                                        return lanes::within_bound(got, reference.values, reference.bounds);
                                    }});
    };
    add(softmax_steps(), softmax_reference(first));
    add(layer_norm_steps(affine.affine()), layer_norm_reference(first, affine));
    benchmark.group("Rows of " + std::to_string(columns) + " floats", variants);
}
