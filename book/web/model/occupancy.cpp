/// @file
/// @brief Exports `occupancy`: how many blocks of a kernel a multiprocessor holds, and why no more; and `capabilities`:
/// the compute capabilities that the model knows.
#include <lanes/model/occupancy.hpp>

#include "export.hpp"

#include <optional>

namespace {

namespace model = lanes::model;

/// Nothing goes in. Out: major and minor version of each compute capability, oldest first.
void compute_capabilities(lanes::web::Call& call) {
    for (const model::ComputeCapability& capability : model::known_capabilities) {
        call.put(capability.major_version);
        call.put(capability.minor_version);
    }
}

/// The next number of the input, or nothing if it is -1.
std::optional<std::uint32_t> unless_minus_one(lanes::web::Call& call, std::string_view what, std::uint32_t high) {
    const std::int64_t value = call.integer(what, -1, high);
    return value < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(value));
}

/// What a block asks for, from the input.
model::BlockResources block_from(lanes::web::Call& call) {
    model::BlockResources block;
    block.threads = call.unsigned_integer("threads a block", 1, 1024);
    block.registers_per_thread = call.unsigned_integer("registers a thread", 1, 255);
    block.dynamic_shared_bytes = call.unsigned_integer("bytes of shared memory a block", 0, 1U << 20);
    block.max_dynamic_shared_bytes = unless_minus_one(call, "the most shared memory opted in to", 1U << 20);
    return block;
}

/// In: major and minor version of the compute capability, threads a block, registers a thread, bytes of dynamic shared
/// memory a block, the most that was opted in to (-1: nothing was), preferred carve-out in percent (-1: the largest).
/// Out: resident blocks and warps. By each limit, in the order of model::OccupancyLimit up to blocks: how many blocks
/// it allows, and 1 if it binds. Warps and registers of a block, registers of a warp, warps for which a partition of
/// the registers has room, bytes of shared memory of a block, the carve-out. What the multiprocessor has: warps,
/// blocks, registers, partitions of them, bytes of shared memory and L1 cache together, most bytes of shared memory for
/// a block, bytes reserved in each block.
void compute_occupancy(lanes::web::Call& call) {
    const model::ComputeCapability capability{call.unsigned_integer("the major version", 1, 99),
                                              call.unsigned_integer("the minor version", 0, 9)};
    const model::BlockResources block = block_from(call);
    const std::optional<std::uint32_t> carve_out_percent = unless_minus_one(call, "the carve-out in percent", 100);
    const auto limits = model::multiprocessor_limits(capability);
    if (!limits) return call.refuse("The model does not know this compute capability.");
    const model::Occupancy occupancy = model::occupancy(*limits, block, carve_out_percent);
    call.put(occupancy.blocks);
    call.put(occupancy.warps);
    for (const auto limit : {model::OccupancyLimit::warps, model::OccupancyLimit::registers,
                             model::OccupancyLimit::shared_memory, model::OccupancyLimit::blocks}) {
        call.put(occupancy.by(limit));
        call.put(occupancy.binds(limit) ? 1 : 0);
    }
    const auto registers_per_warp = model::registers_per_warp(*limits, block.registers_per_thread);
    call.put(model::warp_count(block.threads));
    call.put(occupancy.registers_per_block);
    call.put(static_cast<double>(registers_per_warp));
    call.put(static_cast<double>(limits->registers / limits->partitions / registers_per_warp));
    call.put(occupancy.shared_bytes_per_block);
    call.put(occupancy.carve_out_bytes);
    call.put(limits->warps);
    call.put(limits->blocks);
    call.put(limits->registers);
    call.put(limits->partitions);
    call.put(limits->unified_cache_bytes);
    call.put(limits->shared_bytes_per_block);
    call.put(limits->reserved_bytes_per_block);
}

}  // namespace

LANES_WEB_EXPORT(capabilities, compute_capabilities)
LANES_WEB_EXPORT(occupancy, compute_occupancy)
