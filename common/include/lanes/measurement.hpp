/// @file
/// @brief What is timed, what came out, and how it compares with its ceiling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "lanes/compare.hpp"
#include "lanes/parameters.hpp"
#include "lanes/statistics.hpp"

namespace lanes {

/// One thing to time. Fields left out are empty.
struct Variant {
    std::string name;                         ///< unique in the program; part of the key of its results
    std::vector<std::string> snippets = {};   ///< named pieces of the source that are timed
    Parameters parameters = {};               ///< sizes, strides, offsets
    std::uint64_t bytes = 0;                  ///< bytes that one launch must read and write: a copy of N moves 2N
    std::uint64_t operations = 0;             ///< floating-point operations of one launch; a multiply-add is two
    std::string ceiling = {};                 ///< the variant of the same group that this one is held against
    std::function<void()> launch = {};        ///< starts the work once, without waiting for it
    std::function<void()> poison = {};        ///< poisons the output before the launch that `verify` checks
    std::function<Comparison()> verify = {};  ///< checks the result after timing; a failure fails the program
};

/// A variant with its times.
struct Measurement {
    std::string name;                   ///< as in Variant
    std::vector<std::string> snippets;  ///< as in Variant
    Parameters parameters;              ///< as in Variant
    std::uint64_t bytes = 0;            ///< as in Variant
    std::uint64_t operations = 0;       ///< as in Variant
    unsigned repeats = 1;               ///< launches in each sample
    Statistics milliseconds;            ///< of one launch
    std::string ceiling;                ///< as in Variant
    std::optional<double> ratio;        ///< of this variant's speed to its ceiling's; nothing without a ceiling

    /// Bytes read and written in a second, in units of 10^9; 0 if bytes were not counted.
    double gb_per_s() const { return per_second(bytes); }
    /// Floating-point operations in a second, in units of 10^9; 0 if they were not counted.
    double gflop_per_s() const { return per_second(operations); }

private:
    double per_second(std::uint64_t amount) const {
        return milliseconds.median > 0.0 ? static_cast<double>(amount) / milliseconds.median * 1e-6 : 0.0;
    }
};

/// @brief How much of the ceiling's speed a variant reaches.
///
/// In floating-point operations a second if both count them, else in bytes a second if both count those, else by time,
/// which is right only where both do the same work.
/// @param variant what is judged
/// @param ceiling what it is held against
/// @return 1 if it is as fast; nothing if one of the times is 0
inline std::optional<double> ratio_to(const Measurement& variant, const Measurement& ceiling) {
    if (!(variant.milliseconds.median > 0.0) || !(ceiling.milliseconds.median > 0.0)) return std::nullopt;
    if (variant.operations > 0 && ceiling.operations > 0) return variant.gflop_per_s() / ceiling.gflop_per_s();
    if (variant.bytes > 0 && ceiling.bytes > 0) return variant.gb_per_s() / ceiling.gb_per_s();
    return ceiling.milliseconds.median / variant.milliseconds.median;
}

/// @brief Refuses a group of variants that could not be measured or cited.
/// @param variants the group
/// @param taken    names that the program has used already
/// @throws std::invalid_argument saying which variant has no launch, whose name is empty or used twice, which is
///         verified without being poisoned first, or whose ceiling is not in the group
inline void require_sound(const std::vector<Variant>& variants, std::set<std::string> taken) {
    if (variants.empty()) throw std::invalid_argument("a group of measurements needs at least one variant");
    std::set<std::string> in_group;
    for (const auto& variant : variants) {
        if (variant.name.empty()) throw std::invalid_argument("a measurement needs a name");
        if (!variant.launch) throw std::invalid_argument("measurement " + variant.name + " has nothing to launch");
        if (variant.verify && !variant.poison) {
            throw std::invalid_argument("measurement " + variant.name +
                                        " is verified but never poisoned: another variant's output would pass");
        }
        if (!taken.insert(variant.name).second) {
            throw std::invalid_argument("two measurements are called " + variant.name + ": results go by their names");
        }
        in_group.insert(variant.name);
    }
    for (const auto& variant : variants) {
        if (!variant.ceiling.empty() && in_group.count(variant.ceiling) == 0) {
            throw std::invalid_argument("measurement " + variant.name + " names the ceiling " + variant.ceiling +
                                        ", which is not measured in the same group");
        }
    }
}

}  // namespace lanes
