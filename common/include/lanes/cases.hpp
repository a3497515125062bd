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

}  // namespace lanes
