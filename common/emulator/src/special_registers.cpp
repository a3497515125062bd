#include "special_registers.hpp"

#include <algorithm>

#include "position.hpp"

namespace lanes::emulator {

namespace {

const LaunchConfig& config_of(const Warp& warp) {
    return warp.block->launch->config;
}

Dim3 thread_of(const Warp& warp, unsigned lane) {
    return position_in(config_of(warp).block, warp.index * warp_size + lane);
}

std::uint64_t zero(const Warp&, unsigned) {
    return 0;
}
std::uint64_t one(const Warp&, unsigned) {
    return 1;
}
std::uint64_t tid_x(const Warp& warp, unsigned lane) {
    return thread_of(warp, lane).x;
}
std::uint64_t tid_y(const Warp& warp, unsigned lane) {
    return thread_of(warp, lane).y;
}
std::uint64_t tid_z(const Warp& warp, unsigned lane) {
    return thread_of(warp, lane).z;
}
std::uint64_t ntid_x(const Warp& warp, unsigned) {
    return config_of(warp).block.x;
}
std::uint64_t ntid_y(const Warp& warp, unsigned) {
    return config_of(warp).block.y;
}
std::uint64_t ntid_z(const Warp& warp, unsigned) {
    return config_of(warp).block.z;
}
std::uint64_t ctaid_x(const Warp& warp, unsigned) {
    return warp.block->index.x;
}
std::uint64_t ctaid_y(const Warp& warp, unsigned) {
    return warp.block->index.y;
}
std::uint64_t ctaid_z(const Warp& warp, unsigned) {
    return warp.block->index.z;
}
std::uint64_t nctaid_x(const Warp& warp, unsigned) {
    return config_of(warp).grid.x;
}
std::uint64_t nctaid_y(const Warp& warp, unsigned) {
    return config_of(warp).grid.y;
}
std::uint64_t nctaid_z(const Warp& warp, unsigned) {
    return config_of(warp).grid.z;
}
std::uint64_t laneid(const Warp&, unsigned lane) {
    return lane;
}
std::uint64_t warpid(const Warp& warp, unsigned) {
    return warp.index;
}
std::uint64_t nwarpid(const Warp& warp, unsigned) {
    return config_of(warp).device.maximum_threads_per_block / warp_size;
}
std::uint64_t smid(const Warp& warp, unsigned) {
    return warp.block->number % config_of(warp).device.multiprocessors;
}
std::uint64_t nsmid(const Warp& warp, unsigned) {
    return config_of(warp).device.multiprocessors;
}
std::uint64_t lanemask_eq(const Warp&, unsigned lane) {
    return LaneMask{1} << lane;
}
std::uint64_t lanemask_lt(const Warp&, unsigned lane) {
    return (LaneMask{1} << lane) - 1;
}
std::uint64_t lanemask_le(const Warp&, unsigned lane) {
    return ((LaneMask{1} << lane) - 1) | (LaneMask{1} << lane);
}
std::uint64_t lanemask_ge(const Warp& warp, unsigned lane) {
    return all_lanes & ~lanemask_lt(warp, lane);
}
std::uint64_t lanemask_gt(const Warp& warp, unsigned lane) {
    return all_lanes & ~lanemask_le(warp, lane);
}
std::uint64_t dynamic_smem_size(const Warp& warp, unsigned) {
    return config_of(warp).dynamic_shared_bytes;
}
std::uint64_t total_smem_size(const Warp& warp, unsigned) {
    return warp.block->launch->program.dynamic_shared_offset + config_of(warp).dynamic_shared_bytes;
}
std::uint64_t reserved_begin(const Warp& warp, unsigned) {
    return warp.block->shared_bytes - warp.block->launch->program.reserved_shared_bytes;
}
std::uint64_t reserved_end(const Warp& warp, unsigned) {
    return warp.block->shared_bytes;
}
std::uint64_t reserved_bytes(const Warp& warp, unsigned) {
    return warp.block->launch->program.reserved_shared_bytes;
}

/// What cooperative groups read to find the launch's workspace: 0 if the launch is not cooperative.
std::uint64_t workspace_high(const Warp& warp, unsigned) {
    return warp.block->launch->workspace >> 32;
}
std::uint64_t workspace_low(const Warp& warp, unsigned) {
    return warp.block->launch->workspace & 0xffffffffU;
}

struct Known {
    std::string_view name;
    std::uint64_t (*value)(const Warp& warp, unsigned lane);
    bool by_block = false;
};

/// A cluster is one block here: its registers say so.
constexpr Known known[] = {
    {"%tid.x", tid_x},
    {"%tid.y", tid_y},
    {"%tid.z", tid_z},
    {"%ntid.x", ntid_x},
    {"%ntid.y", ntid_y},
    {"%ntid.z", ntid_z},
    {"%ctaid.x", ctaid_x, true},
    {"%ctaid.y", ctaid_y, true},
    {"%ctaid.z", ctaid_z, true},
    {"%nctaid.x", nctaid_x},
    {"%nctaid.y", nctaid_y},
    {"%nctaid.z", nctaid_z},
    {"%laneid", laneid},
    {"%warpid", warpid},
    {"%nwarpid", nwarpid},
    {"%smid", smid, true},
    {"%nsmid", nsmid},
    {"%gridid", zero},
    {"%lanemask_eq", lanemask_eq},
    {"%lanemask_lt", lanemask_lt},
    {"%lanemask_le", lanemask_le},
    {"%lanemask_ge", lanemask_ge},
    {"%lanemask_gt", lanemask_gt},
    {"%dynamic_smem_size", dynamic_smem_size},
    {"%total_smem_size", total_smem_size},
    {"%aggr_smem_size", total_smem_size},
    {"%reserved_smem_offset_begin", reserved_begin},
    {"%reserved_smem_offset_end", reserved_end},
    {"%reserved_smem_offset_cap", reserved_bytes},
    {"%reserved_smem_offset_0", reserved_begin},
    {"%reserved_smem_offset_1", reserved_begin},
    {"%is_explicit_cluster", zero},
    {"%clusterid.x", ctaid_x, true},
    {"%clusterid.y", ctaid_y, true},
    {"%clusterid.z", ctaid_z, true},
    {"%nclusterid.x", nctaid_x},
    {"%nclusterid.y", nctaid_y},
    {"%nclusterid.z", nctaid_z},
    {"%cluster_ctaid.x", zero},
    {"%cluster_ctaid.y", zero},
    {"%cluster_ctaid.z", zero},
    {"%cluster_nctaid.x", one},
    {"%cluster_nctaid.y", one},
    {"%cluster_nctaid.z", one},
    {"%cluster_ctarank", zero},
    {"%cluster_nctarank", one},
    {"%envreg1", workspace_high},
    {"%envreg2", workspace_low},
};

constexpr Known environment{"%envreg", zero};

const Known* find_known(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(known), std::end(known), [&](const Known& entry) { return entry.name == name; });
    if (found != std::end(known)) return found;
    return name.starts_with(environment.name) ? &environment : nullptr;
}

}  // namespace

bool is_known_special(std::string_view name) {
    return find_known(name) != nullptr;
}

bool names_reserved_shared(std::string_view name) {
    return name.starts_with("%reserved_smem_offset");
}

SpecialRegisters::SpecialRegisters(const Program& program) {
    for (const SpecialRow& special : program.specials) {
        const Known* const entry = find_known(special.name);
        (entry->by_block ? by_block_ : constant_).push_back({special.slot, special.width, entry->value});
    }
}

void SpecialRegisters::put(RunningWarp& warp, const Row& row, unsigned begin, unsigned end, std::uint64_t value) {
    switch (row.width) {
        case 2:
            std::fill(warp.row<std::uint16_t>(row.slot) + begin, warp.row<std::uint16_t>(row.slot) + end,
                      static_cast<std::uint16_t>(value));
            break;
        case 4:
            std::fill(warp.row<std::uint32_t>(row.slot) + begin, warp.row<std::uint32_t>(row.slot) + end,
                      static_cast<std::uint32_t>(value));
            break;
        case 8:
            std::fill(warp.row<std::uint64_t>(row.slot) + begin, warp.row<std::uint64_t>(row.slot) + end, value);
            break;
        default:
            warp.predicate(row.slot) = value != 0 ? all_lanes : 0;
            break;
    }
}

void SpecialRegisters::fill_constant(RunningWarp& warp) const {
    for (const Row& row : constant_) {
        for (unsigned lane = 0; lane < warp_size; ++lane) put(warp, row, lane, lane + 1, row.value(warp, lane));
    }
}

void SpecialRegisters::fill_for_block(RunningWarp& warp) const {
    for (const Row& row : by_block_) put(warp, row, 0, warp_size, row.value(warp, 0));
}

}  // namespace lanes::emulator
