/// @file
/// @brief From one warp to a whole launch: what the model says a kernel's accesses to global memory cost in all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lanes/cases.hpp"
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

/// @brief Adds up the model's counts of one access over all warps.
/// @param threads    threads of the launch, counted through the grid in warps of 32 (whole warps in every block)
/// @param bytes      bytes of the access, a thread
/// @param address_of thread number to std::optional byte address; none if the thread does not access memory
template <typename AddressOfThread>
GlobalTraffic traffic_of(std::size_t threads, unsigned bytes, const AddressOfThread& address_of) {
    GlobalTraffic total;
    for (std::size_t first = 0; first < threads; first += model::warp_size) {
        model::LaneAddresses addresses{};
        model::LaneMask active = 0;
        for (unsigned lane = 0; lane < model::warp_size && first + lane < threads; ++lane) {
            const std::optional<std::uint64_t> address = address_of(first + lane);
            if (!address) continue;
            addresses[lane] = *address;
            active |= model::LaneMask{1} << lane;
        }
        total.requests += model::count_requests(active);
        total.sectors += model::count_sectors(addresses, bytes, active);
    }
    return total;
}

/// @brief The counters that a kernel's loads from and stores to global memory must show, for CountedCase::predicted.
/// @param loads  all loads of the launch
/// @param stores all stores of the launch
inline Counts global_counts(const GlobalTraffic& loads, const GlobalTraffic& stores) {
    return {{"l1tex__t_requests_pipe_lsu_mem_global_op_ld", loads.requests},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", loads.sectors},
            {"l1tex__t_requests_pipe_lsu_mem_global_op_st", stores.requests},
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", stores.sectors}};
}

}  // namespace lanes
