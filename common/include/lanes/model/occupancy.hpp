/// @file
/// @brief How many blocks of a kernel a multiprocessor holds at once, and which limit binds.
///
/// The calculation is that of `cuda_occupancy.h`, which the CUDA Toolkit ships; the tests compare the two over
/// random configurations. The limits are those of the CUDA Programming Guide, "Compute Capabilities".
#pragma once

#include <lanes/model/warp.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace lanes::model {

/// Version of a GPU's architecture: 8.9 is {8, 9}.
struct ComputeCapability {
    unsigned major_version = 0;  ///< 8 of 8.9
    unsigned minor_version = 0;  ///< 9 of 8.9

    /// Same version.
    constexpr bool operator==(const ComputeCapability&) const = default;
};

/// Bytes of a kilobyte, as the CUDA tables use the word.
inline constexpr std::uint32_t kilobyte = 1024;

/// What one multiprocessor has to give, and how it hands it out.
struct MultiprocessorLimits {
    ComputeCapability capability;                 ///< what it is
    std::uint32_t warps = 0;                      ///< resident at most
    std::uint32_t blocks = 0;                     ///< resident at most
    std::uint32_t unified_cache_bytes = 0;        ///< L1 cache and shared memory together
    std::uint32_t shared_bytes = 0;               ///< shared memory at the largest carve-out
    std::uint32_t shared_bytes_per_block = 0;     ///< most a block may use after opting in
    std::uint32_t reserved_bytes_per_block = 0;   ///< kept by CUDA in each block's shared memory
    std::uint32_t shared_granule_bytes = 0;       ///< shared memory is handed out in multiples of this
    std::span<const std::uint16_t> carve_out_kb;  ///< sizes shared memory can be set to, rising
    std::uint32_t barriers = 0;                   ///< pool of block barriers; 0: no such limit
    std::uint32_t virtual_resources = 0;          ///< pool of virtual resources; 0: no such limit

    std::uint32_t threads_per_block = 1024;                        ///< most a block may have
    std::uint32_t registers = 65536;                               ///< and most for one block
    std::uint32_t registers_per_thread = 255;                      ///< most a compiler assigns
    std::uint32_t register_granule = 256;                          ///< a warp gets a multiple of this
    std::uint32_t partitions = 4;                                  ///< each with a quarter of the registers
    std::uint32_t default_shared_bytes_per_block = 48 * kilobyte;  ///< without opting in

    /// Most resident threads.
    constexpr std::uint32_t threads() const { return warps * warp_size; }
};

/// Shared-memory sizes a multiprocessor can be set to, in kilobytes.
struct CarveOuts {
    static constexpr std::array<std::uint16_t, 2> turing{32, 64};                              ///< 7.5
    static constexpr std::array<std::uint16_t, 6> up_to_100{0, 8, 16, 32, 64, 100};            ///< 8.6, 8.9, 12.x
    static constexpr std::array<std::uint16_t, 8> up_to_164{0, 8, 16, 32, 64, 100, 132, 164};  ///< 8.0, 8.7
    static constexpr std::array<std::uint16_t, 10> up_to_228{0,   8,   16,  32,  64,
                                                             100, 132, 164, 196, 228};  ///< 9.0 to 11.0
};

/// Every compute capability the model knows, oldest first.
inline constexpr std::array<ComputeCapability, 11> known_capabilities{
    {{7, 5}, {8, 0}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {10, 3}, {11, 0}, {12, 0}, {12, 1}}};

/// Limits of a compute capability.
/// @param capability for example {8, 9}
/// @return nothing if the model does not know it; known_capabilities lists what it knows
constexpr std::optional<MultiprocessorLimits> multiprocessor_limits(ComputeCapability capability) {
    struct Row {
        std::uint32_t warps, blocks, unified_kb, shared_kb, barriers, virtual_resources;
        std::span<const std::uint16_t> carve_out_kb;
    };
    const auto limits = [&](const Row& row) {
        const bool turing = capability == ComputeCapability{7, 5};
        const std::uint32_t reserved = turing ? 0 : kilobyte;  // from compute capability 8.0 on
        return MultiprocessorLimits{.capability = capability,
                                    .warps = row.warps,
                                    .blocks = row.blocks,
                                    .unified_cache_bytes = row.unified_kb * kilobyte,
                                    .shared_bytes = row.shared_kb * kilobyte,
                                    .shared_bytes_per_block = row.shared_kb * kilobyte - reserved,
                                    .reserved_bytes_per_block = reserved,
                                    .shared_granule_bytes = turing ? 256U : 128U,
                                    .carve_out_kb = row.carve_out_kb,
                                    .barriers = row.barriers,
                                    .virtual_resources = row.virtual_resources};
    };
    if (capability.minor_version > 9) return std::nullopt;  // 8.10 is not 9.0
    switch (capability.major_version * 10 + capability.minor_version) {
        //             warps, blocks, unified, shared, barriers, virtual
        case 75:
            return limits({32, 16, 96, 64, 0, 0, CarveOuts::turing});
        case 80:
            return limits({64, 32, 192, 164, 0, 0, CarveOuts::up_to_164});
        case 86:
            return limits({48, 16, 128, 100, 0, 0, CarveOuts::up_to_100});
        case 87:
            return limits({48, 16, 192, 164, 0, 0, CarveOuts::up_to_164});
        case 89:
            return limits({48, 24, 128, 100, 0, 0, CarveOuts::up_to_100});
        case 90:
            return limits({64, 32, 256, 228, 64, 0, CarveOuts::up_to_228});
        case 100:
        case 103:
            return limits({64, 32, 256, 228, 64, 128, CarveOuts::up_to_228});
        case 110:
            return limits({48, 24, 256, 228, 24, 128, CarveOuts::up_to_228});
        case 120:
        case 121:
            return limits({48, 24, 128, 100, 24, 128, CarveOuts::up_to_100});
        default:
            return std::nullopt;
    }
}

/// What one block of a kernel asks for.
struct BlockResources {
    std::uint32_t threads = 0;               ///< of the block
    std::uint32_t registers_per_thread = 0;  ///< as `-Xptxas -v` prints
    std::uint32_t static_shared_bytes = 0;   ///< `__shared__` arrays of fixed size
    std::uint32_t dynamic_shared_bytes = 0;  ///< third launch argument
    /// cudaFuncAttributeMaxDynamicSharedMemorySize if it was set. More than 48 KB a block needs it.
    std::optional<std::uint32_t> max_dynamic_shared_bytes = std::nullopt;
    std::uint32_t barriers = 1;           ///< block barriers the kernel uses
    std::uint32_t virtual_resources = 0;  ///< of compute capability 10.0 on; 0 for ordinary kernels
};

/// A reason why no further block fits.
enum class OccupancyLimit : std::uint8_t { warps, registers, shared_memory, blocks, barriers, virtual_resources };

/// Every reason, in the order in which Occupancy::binding() looks.
inline constexpr std::array<OccupancyLimit, 6> occupancy_limits{
    OccupancyLimit::warps,  OccupancyLimit::registers, OccupancyLimit::shared_memory,
    OccupancyLimit::blocks, OccupancyLimit::barriers,  OccupancyLimit::virtual_resources};

/// A limit that does not apply allows this many blocks.
inline constexpr std::uint32_t unlimited_blocks = std::numeric_limits<std::int32_t>::max();

/// Blocks a multiprocessor holds, by each limit and by all.
struct Occupancy {
    std::array<std::uint32_t, occupancy_limits.size()> allowed{};  ///< blocks, by OccupancyLimit
    std::uint32_t blocks = 0;                                      ///< the least of these; 0: cannot be launched
    std::uint32_t warps = 0;                                       ///< resident
    std::uint32_t max_warps = 0;                                   ///< of the multiprocessor
    std::uint32_t registers_per_block = 0;                         ///< handed out, after rounding
    std::uint32_t shared_bytes_per_block = 0;                      ///< handed out, reserve and rounding included
    std::uint32_t carve_out_bytes = 0;                             ///< shared memory of the multiprocessor as set

    /// Blocks that one limit alone allows; unlimited_blocks if it does not apply.
    /// @param limit the reason
    constexpr std::uint32_t by(OccupancyLimit limit) const { return allowed[static_cast<std::size_t>(limit)]; }
    /// Whether a limit allows no more blocks than there are. Several limits can bind at once.
    /// @param limit the reason
    constexpr bool binds(OccupancyLimit limit) const { return by(limit) == blocks; }
    /// The first limit that binds.
    constexpr OccupancyLimit binding() const {
        return *std::find_if(occupancy_limits.begin(), occupancy_limits.end(),
                             [this](OccupancyLimit limit) { return binds(limit); });
    }
    /// Resident warps divided by the most that fit: 0 to 1.
    constexpr double fraction() const { return static_cast<double>(warps) / max_warps; }
};

/// Rounds `value` up to a multiple of `granule`.
/// @param value any
/// @param granule greater than 0
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
    return (value + granule - 1) / granule * granule;
}

/// Blocks the warp slots allow; 0 for an empty block or one with too many threads.
/// @param limits of the multiprocessor
/// @param threads of the block
constexpr std::uint32_t blocks_by_warps(const MultiprocessorLimits& limits, std::uint32_t threads) {
    if (threads == 0 || threads > limits.threads_per_block) return 0;
    return limits.warps / warp_count(threads);
}

/// Registers a warp is given: 32 times those of a thread, rounded up to the granule.
/// @param limits of the multiprocessor
/// @param registers_per_thread as `-Xptxas -v` prints
constexpr std::uint64_t registers_per_warp(const MultiprocessorLimits& limits, std::uint32_t registers_per_thread) {
    return round_up(std::uint64_t{registers_per_thread} * warp_size, limits.register_granule);
}

/// Blocks the registers allow. Each warp takes its registers from one of four partitions, so what is left over in one
/// does not help a warp in another.
/// @param limits of the multiprocessor
/// @param threads of the block
/// @param registers_per_thread as `-Xptxas -v` prints
constexpr std::uint32_t blocks_by_registers(const MultiprocessorLimits& limits, std::uint32_t threads,
                                            std::uint32_t registers_per_thread) {
    if (threads == 0 || registers_per_thread > limits.registers_per_thread + 1) return 0;  // as cuda_occupancy.h: 256
    const std::uint64_t warp_registers = registers_per_warp(limits, registers_per_thread);
    if (warp_registers == 0) return unlimited_blocks;
    const std::uint64_t warps_per_partition = limits.registers / limits.partitions / warp_registers;
    return static_cast<std::uint32_t>(warps_per_partition * limits.partitions / warp_count(threads));
}

/// The smallest carve-out of at least `bytes`; the largest there is if none is.
/// @param limits of the multiprocessor
/// @param bytes shared memory asked for
constexpr std::uint32_t carve_out_for(const MultiprocessorLimits& limits, std::uint64_t bytes) {
    for (const std::uint16_t kb : limits.carve_out_kb)
        if (bytes <= std::uint64_t{kb} * kilobyte) return kb * kilobyte;
    return limits.shared_bytes;
}

/// Shared memory a block is given: static, dynamic and reserved, rounded up to the granule.
/// @param limits of the multiprocessor
/// @param block what it asks for
constexpr std::uint64_t shared_bytes_of_block(const MultiprocessorLimits& limits, const BlockResources& block) {
    return round_up(
        std::uint64_t{block.static_shared_bytes} + block.dynamic_shared_bytes + limits.reserved_bytes_per_block,
        limits.shared_granule_bytes);
}

/// Whether a block's shared memory stays within what a block may have: 48 KB, or more if the kernel's maximum was set.
/// @param limits of the multiprocessor
/// @param block what it asks for
constexpr bool shared_memory_is_allowed(const MultiprocessorLimits& limits, const BlockResources& block) {
    const std::optional<std::uint32_t>& most_dynamic = block.max_dynamic_shared_bytes;
    if (most_dynamic && block.dynamic_shared_bytes > *most_dynamic) return false;
    const std::uint64_t most = most_dynamic ? limits.shared_bytes_per_block : limits.default_shared_bytes_per_block;
    return shared_bytes_of_block(limits, block) <= most + limits.reserved_bytes_per_block;
}

/// Shared memory the multiprocessor is set to while it runs a kernel: the preferred carve-out, or what one block needs.
/// @param limits of the multiprocessor
/// @param block what it asks for
/// @param carve_out_percent cudaFuncAttributePreferredSharedMemoryCarveout, 0 to 100 (more counts as 100); none:
/// largest
constexpr std::uint32_t carve_out_bytes(const MultiprocessorLimits& limits, const BlockResources& block,
                                        std::optional<std::uint32_t> carve_out_percent = std::nullopt) {
    const std::uint64_t percent = std::min(carve_out_percent.value_or(100), 100U);
    const std::uint32_t preferred = carve_out_for(limits, percent * limits.shared_bytes / 100);
    const std::uint64_t needed = shared_bytes_of_block(limits, block);
    return preferred >= needed ? preferred : carve_out_for(limits, needed);
}

/// Blocks the shared memory allows.
/// @param limits of the multiprocessor
/// @param block what it asks for
/// @param carve_out_percent see carve_out_bytes()
constexpr std::uint32_t blocks_by_shared_memory(const MultiprocessorLimits& limits, const BlockResources& block,
                                                std::optional<std::uint32_t> carve_out_percent = std::nullopt) {
    if (!shared_memory_is_allowed(limits, block)) return 0;
    const std::uint64_t needed = shared_bytes_of_block(limits, block);
    if (needed == 0) return unlimited_blocks;
    return static_cast<std::uint32_t>(carve_out_bytes(limits, block, carve_out_percent) / needed);
}

/// Blocks a pool allows of which each block takes `used`.
/// @param pool 0: the multiprocessor has no such limit
/// @param used 0: the kernel takes none
constexpr std::uint32_t blocks_by_pool(std::uint32_t pool, std::uint32_t used) {
    return pool == 0 || used == 0 ? unlimited_blocks : pool / used;
}

/// Blocks of a kernel that one multiprocessor holds at once.
/// @param limits of the multiprocessor, from multiprocessor_limits()
/// @param block what each block asks for
/// @param carve_out_percent see carve_out_bytes()
constexpr Occupancy occupancy(const MultiprocessorLimits& limits, const BlockResources& block,
                              std::optional<std::uint32_t> carve_out_percent = std::nullopt) {
    Occupancy result;
    const auto set = [&result](OccupancyLimit limit, std::uint32_t blocks) {
        result.allowed[static_cast<std::size_t>(limit)] = blocks;
    };
    set(OccupancyLimit::warps, blocks_by_warps(limits, block.threads));
    set(OccupancyLimit::registers, blocks_by_registers(limits, block.threads, block.registers_per_thread));
    set(OccupancyLimit::shared_memory, blocks_by_shared_memory(limits, block, carve_out_percent));
    set(OccupancyLimit::blocks, limits.blocks);
    set(OccupancyLimit::barriers, blocks_by_pool(limits.barriers, block.barriers));
    set(OccupancyLimit::virtual_resources, blocks_by_pool(limits.virtual_resources, block.virtual_resources));

    const std::uint32_t warps = warp_count(block.threads);
    result.blocks = *std::min_element(result.allowed.begin(), result.allowed.end());
    result.warps = result.blocks * warps;
    result.max_warps = limits.warps;
    result.registers_per_block =
        static_cast<std::uint32_t>(registers_per_warp(limits, block.registers_per_thread) * warps);
    result.shared_bytes_per_block = static_cast<std::uint32_t>(shared_bytes_of_block(limits, block));
    result.carve_out_bytes = carve_out_bytes(limits, block, carve_out_percent);
    return result;
}

}  // namespace lanes::model
