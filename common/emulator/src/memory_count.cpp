/// What memory accesses cost, by the model.
#include "memory_access.hpp"

#include <lanes/model/banks.hpp>
#include <lanes/model/sectors.hpp>

#include <array>

namespace lanes::emulator {
namespace {

static_assert(warp_size == model::warp_size);

/// An access that is about to be counted.
struct Counted {
    CostKind kind;
    LaneMask lanes;
    std::uint32_t bytes;
    const LaneAccess& access;
};

bool matches(const RecentCost& recent, const Counted& counted) {
    const LaneAccess& access = counted.access;
    const LaneRows& rows = access.rows;
    const std::uint64_t first = access.of(0);
    const bool alike = recent.lanes == counted.lanes && recent.bytes == counted.bytes && recent.kind == counted.kind &&
                       recent.start == first % model::sector_bytes && recent.rows == rows.count;
    if (!alike) return false;
    std::uint64_t difference = 0;
    if (rows.exist()) {
        difference = rows.step ^ recent.step;
        for (std::uint32_t row = 1; row < rows.count; ++row)
            difference |= (rows.first[row] - first) ^ recent.from_lane_0[row];
    } else {
        for (unsigned lane = 0; lane < warp_size; ++lane)
            difference |= (access.address[lane] - first) ^ recent.from_lane_0[lane];
    }
    return difference == 0;
}

void remember(RecentCost& recent, const Counted& counted, const model::LaneAddresses& addresses) {
    const LaneRows& rows = counted.access.rows;
    recent.lanes = counted.lanes;
    recent.bytes = counted.bytes;
    recent.kind = counted.kind;
    recent.start = static_cast<std::uint8_t>(addresses[0] % model::sector_bytes);
    recent.rows = rows.count;
    recent.step = rows.step;
    const unsigned known = rows.exist() ? rows.count : warp_size;
    for (unsigned i = 0; i < known; ++i)
        recent.from_lane_0[i] = (rows.exist() ? rows.first[i] : addresses[i]) - addresses[0];
    if (counted.kind == CostKind::sectors) {
        recent.cost = model::count_sectors(addresses, counted.bytes, counted.lanes);
        return;
    }
    const auto way =
        counted.kind == CostKind::load_wavefronts ? model::SharedOperation::load : model::SharedOperation::store;
    const model::SharedAccessCost cost = model::shared_access_cost(way, addresses, counted.bytes, counted.lanes);
    recent.cost = cost.wavefronts;
    recent.ideal = cost.ideal_wavefronts;
}

/// What an access costs that is not one row: one of the same shape may just have been counted.
const RecentCost& cost_of(Warp& warp, const Operation& operation, const Counted& counted) {
    RecentCost& recent = warp.block->recent.costs[operation.index % RecentAccesses::size];
    if (!matches(recent, counted)) {
        LaneAccess listed = counted.access;
        listed.list();
        remember(recent, counted, listed.address);
    }
    return recent;
}

void count_global(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind,
                  const LaneAccess& access) {
    unsigned sectors = 1;  // of one row with step 0: an aligned element lies in one sector
    if (access.rows.count != 1) {
        sectors = cost_of(warp, operation, {CostKind::sectors, lanes, kind.bytes, access}).cost;
    } else if (access.rows.step != 0) {
        const std::uint64_t first = access.rows.first[0];
        const std::uint64_t end = first + warp_size * access.rows.step;
        sectors = static_cast<unsigned>((end - 1) / model::sector_bytes - first / model::sector_bytes + 1);
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

/// What accesses of one row cost, by the logarithm of their size.
using RowCosts = std::array<model::SharedAccessCost, 6>;

constexpr RowCosts row_costs(model::SharedOperation way, bool uniform) {
    RowCosts costs;
    for (unsigned i = 0; i < costs.size(); ++i) {
        const std::uint32_t bytes = 1U << i;
        costs[i] = model::shared_access_cost(way, model::strided_addresses(0, uniform ? 0 : bytes), bytes);
    }
    return costs;
}

/// By store or load, then by step 0 or not.
constexpr RowCosts shared_costs[2][2] = {
    {row_costs(model::SharedOperation::store, true), row_costs(model::SharedOperation::store, false)},
    {row_costs(model::SharedOperation::load, true), row_costs(model::SharedOperation::load, false)}};

void count_shared(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind,
                  const LaneAccess& access) {
    CounterSet& counters = *warp.counters;
    if (kind.intent == Intent::atomic) {
        counters[Counter::shared_atomic_inst] += 1;
        return;
    }
    const bool load = kind.intent == Intent::load;
    model::SharedAccessCost cost;
    if (access.rows.count == 1) {
        cost = shared_costs[load ? 1 : 0][access.rows.step != 0 ? 1 : 0][std::countr_zero(kind.bytes)];
    } else {
        const CostKind counted = load ? CostKind::load_wavefronts : CostKind::store_wavefronts;
        const RecentCost& recent = cost_of(warp, operation, {counted, lanes, kind.bytes, access});
        cost = {.wavefronts = recent.cost, .ideal_wavefronts = recent.ideal};
    }
    counters[load ? Counter::shared_ld_inst : Counter::shared_st_inst] += 1;
    counters[load ? Counter::shared_ld_wavefronts : Counter::shared_st_wavefronts] += cost.wavefronts;
    counters[load ? Counter::shared_ld_wavefronts_ideal : Counter::shared_st_wavefronts_ideal] += cost.ideal_wavefronts;
    counters[load ? Counter::shared_ld_conflicts : Counter::shared_st_conflicts] += cost.conflicts();
}

}  // namespace

void count(Warp& warp, const Operation& operation, LaneMask lanes, const AccessKind& kind, const LaneAccess& access) {
    if (kind.space == ptx::Space::global) count_global(warp, operation, lanes, kind, access);
    if (kind.space == ptx::Space::shared) count_shared(warp, operation, lanes, kind, access);
}

}  // namespace lanes::emulator
