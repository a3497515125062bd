/// @file
/// @brief What is reported of a set of samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace lanes {

/// Median and extremes of samples, in the samples' unit.
struct Statistics {
    std::size_t samples = 0;  ///< how many there were
    double median = 0.0;      ///< the middle one; for an even number the mean of the middle two
    double minimum = 0.0;     ///< the smallest
    double maximum = 0.0;     ///< the largest

    /// (maximum - minimum) / median: 0.02 says that all samples lie within 2 % of the median's size. 0 if all are 0.
    double spread() const { return median > 0.0 ? (maximum - minimum) / median : 0.0; }
};

/// @brief Sums up samples.
/// @param samples in any order
/// @return their statistics
/// @throws std::invalid_argument if there are none
inline Statistics statistics_of(std::vector<double> samples) {
    if (samples.empty()) throw std::invalid_argument("statistics_of: no samples");
    std::sort(samples.begin(), samples.end());
    const std::size_t middle = samples.size() / 2;
    const double median = samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2.0;
    return {samples.size(), median, samples.front(), samples.back()};
}

}  // namespace lanes
