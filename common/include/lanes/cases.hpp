/// @file
/// @brief Counted cases: launches whose cost the model predicts, and that the emulator and Nsight Compute count.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "lanes/parameters.hpp"

namespace lanes {

/// Counts by Nsight Compute's base names, without the `.sum`: `l1tex__t_sectors_pipe_lsu_mem_global_op_ld`.
using Counts = std::map<std::string, std::uint64_t>;

/// One launch to count. All of its data is made inside `launch`, so that a case costs nothing until it runs.
struct CountedCase {
    std::string name;                        ///< unique in the program; part of the key of its results
    std::vector<std::string> snippets = {};  ///< named pieces of the source that the counts depend on
    std::string kernel;                      ///< base name of the kernel: no namespace, template or argument list
    Parameters parameters = {};              ///< sizes, strides, offsets
    Counts predicted = {};                   ///< what lanes::model says; at least one count
    std::function<void()> launch = {};       ///< launches exactly one kernel, once
};

/// Counted cases in the order of their launches.
using CountedCases = std::vector<CountedCase>;

/// @brief Refuses cases that could not be counted or cited.
/// @param cases all of a program
/// @throws std::invalid_argument if there are none, or saying which case lacks a launch, a kernel or a prediction, or
///         has a name that is empty or used twice
inline void require_sound(const CountedCases& cases) {
    if (cases.empty()) throw std::invalid_argument("this program has no counted cases");
    std::set<std::string> names;
    for (const auto& counted_case : cases) {
        const auto& name = counted_case.name;
        if (name.empty()) throw std::invalid_argument("a counted case needs a name");
        if (!names.insert(name).second) throw std::invalid_argument("two counted cases are called " + name);
        if (!counted_case.launch) throw std::invalid_argument("counted case " + name + " has nothing to launch");
        if (counted_case.kernel.empty()) throw std::invalid_argument("counted case " + name + " names no kernel");
        if (counted_case.predicted.empty()) throw std::invalid_argument("counted case " + name + " predicts nothing");
    }
}

/// @brief What the model says of one counter of one case, for the claims that a chapter makes.
/// @param cases   all of a program, or any others
/// @param name    of the case
/// @param counter by its base name, such as lanes::counters::shared_ld_wavefronts
/// @throws std::invalid_argument if there is no such case, or if it does not predict the counter
inline std::uint64_t predicted_count(const CountedCases& cases, const std::string& name, const std::string& counter) {
    for (const auto& counted_case : cases) {
        if (counted_case.name != name) continue;
        const auto prediction = counted_case.predicted.find(counter);
        if (prediction != counted_case.predicted.end()) return prediction->second;
        throw std::invalid_argument("counted case " + name + " does not predict " + counter);
    }
    throw std::invalid_argument("no counted case is called " + name);
}

}  // namespace lanes
