/// @file
/// @brief A block's reduction, step by step: which threads add, in how many warps, and what that costs.
#pragma once

#include <lanes/model/banks.hpp>
#include <lanes/model/divergence.hpp>
#include <lanes/model/warp.hpp>

#include <bit>
#include <cstdint>
#include <optional>

namespace lanes::model {

/// Which threads add in a step of a block's reduction in shared memory.
enum class ReductionScheme : std::uint8_t {
    modulo,         ///< `tid % (2 * s) == 0`, s = 1, 2, 4, ...: v0
    strided_index,  ///< `2 * s * tid < threads`, s = 1, 2, 4, ...: whole warps, but bank conflicts
    sequential      ///< `tid < s`, s = threads / 2, ..., 2, 1: v1
};

/// Steps in which a block adds up one element a thread.
/// @param threads of the block, a power of two
constexpr unsigned reduction_steps(unsigned threads) {
    return static_cast<unsigned>(std::countr_zero(threads));
}

/// Elements between the two operands of an addition.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
/// @param step from 0
constexpr unsigned reduction_stride(ReductionScheme scheme, unsigned threads, unsigned step) {
    return scheme == ReductionScheme::sequential ? threads >> (step + 1) : 1U << step;
}

/// The element that a thread adds to in the step with stride `s`: `buf[element] += buf[element + s]`.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
/// @param s stride of the step
/// @param thread its threadIdx.x
/// @return nothing if the thread does not add
constexpr std::optional<unsigned> reduction_element(ReductionScheme scheme, unsigned threads, unsigned s,
                                                    unsigned thread) {
    const auto element_if = [](bool adds, unsigned element) {
        return adds ? std::optional<unsigned>(element) : std::nullopt;
    };
    switch (scheme) {
        case ReductionScheme::modulo:
            return element_if(thread % (2 * s) == 0, thread);
        case ReductionScheme::strided_index:
            return element_if(2 * s * thread < threads, 2 * s * thread);
        case ReductionScheme::sequential:
            return element_if(thread < s, thread);
    }
    return std::nullopt;
}

/// Whether a thread adds in the step with stride `s`.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
/// @param s stride of the step
/// @param thread its threadIdx.x
constexpr bool adds_in_step(ReductionScheme scheme, unsigned threads, unsigned s, unsigned thread) {
    return reduction_element(scheme, threads, s, thread).has_value();
}

/// What a step of a block's reduction costs.
struct ReductionStepCost {
    unsigned additions = 0;   ///< threads that add
    unsigned warps = 0;       ///< with a thread that adds
    SharedAccessCost loads;   ///< from shared memory, of both operands
    SharedAccessCost stores;  ///< to shared memory

    /// Adds the cost of another step.
    /// @param other cost of the step
    constexpr ReductionStepCost& operator+=(const ReductionStepCost& other) {
        additions += other.additions;
        warps += other.warps;
        loads += other.loads;
        stores += other.stores;
        return *this;
    }
    /// Equal in every count.
    constexpr bool operator==(const ReductionStepCost&) const = default;
};

/// Cost of the step with stride `s`, of elements of 4 bytes, without the barrier that all warps come to.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
/// @param s stride of the step
constexpr ReductionStepCost reduction_step_cost(ReductionScheme scheme, unsigned threads, unsigned s) {
    ReductionStepCost cost;
    for (unsigned first = 0; first < threads; first += warp_size) {
        LaneMask adds = 0;
        LaneAddresses left{};
        LaneAddresses right{};
        for (unsigned lane = 0; lane < warp_size && first + lane < threads; ++lane) {
            const auto element = reduction_element(scheme, threads, s, first + lane);
            if (!element) continue;
            adds |= LaneMask{1} << lane;
            left[lane] = std::uint64_t{*element} * bank_bytes;
            right[lane] = std::uint64_t{*element + s} * bank_bytes;
        }
        if (adds == 0) continue;
        cost.additions += lane_count(adds);
        ++cost.warps;
        cost.loads += shared_access_cost(SharedOperation::load, left, bank_bytes, adds);
        cost.loads += shared_access_cost(SharedOperation::load, right, bank_bytes, adds);
        cost.stores += shared_access_cost(SharedOperation::store, left, bank_bytes, adds);
    }
    return cost;
}

/// Warps with a thread that adds, summed over all steps of a block's reduction. For 256 threads 47 with the modulo and
/// 12 sequentially: what the hardware counts as stores to shared memory, beside the eight that fill the buffer.
/// @param scheme the order of additions
/// @param threads of the block, a power of two
constexpr unsigned reduction_warps(ReductionScheme scheme, unsigned threads) {
    unsigned warps = 0;
    for (unsigned s = 1; s < threads; s *= 2)
        warps +=
            warps_with_true_lane(threads, [=](unsigned thread) { return adds_in_step(scheme, threads, s, thread); });
    return warps;
}

/// Steps in which shuffles add up the lanes of a warp: distances 16, 8, 4, 2, 1.
inline constexpr unsigned shuffle_steps = 5;

/// Lanes between the two operands in a step of a warp's sum by `__shfl_down_sync`.
/// @param step from 0 to 4
constexpr unsigned shuffle_distance(unsigned step) {
    return warp_size >> (step + 1);
}

/// Whether what a lane adds in a step reaches the warp's sum, in lane 0. All 32 lanes add, but the upper ones for
/// nothing.
/// @param distance of the step
/// @param lane 0 to 31
constexpr bool shuffle_is_useful(unsigned distance, unsigned lane) {
    return lane < distance;
}

/// Cost of one step of some warps' sums by shuffles: all lanes add, in registers.
/// @param warps that take part
constexpr ReductionStepCost shuffle_step_cost(unsigned warps) {
    ReductionStepCost cost;
    cost.additions = warps * warp_size;
    cost.warps = warps;
    return cost;
}

/// Warps that add in a block's reduction by shuffles: each warp five times for its lanes, then one warp five times for
/// the warps' sums. For 256 threads 45.
/// @param threads of the block, a multiple of 32, at most 1024
constexpr unsigned shuffle_reduction_warps(unsigned threads) {
    return (warp_count(threads) + 1) * shuffle_steps;
}

/// What handing the warps' sums over to the first warp costs in a reduction by shuffles: one lane of each warp stores
/// its sum, then one warp loads them all.
/// @param threads of the block, a multiple of 32, at most 1024
constexpr ReductionStepCost shuffle_handover_cost(unsigned threads) {
    const unsigned warps = warp_count(threads);
    const auto sums = static_cast<LaneMask>((std::uint64_t{1} << warps) - 1);
    ReductionStepCost cost;
    cost.loads = shared_access_cost(SharedOperation::load, strided_addresses(0, bank_bytes), bank_bytes, sums);
    const SharedAccessCost one_word =
        shared_access_cost(SharedOperation::store, LaneAddresses{}, bank_bytes, LaneMask{1});
    for (unsigned warp = 0; warp < warps; ++warp) cost.stores += one_word;
    return cost;
}

}  // namespace lanes::model
