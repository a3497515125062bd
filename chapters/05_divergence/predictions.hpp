/// @file
/// @brief What the branches of chapter 5 must cost, by the model.
#pragma once

#include <lanes/cases.hpp>
#include <lanes/device.hpp>
#include <lanes/model/divergence.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// What the counters say of a launch, or of the difference between two.
struct Cost {
    lanes::model::IssueCount issued;  ///< instructions and active lanes
    std::uint64_t lanes_pred_on = 0;  ///< active lanes that no predicate turned off
    std::uint64_t divergent = 0;      ///< branches whose lanes went different ways
    std::uint64_t uniform = 0;        ///< branches whose lanes went one way
};

/// Cost of the last launch, on the emulator only.
/// @throws std::runtime_error if a counter is missing
inline Cost last_cost() {
    const auto read = [](const char* name) {
        const auto count = lanes::counted(name);
        if (!count) throw std::runtime_error(std::string("there is no counter ") + name);
        return std::uint64_t(*count);
    };
    return {{read("smsp__inst_executed"), read("smsp__thread_inst_executed")},
            read("smsp__thread_inst_executed_pred_on"),
            read("smsp__sass_branch_targets_threads_divergent"),
            read("smsp__sass_branch_targets_threads_uniform")};
}

/// What `more` costs beyond `less`.
inline Cost operator-(const Cost& more, const Cost& less) {
    return {{more.issued.issues - less.issued.issues, more.issued.active_lanes - less.issued.active_lanes},
            more.lanes_pred_on - less.lanes_pred_on,
            more.divergent - less.divergent,
            more.uniform - less.uniform};
}

/// @brief Warps in which some threads are of kind 0 and some are not: each has one divergent branch.
/// @param kinds of the threads, in their order; a warp is 32 of them, the last one may be shorter
inline std::uint64_t mixed_warps(const std::vector<int>& kinds) {
    std::uint64_t mixed = 0;
    for (std::size_t first = 0; first < kinds.size(); first += lanes::model::warp_size) {
        const auto begin = kinds.begin() + std::ptrdiff_t(first);
        const auto end = begin + std::ptrdiff_t(std::min<std::size_t>(lanes::model::warp_size, kinds.size() - first));
        const auto zeros = std::count(begin, end, 0);
        mixed += zeros != 0 && zeros != end - begin ? 1 : 0;
    }
    return mixed;
}

/// @brief The kinds as the threads see them once each block has put its own in order: those other than 0 first.
/// @param kinds            of the elements
/// @param threads_of_block elements a block
inline std::vector<int> ordered_in_blocks(std::vector<int> kinds, std::size_t threads_of_block) {
    for (std::size_t first = 0; first < kinds.size(); first += threads_of_block) {
        const std::size_t size = std::min(threads_of_block, kinds.size() - first);
        const auto begin = kinds.begin() + std::ptrdiff_t(first);
        std::stable_partition(begin, begin + std::ptrdiff_t(size), [](int kind) { return kind != 0; });
    }
    return kinds;
}

/// The prediction of a counted case: this many branches part their lanes.
inline lanes::Counts divergent_branches(std::uint64_t branches) {
    return {{"smsp__sass_branch_targets_threads_divergent", branches}};
}
