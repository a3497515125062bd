/// @file
/// @brief From one warp to a whole launch: what the model says a kernel's accesses to memory cost in all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lanes/cases.hpp"
#include "lanes/counters.hpp"
#include "lanes/model/banks.hpp"
#include "lanes/model/sectors.hpp"

namespace lanes {

/// Requests and sectors of all warps of a launch.
struct GlobalTraffic {
    std::uint64_t requests = 0;  ///< warp instructions that had an active lane
    std::uint64_t sectors = 0;   ///< 32-byte sectors, added up over the requests

    /// Adds the traffic of another access of the same kernel.
    GlobalTraffic& operator+=(const GlobalTraffic& other) {
        requests += other.requests;
        sectors += other.sectors;
        return *this;
    }
};

/// Wavefronts and bank conflicts of all warps of a launch.
struct SharedTraffic {
    std::uint64_t wavefronts = 0;  ///< added up over the warp instructions
    std::uint64_t conflicts = 0;   ///< those beyond the ideal

    /// Adds the traffic of another access of the same kernel.
    SharedTraffic& operator+=(const SharedTraffic& other) {
        wavefronts += other.wavefronts;
        conflicts += other.conflicts;
        return *this;
    }
    /// The same access, made `times` times.
    SharedTraffic& operator*=(std::uint64_t times) {
        wavefronts *= times;
        conflicts *= times;
        return *this;
    }
};

namespace detail {

/// Calls visit(addresses, active) for each warp of `threads` threads.
template <typename AddressOfThread, typename Visit>
void for_each_warp(std::size_t threads, const AddressOfThread& address_of, const Visit& visit) {
    for (std::size_t first = 0; first < threads; first += model::warp_size) {
        model::LaneAddresses addresses{};
        model::LaneMask active = 0;
        for (unsigned lane = 0; lane < model::warp_size && first + lane < threads; ++lane) {
            const std::optional<std::uint64_t> address = address_of(first + lane);
            if (!address) continue;
            addresses[lane] = *address;
            active |= model::LaneMask{1} << lane;
        }
        visit(addresses, active);
    }
}

}  // namespace detail

/// @brief Adds up the model's counts of one access over all warps.
/// @param threads    threads of the launch, counted through the grid in warps of 32 (whole warps in every block)
/// @param bytes      bytes of the access, a thread
/// @param address_of thread number to std::optional byte address; none if the thread does not access memory
template <typename AddressOfThread>
GlobalTraffic traffic_of(std::size_t threads, unsigned bytes, const AddressOfThread& address_of) {
    GlobalTraffic total;
    detail::for_each_warp(threads, address_of, [&](const model::LaneAddresses& addresses, model::LaneMask active) {
        total.requests += model::count_requests(active);
        total.sectors += model::count_sectors(addresses, bytes, active);
    });
    return total;
}

/// @brief Adds up the model's counts of one access to shared memory over all warps of a block, or of more.
/// @param operation  load or store
/// @param threads    threads, counted through the block in warps of 32
/// @param bytes      bytes of the access, a thread
/// @param address_of thread number to std::optional byte offset; none if the thread does not access memory
template <typename AddressOfThread>
SharedTraffic shared_traffic_of(model::SharedOperation operation, std::size_t threads, unsigned bytes,
                                const AddressOfThread& address_of) {
    SharedTraffic total;
    detail::for_each_warp(threads, address_of, [&](const model::LaneAddresses& addresses, model::LaneMask active) {
        const auto cost = model::shared_access_cost(operation, addresses, bytes, active);
        total += {cost.wavefronts, cost.conflicts()};
    });
    return total;
}

/// @brief The counters that a kernel's loads from and stores to global memory must show, for CountedCase::predicted.
/// @param loads  all loads of the launch
/// @param stores all stores of the launch
inline Counts global_counts(const GlobalTraffic& loads, const GlobalTraffic& stores) {
    return {{counters::global_ld_requests, loads.requests},
            {counters::global_ld_sectors, loads.sectors},
            {counters::global_st_requests, stores.requests},
            {counters::global_st_sectors, stores.sectors}};
}

/// @brief The counters that a kernel's loads from shared memory must show.
/// @param loads all of the launch
inline Counts shared_load_counts(const SharedTraffic& loads) {
    return {{counters::shared_ld_wavefronts, loads.wavefronts}, {counters::shared_ld_conflicts, loads.conflicts}};
}

/// @brief The counters that a kernel's stores to shared memory must show.
/// @param stores all of the launch
inline Counts shared_store_counts(const SharedTraffic& stores) {
    return {{counters::shared_st_wavefronts, stores.wavefronts}, {counters::shared_st_conflicts, stores.conflicts}};
}

}  // namespace lanes
