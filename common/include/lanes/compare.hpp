/// @file
/// @brief Comparing what a kernel wrote with what it should have: NaN never passes, and a bound grows with its sum.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanes/poison.hpp"

namespace lanes {

/// @brief The outcome of a comparison, for doctest: `CHECK(lanes::equal(got, expected));`.
///
/// It converts to bool and prints as the message, which names the first elements at fault.
class Comparison {
public:
    /// Everything agreed.
    Comparison() = default;
    /// Something did not; `message` says what.
    explicit Comparison(std::string message) : passed_(false), message_(std::move(message)) {}

    /// Whether everything agreed.
    explicit operator bool() const { return passed_; }
    /// What did not agree; "all equal or within the bound" otherwise.
    const std::string& message() const { return message_; }

    /// Prints the message: doctest shows it for a failed CHECK.
    friend std::ostream& operator<<(std::ostream& out, const Comparison& comparison) {
        return out << comparison.message();
    }

private:
    bool passed_ = true;
    std::string message_ = "all equal or within the bound";
};

/// How a comparison treats NaN and prints positions.
struct CompareOptions {
    std::size_t columns = 0;       ///< row length of a matrix, to print [row][column]; 0: a plain index
    bool accept_same_nan = false;  ///< equal() lets a NaN pass where the reference is the same NaN, bit for bit
    std::size_t shown = 5;         ///< how many faults the message lists
};

/// @brief A reference sum in double, with the bound within which a float sum of the same terms must lie.
///
/// Each of the K roundings of a float dot product adds at most a relative error of eps/2 of a partial sum, and no
/// partial sum exceeds the sum of the magnitudes. So K * eps * sum |a||b| covers every order of summation, with a
/// factor of two to spare (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
///
/// The bound grows with the square of K where the terms are alike: at K = 4096 it is as large as a term, and a kernel
/// that forgets one passes. So check with whole numbers and equal() as well, which forgive nothing.
class ReferenceSum {
public:
    /// Adds one term, which for a dot product is a product formed in double.
    void add(double term) {
        value_ += term;
        magnitude_ += std::abs(term);
        ++terms_;
    }
    /// The sum.
    double value() const { return value_; }
    /// Sum of the magnitudes of the terms.
    double magnitude() const { return magnitude_; }
    /// K: how many terms were added.
    std::size_t terms() const { return terms_; }
    /// @brief K * epsilon * sum of magnitudes.
    /// @param epsilon of the type that the kernel sums in
    double bound(double epsilon) const { return static_cast<double>(terms_) * epsilon * magnitude_; }

private:
    double value_ = 0.0;
    double magnitude_ = 0.0;
    std::size_t terms_ = 0;
};

namespace detail {

/// Collects what is wrong with an array and turns the first few faults into a message.
class FaultList {
public:
    FaultList(std::size_t elements, const CompareOptions& options) : elements_(elements), options_(options) {}

    /// Adds the element at `index`, which is wrong as `description` says.
    void add(std::size_t index, const std::string& description) {
        if (++count_ > options_.shown) return;
        lines_ += "\n  [";
        if (options_.columns == 0) {
            lines_ += std::to_string(index);
        } else {
            lines_ += std::to_string(index / options_.columns) + "][" + std::to_string(index % options_.columns);
        }
        lines_ += "]: " + description;
    }

    Comparison result() const {
        if (count_ == 0) return {};
        std::string message = std::to_string(count_) + " of " + std::to_string(elements_) + " elements are wrong:";
        message += lines_;
        if (count_ > options_.shown) message += "\n  ... and " + std::to_string(count_ - options_.shown) + " more";
        return Comparison(message);
    }

private:
    std::size_t elements_;
    CompareOptions options_;
    std::size_t count_ = 0;
    std::string lines_;
};

/// The difference in size as a failed comparison; none if the sizes agree.
inline std::optional<Comparison> size_mismatch(std::size_t got, std::size_t expected, const char* of) {
    if (got == expected) return std::nullopt;
    return Comparison("got " + std::to_string(got) + " elements, expected " + std::to_string(expected) + of);
}

/// A number with all the digits that tell it from its neighbours.
template <typename T>
std::string exact_text(const T& value) {
    std::ostringstream text;
    text.precision(std::numeric_limits<T>::max_digits10);
    text << +value;  // the plus prints char types as numbers
    return text.str();
}

/// "got 4", or that nothing was written. One-byte poison is too common a value to conclude anything from.
template <typename T>
std::string got_text(const T& value) {
    if (sizeof(T) > 1 && is_poison(value)) return "never written (it still holds the array's poison)";
    return "got " + exact_text(value);
}

/// Whether the two NaNs, if they are NaNs, are the same bit for bit. Poison is no result, whatever the reference says.
template <typename T>
bool is_same_nan(const T& got, const T& expected) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(got) && !is_poison(got) && std::memcmp(&got, &expected, sizeof(T)) == 0;
    } else {
        return false;
    }
}

}  // namespace detail

/// @brief Whether every element is exactly the one expected: for integers, and for floats that hold whole numbers.
/// @param got      what the kernel wrote
/// @param expected what it should have written, of the same size; both may be empty
/// @param options  see CompareOptions
template <typename T>
Comparison equal(const std::vector<T>& got, const std::vector<T>& expected, const CompareOptions& options = {}) {
    static_assert(std::is_arithmetic_v<T>, "compare numbers; for a float4 compare its four floats");
    if (const auto mismatch = detail::size_mismatch(got.size(), expected.size(), "")) return *mismatch;
    detail::FaultList faults(got.size(), options);
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (got[i] == expected[i]) continue;
        if (options.accept_same_nan && detail::is_same_nan(got[i], expected[i])) continue;
        faults.add(i, detail::got_text(got[i]) + ", expected " + detail::exact_text(expected[i]));
    }
    return faults.result();
}

/// @brief Whether every element is within its own bound of a reference in double.
///
/// An infinite reference asks for the same infinity. A NaN is never within a bound, and a bound that is NaN, infinite
/// or negative fails its element: it would let everything pass, or nothing.
/// @param got      what the kernel wrote, float or double
/// @param expected the reference
/// @param bounds   largest allowed |got - expected| for each element; finite and not negative
/// @param options  see CompareOptions
template <typename T>
Comparison within_bound(const std::vector<T>& got, const std::vector<double>& expected,
                        const std::vector<double>& bounds, const CompareOptions& options = {}) {
    static_assert(std::is_floating_point_v<T>, "integers are compared with equal()");
    if (const auto mismatch = detail::size_mismatch(got.size(), expected.size(), "")) return *mismatch;
    if (const auto mismatch = detail::size_mismatch(bounds.size(), expected.size(), " bounds")) return *mismatch;
    detail::FaultList faults(got.size(), options);
    for (std::size_t i = 0; i < got.size(); ++i) {
        const double value = static_cast<double>(got[i]);
        const double difference = std::abs(value - expected[i]);
        const bool sane_bound = std::isfinite(bounds[i]) && bounds[i] >= 0.0;
        if (sane_bound && (value == expected[i] || difference <= bounds[i])) continue;
        faults.add(i, detail::got_text(got[i]) + ", expected " + detail::exact_text(expected[i]) + ", off by " +
                          detail::exact_text(difference) + ", allowed " + detail::exact_text(bounds[i]));
    }
    return faults.result();
}

/// @brief Whether every element is within K * eps * sum |terms| of its reference sum, with the epsilon of `T`.
/// @param got      what the kernel wrote, float or double
/// @param expected the reference sums
/// @param options  see CompareOptions
template <typename T>
Comparison within_bound(const std::vector<T>& got, const std::vector<ReferenceSum>& expected,
                        const CompareOptions& options = {}) {
    std::vector<double> values;
    std::vector<double> bounds;
    for (const auto& sum : expected) {
        values.push_back(sum.value());
        bounds.push_back(sum.bound(std::numeric_limits<T>::epsilon()));
    }
    return within_bound(got, values, bounds, options);
}

}  // namespace lanes
