/// What memory accesses cost, by the model.
#include "memory_access.hpp"

#include <lanes/model/banks.hpp>
#include <lanes/model/sectors.hpp>

#include <array>

namespace lanes::emulator {
namespace {

static_assert(warp_size == model::warp_size);

bool matches(const RecentCost& recent, CostKind counted, LaneMask lanes, std::uint32_t bytes,
             const LaneAccess& access) {
    const bool alike = recent.lanes == lanes && recent.bytes == bytes && recent.kind == counted &&
                       recent.start == access.address[0] % model::sector_bytes;
    if (!alike) return false;
    std::uint64_t difference = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        difference |= (access.address[lane] - access.address[0]) ^ recent.from_lane_0[lane];
    return difference == 0;
}

void remember(RecentCost& recent, CostKind counted, LaneMask lanes, std::uint32_t bytes, const LaneAccess& access) {
    recent.lanes = lanes;
    recent.bytes = bytes;
    recent.kind = counted;
    recent.start = static_cast<std::uint8_t>(access.address[0] % model::sector_bytes);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        recent.from_lane_0[lane] = access.address[lane] - access.address[0];
    if (counted == CostKind::sectors) {
        recent.cost = model::count_sectors(access.address, bytes, lanes);
        return;
    }
    const auto way =
        counted == CostKind::load_wavefronts ? model::SharedOperation::load : model::SharedOperation::store;
    const model::SharedAccessCost cost = model::shared_access_cost(way, access.address, bytes, lanes);
    recent.cost = cost.wavefronts;
    recent.ideal = cost.ideal_wavefronts;
}

/// What an access costs that is not regular: one of the same shape may just have been counted.
const RecentCost& cost_of(Warp& warp, const Operation& operation, CostKind counted, LaneMask lanes, std::uint32_t bytes,
                          const LaneAccess& access) {
    RecentCost& recent = warp.block->recent.costs[operation.index % RecentAccesses::size];
    if (!matches(recent, counted, lanes, bytes, access)) remember(recent, counted, lanes, bytes, access);
    return recent;
}

void count_global(Warp& warp, const Operation& operation, LaneMask lanes, AccessKind kind, const LaneAccess& access) {
    unsigned sectors = 1;  // of a regular access with step 0: an aligned element lies in one sector
    if (!access.regular) {
        sectors = cost_of(warp, operation, CostKind::sectors, lanes, kind.bytes, access).cost;
    } else if (access.step != 0) {
        const std::uint64_t end = access.first + warp_size * access.step;
        sectors = static_cast<unsigned>((end - 1) / model::sector_bytes - access.first / model::sector_bytes + 1);
    }
    CounterSet& counters = *warp.counters;
    if (kind.intent == Intent::atomic) {
        counters[Counter::global_atomic_requests] += model::count_requests(lanes);
        counters[Counter::global_atomic_sectors] += sectors;
        return;
    }
    const bool load = kind.intent == Intent::load;
    counters[load ? Counter::global_ld_requests : Counter::global_st_requests] += model::count_requests(lanes);
    counters[load ? Counter::global_ld_sectors : Counter::global_st_sectors] += sectors;
    counters[load ? Counter::global_ld_sectors_ideal : Counter::global_st_sectors_ideal] +=
        model::ideal_sectors(kind.bytes, lanes);
}

/// What regular accesses cost, by the logarithm of their size.
using RegularCosts = std::array<model::SharedAccessCost, 6>;

constexpr RegularCosts regular_costs(model::SharedOperation way, bool uniform) {
    RegularCosts costs;
    for (unsigned i = 0; i < costs.size(); ++i) {
        const std::uint32_t bytes = 1U << i;
        costs[i] = model::shared_access_cost(way, model::strided_addresses(0, uniform ? 0 : bytes), bytes);
    }
    return costs;
}

/// By store or load, then by step 0 or not.
constexpr RegularCosts shared_costs[2][2] = {
    {regular_costs(model::SharedOperation::store, true), regular_costs(model::SharedOperation::store, false)},
    {regular_costs(model::SharedOperation::load, true), regular_costs(model::SharedOperation::load, false)}};

void count_shared(Warp& warp, const Operation& operation, LaneMask lanes, AccessKind kind, const LaneAccess& access) {
    CounterSet& counters = *warp.counters;
    if (kind.intent == Intent::atomic) {
        counters[Counter::shared_atomic_inst] += 1;
        return;
    }
    const bool load = kind.intent == Intent::load;
    model::SharedAccessCost cost;
    if (access.regular) {
        cost = shared_costs[load ? 1 : 0][access.step != 0 ? 1 : 0][std::countr_zero(kind.bytes)];
    } else {
        const CostKind counted = load ? CostKind::load_wavefronts : CostKind::store_wavefronts;
        const RecentCost& recent = cost_of(warp, operation, counted, lanes, kind.bytes, access);
        cost = {.wavefronts = recent.cost, .ideal_wavefronts = recent.ideal};
    }
    counters[load ? Counter::shared_ld_inst : Counter::shared_st_inst] += 1;
    counters[load ? Counter::shared_ld_wavefronts : Counter::shared_st_wavefronts] += cost.wavefronts;
    counters[load ? Counter::shared_ld_wavefronts_ideal : Counter::shared_st_wavefronts_ideal] += cost.ideal_wavefronts;
    counters[load ? Counter::shared_ld_conflicts : Counter::shared_st_conflicts] += cost.conflicts();
}

}  // namespace

void count(Warp& warp, const Operation& operation, LaneMask lanes, AccessKind kind, const LaneAccess& access) {
    if (kind.space == ptx::Space::global) count_global(warp, operation, lanes, kind, access);
    if (kind.space == ptx::Space::shared) count_shared(warp, operation, lanes, kind, access);
}

}  // namespace lanes::emulator
