/// @file
/// @brief Products of chapter 2: operands, what must come out, and the kernels that are tried on them.
#pragma once

#include "cublas.hpp"

#include <lanes/benchmark.hpp>
#include <lanes/check.hpp>
#include <lanes/compare.hpp>
#include <lanes/device_array.hpp>
#include <lanes/random.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Starts C = A B for M x K and K x N matrices.
using Multiply = std::function<void(const float* A, const float* B, float* C, int M, int N, int K)>;

/// A kernel of the ladder.
struct Step {
    std::string name;                   ///< of the kernel, and of its results
    std::vector<std::string> snippets;  ///< that it is made of
    Multiply launch;                    ///< for any sizes
};

/// Rows and columns of the three matrices.
struct Sizes {
    int M;  ///< rows of A and C
    int N;  ///< columns of B and C
    int K;  ///< columns of A and rows of B
};

/// A product with its operands on the host and what must come out.
struct Problem {
    Sizes sizes;                         ///< of all three
    std::vector<float> A;                ///< row by row
    std::vector<float> B;                ///< row by row
    std::vector<lanes::ReferenceSum> C;  ///< row by row
};

/// Some rows of C in double.
inline std::vector<lanes::ReferenceSum> reference_rows(const Sizes& sizes, const std::vector<float>& A,
                                                       const std::vector<float>& B, const std::vector<int>& rows) {
    const auto N = static_cast<std::size_t>(sizes.N), K = static_cast<std::size_t>(sizes.K);
    std::vector<lanes::ReferenceSum> sums(rows.size() * N);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < K; ++k)
            for (std::size_t j = 0; j < N; ++j) sums[i * N + j].add(double{A[rows[i] * K + k]} * double{B[k * N + j]});
    return sums;
}

/// A problem of given operands.
inline Problem problem_of(const Sizes& sizes, std::vector<float> A, std::vector<float> B) {
    std::vector<int> rows(sizes.M);
    for (int row = 0; row < sizes.M; ++row) rows[row] = row;
    auto C = reference_rows(sizes, A, B, rows);
    return {sizes, std::move(A), std::move(B), std::move(C)};
}

/// Operands of small whole numbers: every sum is exact in float.
inline Problem whole_numbers(const Sizes& sizes) {
    lanes::Random random;
    auto A = random.whole_numbers(std::size_t(sizes.M) * sizes.K);
    auto B = random.whole_numbers(std::size_t(sizes.K) * sizes.N);
    return problem_of(sizes, std::move(A), std::move(B));
}

/// Operands between -1 and 1.
inline Problem real_numbers(const Sizes& sizes) {
    lanes::Random random;
    auto A = random.uniform(std::size_t(sizes.M) * sizes.K);
    auto B = random.uniform(std::size_t(sizes.K) * sizes.N);
    return problem_of(sizes, std::move(A), std::move(B));
}

/// What a kernel makes of a problem.
inline std::vector<float> product_of(const Step& step, const Problem& problem) {
    const auto [M, N, K] = problem.sizes;
    const lanes::DeviceArray<float> A(problem.A), B(problem.B);
    lanes::DeviceArray<float> C(std::size_t(M) * N);
    step.launch(A.data(), B.data(), C.data(), M, N, K);
    lanes::check_launch(step.name);
    return C.to_host();
}

/// The sums, rounded to float.
inline std::vector<float> as_floats(const std::vector<lanes::ReferenceSum>& sums) {
    std::vector<float> values;
    for (const auto& sum : sums) values.push_back(static_cast<float>(sum.value()));
    return values;
}

/// Operands of a product to be timed, and some rows of what must come out.
struct TimedProduct {
    Sizes sizes;                                ///< of all three
    lanes::DeviceArray<float> A;                ///< row by row
    lanes::DeviceArray<float> B;                ///< row by row
    lanes::DeviceArray<float> C;                ///< row by row
    std::vector<int> rows;                      ///< of C that are checked against a reference
    std::vector<lanes::ReferenceSum> expected;  ///< those rows

    /// Operands between -1 and 1, from a fixed seed.
    explicit TimedProduct(const Sizes& product_sizes)
        : TimedProduct(product_sizes, lanes::Random(1).uniform(std::size_t(product_sizes.M) * product_sizes.K),
                       lanes::Random(2).uniform(std::size_t(product_sizes.K) * product_sizes.N)) {}

    /// Whether the rows are within their bound, and no other element is poison or NaN.
    lanes::Comparison compare() const {
        const auto N = static_cast<std::size_t>(sizes.N);
        const std::vector<float> all = C.to_host();
        for (const float value : all)
            if (!std::isfinite(value)) return lanes::Comparison("an element was not written, or is not finite");
        std::vector<float> chosen;
        for (const int row : rows) chosen.insert(chosen.end(), all.begin() + row * N, all.begin() + (row + 1) * N);
        return lanes::within_bound(chosen, expected, {.columns = N});
    }

private:
    TimedProduct(const Sizes& product_sizes, const std::vector<float>& a, const std::vector<float>& b)
        : sizes(product_sizes),
          A(a),
          B(b),
          C(std::size_t(sizes.M) * sizes.N),
          rows{0, sizes.M / 3, sizes.M - 2, sizes.M - 1},
          expected(reference_rows(sizes, a, b, rows)) {}
};

/// One kernel on one product.
inline lanes::Variant variant_of(const Step& step, const std::string& suffix, TimedProduct& product,
                                 const std::string& ceiling) {
    const auto [M, N, K] = product.sizes;
    return {.name = step.name + suffix,
            .snippets = step.snippets,
            .parameters = {{"M", M}, {"N", N}, {"K", K}},
            .operations = std::uint64_t{2} * M * N * K,
            .ceiling = ceiling.empty() ? "" : ceiling + suffix,
            .launch =
                [launch = step.launch, &product] {
                    const auto [rows, columns, depth] = product.sizes;
                    launch(product.A.data(), product.B.data(), product.C.data(), rows, columns, depth);
                },
            .poison = [&product] { product.C.poison(); },
            .verify = [&product] { return product.compare(); }};
}

/// @brief Times kernels on one product, beside cuBLAS where it was found.
/// @param benchmark what times
/// @param cublas    the ceiling
/// @param title     of the table
/// @param suffix    tells these results from those of another product
/// @param sizes     of the matrices
/// @param steps     the kernels
inline void measure_product(lanes::Benchmark& benchmark, const Cublas& cublas, const std::string& title,
                            const std::string& suffix, const Sizes& sizes, const std::vector<Step>& steps) {
    TimedProduct product(sizes);
    const std::string ceiling = cublas.found() ? "cublas" : "";
    std::vector<lanes::Variant> variants;
    for (const Step& step : steps) variants.push_back(variant_of(step, suffix, product, ceiling));
    if (cublas.found()) {
        const auto multiply = [&cublas](auto... arguments) { cublas.multiply(arguments...); };
        variants.push_back(variant_of({"cublas", {}, multiply}, suffix, product, ""));
    }
    benchmark.group(title, variants);
}
