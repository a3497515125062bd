/// @file
/// @brief The calculation of chapter 4 as tables: what a multiprocessor has, and which limit binds.
#pragma once

#include <lanes/model/occupancy.hpp>
#include <lanes/table.hpp>

#include <cstdio>
#include <ostream>
#include <string>

/// "8.9"
inline std::string name_of(lanes::model::ComputeCapability capability) {
    return std::to_string(capability.major_version) + "." + std::to_string(capability.minor_version);
}

/// The word for a limit.
inline std::string name_of(lanes::model::OccupancyLimit limit) {
    switch (limit) {
        case lanes::model::OccupancyLimit::warps:
            return "warps";
        case lanes::model::OccupancyLimit::registers:
            return "registers";
        case lanes::model::OccupancyLimit::shared_memory:
            return "shared memory";
        case lanes::model::OccupancyLimit::blocks:
            return "blocks";
        case lanes::model::OccupancyLimit::barriers:
            return "barriers";
        case lanes::model::OccupancyLimit::virtual_resources:
            return "virtual resources";
    }
    return "";
}

/// What the multiprocessors of every compute capability have.
inline lanes::Table table_of_limits() {
    lanes::Table table({"capability", "warps", "threads", "blocks", "registers", "shared KiB", "of them a block",
                        "reserved KiB", "L1 and shared KiB"});
    for (const auto capability : lanes::model::known_capabilities) {
        const auto limits = *lanes::model::multiprocessor_limits(capability);
        const auto kib = [](std::uint32_t bytes) { return std::to_string(bytes / lanes::model::kilobyte); };
        table.add_row({name_of(capability), std::to_string(limits.warps), std::to_string(limits.threads()),
                       std::to_string(limits.blocks), std::to_string(limits.registers), kib(limits.shared_bytes),
                       kib(limits.shared_bytes_per_block), kib(limits.reserved_bytes_per_block),
                       kib(limits.unified_cache_bytes)});
    }
    return table;
}

/// Blocks that a limit allows, as text.
inline std::string allowed_text(const lanes::model::Occupancy& occupancy, lanes::model::OccupancyLimit limit) {
    const auto blocks = occupancy.by(limit);
    return blocks == lanes::model::unlimited_blocks ? "any" : std::to_string(blocks);
}

/// Resident blocks of one kernel on every compute capability, and what each of the four limits allows.
/// @param block what each of its blocks asks for
inline lanes::Table table_of_occupancy(const lanes::model::BlockResources& block) {
    using lanes::model::OccupancyLimit;
    lanes::Table table({"capability", "by blocks", "by warps", "by registers", "by shared memory", "resident",
                        "occupancy", "first limit"});
    for (const auto capability : lanes::model::known_capabilities) {
        const auto occupancy = lanes::model::occupancy(*lanes::model::multiprocessor_limits(capability), block);
        const auto allowed = [&](OccupancyLimit limit) { return allowed_text(occupancy, limit); };
        char share[16];
        std::snprintf(share, sizeof share, "%.1f %%", 100.0 * occupancy.fraction());
        table.add_row({name_of(capability), allowed(OccupancyLimit::blocks), allowed(OccupancyLimit::warps),
                       allowed(OccupancyLimit::registers), allowed(OccupancyLimit::shared_memory),
                       std::to_string(occupancy.blocks), share, name_of(occupancy.binding())});
    }
    return table;
}

/// Prints table_of_occupancy() with a line that says what the block asks for.
/// @param out   where to
/// @param title what the block is
/// @param block what it asks for
inline void print_occupancy(std::ostream& out, const std::string& title, const lanes::model::BlockResources& block) {
    const auto shared = block.static_shared_bytes + block.dynamic_shared_bytes;
    out << title << ": " << block.threads << " threads, " << block.registers_per_thread << " registers a thread, "
        << shared << " bytes of shared memory\n"
        << table_of_occupancy(block) << '\n';
}
